import { hash, hashLength, maxHashes } from './checkpoint.ts';

/** Minimum number of records to remember, once that many were yielded; the maximum is twice that. */
const remembered = 4096;

/** The most recently yielded records. */
export class YieldedRecords {
  /** Sequence numbers, from 1, by id; for records of a checkpoint, by hash. */
  #numbers = new Map<string, number>();
  /** How many of the oldest records to keep: those yielded before the iteration started over. */
  #kept = 0;
  /** Whether yielded records were forgotten that may still be in the list. */
  #hasForgotten = false;
  #holdsHashes = false;
  /** Hashes of recently yielded records, followed by ids that are not hashed yet. */
  #tail = '';
  #unhashed: string[] = [];
  /** Sequence number of the last yielded record; 0 for none. */
  latest = 0;

  /** Number of remembered records. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Whether every yielded record is known, and will be if the iteration starts over now. */
  get isComplete(): boolean {
    return !this.#hasForgotten && this.size < 2 * remembered;
  }

  /** Hashes of recently yielded records for a checkpoint, oldest first. Hashes each record once at most. */
  get tail(): string {
    const texts = this.#unhashed.slice(-maxHashes).map(hash);
    this.#unhashed = [];
    this.#tail = (this.#tail + texts.join('')).slice(-maxHashes * hashLength);
    return this.#tail;
  }

  /** Returns the sequence number of a record, or `undefined` for a new one. */
  numberOf(id: string): number | undefined {
    return this.#numbers.get(id) ?? (this.#holdsHashes ? this.#numbers.get(hash(id)) : undefined);
  }

  /** Adds a yielded record. */
  add(id: string): void {
    this.#numbers.set(id, ++this.latest);
    this.#unhashed.push(id);
    if (this.#unhashed.length > 10 * maxHashes) this.#unhashed = this.#unhashed.slice(-maxHashes);
    if (this.size < this.#kept + 2 * remembered) return;
    let index = 0;
    for (const oldest of this.#numbers.keys()) {
      if (index >= this.#kept + remembered) break;
      if (index++ >= this.#kept) this.#numbers.delete(oldest);
    }
    this.#hasForgotten = true;
    this.#holdsHashes &&= this.#kept > 0;
  }

  /** Replaces all records by those of a checkpoint. */
  restore(tail: string): void {
    const hashes = tail.match(/.{11}/g) ?? [];
    this.#numbers = new Map(hashes.map((hashed, index) => [hashed, index + 1]));
    this.#kept = 0;
    this.#tail = tail;
    this.#unhashed = [];
    this.latest = hashes.length;
    this.#holdsHashes = hashes.length > 0;
    this.#hasForgotten = hashes.length >= maxHashes;
  }

  /** Keeps all records when the iteration starts over, because they come again. */
  keep(): void {
    this.#kept = this.size;
  }
}
