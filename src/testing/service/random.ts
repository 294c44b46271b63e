const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** All pairs of letters, so that an id takes half the steps. */
const pairs = [...alphabet].flatMap(first => [...alphabet].map(second => first + second));

/** A source of numbers that looks random and is the same on every run. */
export class Random {
  readonly #seed: number;
  #state = 0;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.restart();
  }

  /** Starts the same numbers again. */
  restart(): void {
    this.#state = this.#seed;
  }

  /** The next number, from 0 up to and without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to and without `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** An identifier: a prefix and 22 letters or digits. */
  id(prefix: string): string {
    let id = prefix;
    for (let pair = 0; pair < 11; pair++) id += pairs[this.below(pairs.length)];
    return id;
  }
}
