import { hash, hashLength, maxHashes } from './checkpoint.ts';

/** Records that are remembered: this many at least once so many were yielded, and twice as many at most. */
const remembered = 4096;

/** The records yielded last. */
export class YieldedRecords {
  /** Sequence numbers, from 1, by ids; those of a checkpoint by hashes. */
  #numbers = new Map<string, number>();
  /** Number of the oldest ones that are not forgotten: those yielded before the iteration started over. */
  #kept = 0;
  /** Records were yielded that are not among these, and may still be in the list. */
  #hasForgotten = false;
  #holdsHashes = false;
  /** Hashes of the records yielded last, and the ids that follow them. */
  #tail = '';
  #unhashed: string[] = [];
  /** Sequence number of the last yielded record; 0 for none. */
  latest = 0;

  /** Number of the records that are remembered. */
  get size(): number {
    return this.#numbers.size;
  }

  /** No record that was yielded can be taken for a new one, also if the iteration starts over now. */
  get isComplete(): boolean {
    return !this.#hasForgotten && this.size < 2 * remembered;
  }

  /** Hashes of the records yielded last, oldest first, for a checkpoint. Few are made if it is read often. */
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

  /** Adds a record that is yielded now. */
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

  /** Remembers the records of a checkpoint, and no others. */
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

  /** Keeps all of them, as the iteration starts over and comes to them again. */
  keep(): void {
    this.#kept = this.size;
  }
}
