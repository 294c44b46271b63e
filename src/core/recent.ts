/** How many records back a place is recognised while a walk runs: more than a page moves in one request's time. */
export const kept = 2048;

/** How many of them travel in a checkpoint, which is to stay at a few hundred bytes. */
const keptInCheckpoint = 32;

/** A 53-bit fingerprint of a text: two are the same by chance once in 10^15. */
export function fingerprint(text: string): number {
  let high = 1;
  let low = 2;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x85ebca6b);
    high ^= low >>> 15;
    low ^= high >>> 13;
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/** The records handed out last, in order, by their fingerprints: what shows where in a changing list a walk stands. */
export class Recent {
  readonly #turns = new Map<number, number>();
  #turn = 0;

  constructor(tail = '') {
    for (const text of tail.split(' ')) if (text) this.#add(Number.parseInt(text, 36));
  }

  /** When this record was handed out, counted from 1; 0 when it is not among the last ones. */
  turn(id: string): number {
    return this.#turns.get(fingerprint(id)) ?? 0;
  }

  add(id: string): void {
    this.#add(fingerprint(id));
  }

  /** The last ones, as text that the constructor takes. */
  tail(): string {
    return [...this.#turns.keys()]
      .slice(-keptInCheckpoint)
      .map(print => print.toString(36))
      .join(' ');
  }

  #add(print: number): void {
    this.#turns.set(print, ++this.#turn);
    if (this.#turns.size > kept) this.#turns.delete(this.#turns.keys().next().value as number);
  }
}
