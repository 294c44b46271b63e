import { hash, tailLength } from './checkpoint.ts';
import type { Identified } from './page-loader.ts';

/** Numbers of an entry: three words of a hash, and the number of the last sighting, which is 0 if the entry is free. */
const width = 4;
const sighting = 3;

/**
 * Records that pages have contained, by 96-bit hashes: the chance that two of a million ids share a hash is 2^-57. Takes
 * 21 to 43 bytes per record, and 64 while it grows. A `Map` of ids takes 90 bytes, and makes an iteration a fifth slower
 * because of garbage collection.
 */
export class KnownRecords {
  /** Entries, each at the index that its hash gives, or at the next free one. */
  #entries = new Int32Array(1024 * width);
  /** Hash of the id that was looked up last. */
  readonly #wanted = new Int32Array(sighting);
  /** Hashes of the records in a checkpoint, each with the number of its sighting. */
  readonly #remembered: Map<string, number>;
  /** `false` after a checkpoint, which contains only the last records, unless none of them is found. */
  isComplete: boolean;
  /** Number of the latest sighting. */
  newest = 0;
  /** Number of records that pages have contained. */
  size = 0;

  /** `tail` are the hashes of a checkpoint. */
  constructor(tail = '') {
    this.#remembered = new Map(tail.match(/.{11}/g)?.map(text => [text, ++this.newest]));
    this.isComplete = tail.length < tailLength;
  }

  /** Returns the number of the last sighting of a record, from 1; 0 if it is not known. */
  lastSeen(record: Identified | undefined): number {
    return record ? this.#entries[this.#find(record.id) + sighting] || this.#rememberedAt(record.id) : 0;
  }

  /** Notes that a page contains a record. Returns its previous sighting; 0 if it was not known. */
  add({ id }: Identified): number {
    const at = this.#find(id);
    const before = this.#entries[at + sighting] || this.#rememberedAt(id);
    const isNew = this.#entries[at + sighting] === 0;
    if (isNew) this.#entries.set(this.#wanted, at);
    this.#entries[at + sighting] = ++this.newest;
    if (isNew && ++this.size * width > this.#entries.length * 0.75) this.#grow();
    return before;
  }

  #rememberedAt(id: string): number {
    return this.#remembered.size === 0 ? 0 : (this.#remembered.get(hash(`${id}`)) ?? 0);
  }

  /** Returns the index of an id's entry, or of the free entry for it. */
  #find(id: string): number {
    writeHash(this.#wanted, `${id}`);
    return findEntry(this.#entries, this.#wanted, 0);
  }

  #grow(): void {
    const old = this.#entries;
    this.#entries = new Int32Array(2 * old.length);
    for (let from = 0; from < old.length; from += width) {
      if (old[from + sighting] === 0) continue;
      const to = findEntry(this.#entries, old, from);
      for (let word = 0; word < width; word++) this.#entries[to + word] = old[from + word] as number;
    }
  }
}

/** Returns the index of the entry of the hash at `from` in `words`, or of the free entry for it. */
function findEntry(entries: Int32Array, words: Int32Array, from: number): number {
  const last = entries.length - width;
  const [a, b, c] = [words[from] as number, words[from + 1], words[from + 2]];
  for (let at = (a * width) & last; ; at = (at + width) & last)
    if (entries[at + sighting] === 0 || (entries[at] === a && entries[at + 1] === b && entries[at + 2] === c))
      return at;
}

/** Writes three words of a hash of text. Every step is reversible. */
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
