import type { Checkpoint } from '../errors.ts';
import { extendTail, hash, hashesOf, maxHashes } from './checkpoint.ts';

/** Records that are remembered: this many at least once so many were yielded, and twice as many at most. */
const remembered = 4096;

/** Sequence numbers, from 1, of the records yielded last, by their ids. */
export class YieldedRecords {
  #recent = new Map<string, number>();
  /** Those yielded before the recent ones; the hashes of a checkpoint in place of the ids. */
  #older = new Map<string, number>();
  /** Those that are not forgotten: they were yielded before the iteration started over. */
  #kept = new Map<string, number>();
  #holdsHashes = false;
  /** Hashes of the records yielded last, and the ids that follow them. */
  #tail = '';
  #unhashed: string[] = [];
  /** Sequence number of the last yielded record; 0 for none. */
  latest = 0;
  /** Records were yielded that are not among these, and may still be in the list. */
  hasForgotten = false;

  /** Number of the records that are remembered. */
  get size(): number {
    return this.#recent.size + this.#older.size + this.#kept.size;
  }

  /** So many are remembered that starting over needs them to be forgotten. */
  get isFull(): boolean {
    return this.size >= 2 * remembered;
  }

  /** Hashes of the records yielded last, for a checkpoint. */
  get tail(): string {
    this.#tail = extendTail(this.#tail, this.#unhashed.slice(-maxHashes));
    this.#unhashed = [];
    return this.#tail;
  }

  /** Returns the sequence number of a record, or `undefined` for a new one. */
  numberOf(id: string): number | undefined {
    const number = this.#recent.get(id) ?? this.#older.get(id) ?? this.#kept.get(id);
    if (number !== undefined || !this.#holdsHashes) return number;
    const hashed = hash(id);
    return this.#older.get(hashed) ?? this.#kept.get(hashed);
  }

  /** Adds a record that is yielded now. */
  add(id: string): void {
    this.#recent.set(id, ++this.latest);
    this.#unhashed.push(id);
    if (this.#unhashed.length > 10 * maxHashes) this.#unhashed = this.#unhashed.slice(-maxHashes);
    if (this.#recent.size < remembered) return;
    this.hasForgotten ||= this.#older.size > 0;
    this.#holdsHashes &&= this.#kept.size > 0;
    this.#older = this.#recent;
    this.#recent = new Map();
  }

  /** Remembers those of a checkpoint, and no others. */
  restore(checkpoint: Checkpoint): void {
    const hashes = hashesOf(checkpoint);
    this.clear();
    this.#older = new Map(hashes.map((hashed, index) => [hashed, index + 1]));
    this.#holdsHashes = hashes.length > 0;
    this.#tail = checkpoint.tail;
    this.#unhashed = [];
    this.latest = hashes.length;
    this.hasForgotten = hashes.length >= maxHashes;
  }

  /** Keeps all of them, as the iteration starts over and comes to them again. */
  keep(): void {
    for (const [id, number] of [...this.#older, ...this.#recent]) this.#kept.set(id, number);
    this.#older = new Map();
    this.#recent = new Map();
  }

  /** Forgets all of them. */
  clear(): void {
    this.#recent = new Map();
    this.#older = new Map();
    this.#kept = new Map();
    this.#holdsHashes = false;
    this.hasForgotten = false;
  }
}
