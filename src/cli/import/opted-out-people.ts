import { hash } from 'node:crypto';
import { addressIn } from './mapping.ts';

/** Digits of a hash: as a number, it takes eight bytes of memory. Of a million addresses, two hardly share one. */
const hashDigits = 12;

const hashOf = (address: string): number =>
  Number.parseInt(hash('sha256', address.toLowerCase()).slice(0, hashDigits), 16);

/** Finds the other rows of people who opted out in one row. */
export class OptedOutPeople {
  readonly #columns: readonly number[];
  /** Hashes of the addresses of each row, one after the other; `NaN` for none. */
  readonly #hashes: number[] = [];
  readonly #optedOut = new Set<number>();

  constructor(columns: readonly { readonly field?: string }[]) {
    this.#columns = columns.flatMap(({ field }, index) =>
      field === 'email' || field === 'newEmail' ? index : [],
    );
  }

  /** Adds the next row. */
  add(cells: readonly string[], hasOptedOut: boolean): void {
    for (const index of this.#columns) {
      const address = addressIn(cells[index] ?? '');
      const person = address === '' ? Number.NaN : hashOf(address);
      this.#hashes.push(person);
      if (hasOptedOut && address !== '') this.#optedOut.add(person);
    }
  }

  /** Returns the rows with an address of a person who opted out. */
  *rows(): Generator<number, void, undefined> {
    if (this.#optedOut.size === 0) return;
    for (const [at, person] of this.#hashes.entries())
      if (this.#optedOut.has(person)) yield Math.floor(at / this.#columns.length);
  }
}
