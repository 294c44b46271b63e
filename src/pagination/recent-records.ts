import { hash, hashesInCheckpoint, hashLength, joinHashes, splitHashes } from './record-hash.ts';

/** Records that are remembered while an iteration runs: this many at least and twice as many at most, about 500 kB. */
const remembered = 2048;

/** The records yielded last, numbered in sequence: they show where in a changing list an iteration is. */
export class RecentRecords {
  /** Two halves, the older of which is dropped as a whole: a map that loses single entries from its start gets slow. */
  #older = new Map<string, number>();
  #newer = new Map<string, number>();
  /** Records of the checkpoint that was resumed from, by hash. */
  readonly #resumed = new Map<string, number>();
  #latest = 0;
  #tail: string;
  /** Ids that are not in `#tail` yet: hashes are made when a checkpoint is read, each once. */
  #unhashed: string[] = [];
  /** No record that was yielded has been forgotten. */
  isComplete: boolean;

  constructor(tail = '') {
    this.#tail = tail;
    this.isComplete = tail.length < hashesInCheckpoint * hashLength;
    for (const known of splitHashes(tail)) this.#resumed.set(known, ++this.#latest);
  }

  /** Sequence number of the record yielded last; 0 before any. */
  get latest(): number {
    return this.#latest;
  }

  /** Number of records that are remembered. */
  get size(): number {
    return this.#resumed.size + this.#older.size + this.#newer.size;
  }

  /** Returns the sequence number of a record, from 1; 0 when it is not among the recent ones. */
  sequenceNumber(id: string): number {
    const number = this.#newer.get(id) ?? this.#older.get(id);
    if (number !== undefined || this.#resumed.size === 0) return number ?? 0;
    return this.#resumed.get(hash(id)) ?? 0;
  }

  /** Adds the record that is yielded now. */
  add(id: string): void {
    this.#newer.set(id, ++this.#latest);
    this.#unhashed.push(id);
    if (this.#newer.size < remembered) return;
    this.#unhashed = this.#unhashed.slice(-hashesInCheckpoint);
    this.isComplete &&= this.#older.size === 0;
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  /** Returns the hashes of the last records, as text that the constructor takes. */
  tail(): string {
    this.#tail = joinHashes(this.#tail, this.#unhashed);
    this.#unhashed.length = 0;
    return this.#tail;
  }
}
