const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** All pairs of characters, so that making an id takes half the steps. */
const pairs = [...alphabet].flatMap(first => [...alphabet].map(second => first + second));

const seed = 1;

/** Seeded random number generator: the same numbers on every run. */
export class Random {
  #state = seed;

  /** Repeats the sequence from its start while `draw` runs. Afterwards, continues where the sequence had stopped. */
  replay(draw: () => void): void {
    const reached = this.#state;
    this.#state = seed;
    draw();
    if (reached !== seed) this.#state = reached;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Returns an id: a prefix and 22 letters or digits. */
  id(prefix: string): string {
    let id = prefix;
    for (let pair = 0; pair < 11; pair++) id += pairs[this.below(pairs.length)];
    return id;
  }
}
