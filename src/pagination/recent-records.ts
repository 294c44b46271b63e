/** So many records back, and up to twice as many, a place is recognised while a walk runs: far more than one moves. */
const kept = 2048;

/** How many of them travel in a checkpoint, which is to stay at a few hundred bytes. */
const keptInCheckpoint = 32;

/** A 53-bit fingerprint of a text, as text: two are the same by chance once in 10^15. */
export function fingerprint(text: string): string {
  let high = 1;
  let low = 2;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x85ebca6b);
    high ^= low >>> 15;
    low ^= high >>> 13;
  }
  return ((high >>> 11) * 2 ** 32 + (low >>> 0)).toString(36);
}

/** The records handed out last, in order: what shows where in a changing list a walk stands. */
export class RecentRecords {
  /** In two parts, the elder of which goes as a whole: a map that loses its first entries one by one gets slow. */
  #elder = new Map<string, number>();
  #turns = new Map<string, number>();
  /** Those that a checkpoint told of, by fingerprint, until enough others have come. */
  readonly #resumed = new Map<string, number>();
  #turn = 0;

  constructor(tail = '') {
    for (const print of tail.split(' ')) if (print) this.#resumed.set(print, ++this.#turn);
  }

  /** The turn of the record handed out last; 0 before any. */
  get latest(): number {
    return this.#turn;
  }

  /** When this record was handed out, counted from 1; 0 when it is not among the last ones. */
  turn(id: string): number {
    const resumed = this.#resumed.size > 0 ? this.#resumed.get(fingerprint(id)) : 0;
    return this.#turns.get(id) ?? this.#elder.get(id) ?? resumed ?? 0;
  }

  add(id: string): void {
    this.#turns.set(id, ++this.#turn);
    if (this.#turns.size < kept) return;
    this.#elder = this.#turns;
    this.#turns = new Map();
    this.#resumed.clear();
  }

  /** The last ones, as text that the constructor takes. */
  tail(): string {
    const own = [...this.#elder.keys(), ...this.#turns.keys()].slice(-keptInCheckpoint).map(fingerprint);
    return [...this.#resumed.keys(), ...own].slice(-keptInCheckpoint).join(' ');
  }
}
