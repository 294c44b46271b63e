import { hash, maxHashes } from './checkpoint.ts';

/** Entries of a block, as a power of two. Blocks are never copied. */
const blockBits = 10;
const blockSize = 2 ** blockBits;

/** Numbers of an entry: three words of a hash, and the last sighting. */
const width = 4;
const sighting = 3;

/**
 * Records that pages have shown, by hashes of 96 bits: that two of a million ids have the same one has a chance of 2^-57.
 * Typed arrays take 22 to 38 bytes for each record. A `Map` of ids takes 90, and so much time in garbage collection that an
 * iteration takes a fifth longer.
 */
export class KnownRecords {
  /** Entries, in the order in which their records came. */
  readonly #blocks: Int32Array[] = [];
  /** Numbers of entries, from 1, each at the place that the hash tells or the next free one; 0 where there is none. */
  #slots = new Int32Array(2 * blockSize);
  /** Hash of the id that was looked up last. */
  readonly #wanted = new Int32Array(sighting);
  #sightings = 0;
  /** Hashes of the records that a checkpoint remembers, each with the number of its sighting. */
  readonly #remembered: Map<string, number>;
  readonly #lastRemembered: number;
  /** Number of records that pages have shown. */
  size = 0;

  /** `tail` are the hashes of a checkpoint. */
  constructor(tail = '') {
    this.#remembered = new Map(tail.match(/.{11}/g)?.map(text => [text, ++this.#sightings]));
    this.#lastRemembered = this.#sightings;
  }

  /** Whether every record that was yielded is known: a checkpoint remembers the last ones alone. */
  get isComplete(): boolean {
    return this.#remembered.size < maxHashes;
  }

  has(id: string): boolean {
    return this.lastSeen(id) > 0;
  }

  /** Returns how many records had been shown when a page first showed this one; 0 if none did. */
  firstSeen(id: string): number {
    return this.#slots[this.#slotOf(id)] as number;
  }

  /** Returns the number of the last sighting of a record, from 1; 0 if it is not known. */
  lastSeen(id: string): number {
    const entry = this.#slots[this.#slotOf(id)] as number;
    return entry === 0 ? this.#rememberedAt(id) : (this.#blockOf(entry)[startOf(entry) + sighting] as number);
  }

  /** Takes note that a page shows a record. Returns `true` if it was not known. */
  add(id: string): boolean {
    const slot = this.#slotOf(id);
    const found = this.#slots[slot] as number;
    const entry = found || this.#append(slot);
    this.#blockOf(entry)[startOf(entry) + sighting] = ++this.#sightings;
    return found === 0 && this.#rememberedAt(id) === 0;
  }

  /** Forgets what the checkpoint remembers: those records were deleted. */
  forgetRemembered(): void {
    this.#remembered.clear();
  }

  /** Whether a record is the last one that the checkpoint remembers. */
  isLastRemembered(id: string): boolean {
    return this.#remembered.size > 0 && this.#rememberedAt(id) === this.#lastRemembered;
  }

  #rememberedAt(id: string): number {
    return this.#remembered.size === 0 ? 0 : (this.#remembered.get(hash(id)) ?? 0);
  }

  /** Returns the slot of an id, or the free one for it. */
  #slotOf(id: string): number {
    const slots = this.#slots;
    const wanted = this.#wanted;
    writeHash(wanted, id);
    const last = slots.length - 1;
    for (let slot = (wanted[0] as number) & last; ; slot = (slot + 1) & last) {
      const entry = slots[slot] as number;
      if (entry === 0) return slot;
      const block = this.#blockOf(entry);
      const start = startOf(entry);
      if (block[start] === wanted[0] && block[start + 1] === wanted[1] && block[start + 2] === wanted[2])
        return slot;
    }
  }

  /** Adds an entry for the id that was looked up last, and returns its number. */
  #append(slot: number): number {
    if (this.size % blockSize === 0) this.#blocks.push(new Int32Array(blockSize * width));
    this.size += 1;
    this.#slots[slot] = this.size;
    const block = this.#blockOf(this.size);
    const start = startOf(this.size);
    for (let word = 0; word < sighting; word++) block[start + word] = this.#wanted[word] as number;
    if (4 * this.size > 3 * this.#slots.length) this.#growSlots();
    return this.size;
  }

  #growSlots(): void {
    const slots = new Int32Array(4 * this.#slots.length);
    const last = slots.length - 1;
    let entry = 0;
    for (const block of this.#blocks)
      for (let start = 0; start < block.length && entry < this.size; start += width) {
        let slot = (block[start] as number) & last;
        while (slots[slot] !== 0) slot = (slot + 1) & last;
        slots[slot] = ++entry;
      }
    this.#slots = slots;
  }

  #blockOf(entry: number): Int32Array {
    return this.#blocks[(entry - 1) >> blockBits] as Int32Array;
  }
}

/** Returns where the entry with this number starts in its block. */
const startOf = (entry: number): number => ((entry - 1) & (blockSize - 1)) * width;

/** Writes three words of a hash of a text. No step makes two states the same. */
function writeHash(words: Int32Array, text: string): void {
  const { length } = text;
  let a = length;
  let b = 2;
  let c = 3;
  for (let index = 0; index < length; index += 2) {
    const next = index + 1 < length ? text.charCodeAt(index + 1) : 0;
    const codes = text.charCodeAt(index) | (next << 16);
    a = Math.imul(a ^ codes, 0x9e3779b1);
    b = Math.imul(b ^ codes, 0x85ebca6b);
    c = Math.imul(c ^ codes, 0xc2b2ae35);
    a ^= c >>> 15;
    b ^= a >>> 13;
    c ^= b >>> 16;
  }
  words[0] = a;
  words[1] = b;
  words[2] = c;
}
