import { hash, hashLength, maxHashes } from './checkpoint.ts';

/** Minimum number of records to remember, once that many were yielded; the maximum is twice that. */
const remembered = 4096;

/** Records that an iteration has yielded, or that a checkpoint remembers. */
export class YieldedRecords {
  /** Ids, oldest first; of records of a checkpoint, hashes. */
  readonly #ids: string[];
  readonly #holdsHashes: boolean;
  /** Sequence numbers, from 1, of so many of the ids. Hashing an id takes longer than the rest of an iteration. */
  readonly #numbers = new Map<string, number>();
  #numbered = 0;
  /** How many of the oldest records to keep: those yielded before the iteration started over. */
  #kept = 0;
  /** Whether yielded records were forgotten that may still be in the list. */
  #hasForgotten: boolean;
  /** Hashes for a checkpoint, and the number of ids up to the last of them. */
  #tail: string;
  #hashed: number;
  /** Whether each page contained the last yielded record: then whatever follows it is new. */
  isInOrder: boolean;

  /** `tail` are the hashes of a checkpoint. */
  constructor(tail = '') {
    this.#ids = tail.match(/.{11}/g) ?? [];
    this.#holdsHashes = this.latest > 0;
    this.#hasForgotten = this.latest >= maxHashes;
    this.#tail = tail;
    this.#hashed = this.latest;
    this.isInOrder = !this.#holdsHashes;
  }

  /** Sequence number of the last yielded record; 0 for none. */
  get latest(): number {
    return this.#ids.length;
  }

  /** Whether every yielded record is known, and will be if the iteration starts over now. */
  get isComplete(): boolean {
    return !this.#hasForgotten && this.latest < 2 * remembered;
  }

  /** Hashes of recently yielded records for a checkpoint, oldest first. Hashes each record once at most. */
  get tail(): string {
    const unhashed = this.#ids.slice(Math.max(this.#hashed, this.latest - maxHashes));
    this.#tail = (this.#tail + unhashed.map(hash).join('')).slice(-maxHashes * hashLength);
    this.#hashed = this.latest;
    return this.#tail;
  }

  isRecent(id: string, count: number): boolean {
    return this.#ids.includes(id, -count);
  }

  /** Returns the sequence number of a record, or `undefined` for a new one. */
  numberOf(id: string): number | undefined {
    while (this.#numbered < this.latest)
      this.#numbers.set(this.#ids[this.#numbered] as string, ++this.#numbered);
    return this.#numbers.get(id) ?? (this.#holdsHashes ? this.#numbers.get(hash(id)) : undefined);
  }

  add(id: string): void {
    this.#ids.push(id);
    if (this.latest < this.#kept + 2 * remembered) return;
    this.#ids.splice(this.#kept, remembered);
    this.#hashed -= remembered;
    this.#numbers.clear();
    this.#numbered = 0;
    this.#hasForgotten = true;
  }

  /** Keeps all records when the iteration starts over, because they come again. */
  keep(): void {
    this.#kept = this.latest;
  }
}
