import { hash } from 'node:crypto';
import { unprotect } from '../csv.ts';

/** Digits of a hash: as a number, it takes eight bytes of memory. Of a million addresses, two hardly share one. */
const hashDigits = 12;

const hashOf = (address: string): number =>
  Number.parseInt(hash('sha256', address.toLowerCase()).slice(0, hashDigits), 16);

/** Returns the addresses in a text, which may have spaces, names, `mailto:` or other addresses around them. */
const addressesIn = (text: string): string[] =>
  unprotect(text)
    .replace(/\p{Cf}/gu, '')
    .split(/[\s<>()[\]",;:|]+/)
    .filter(part => part.includes('@'))
    // Outlook writes 'ada@example.com', and a sentence ends with a full stop.
    .map(part => part.replace(/^'|'?\.?'?$/g, ''));

/** Finds the other rows of people who opted out in one row, or may have in one that cannot be read. */
export class OptedOutPeople {
  readonly #columns: readonly number[];
  /** Hash of each address, and the number of its row. */
  readonly #hashes: number[] = [];
  readonly #rows: number[] = [];
  readonly #people = { 'opted-out': new Set<number>(), unread: new Set<number>() };
  #count = 0;

  constructor(columns: readonly { readonly field?: string }[]) {
    this.#columns = columns.flatMap(({ field }, index) =>
      field === 'email' || field === 'newEmail' ? index : [],
    );
  }

  /** Adds the next row. In one that is `unread`, an address can be anywhere. */
  add(cells: readonly string[], kind?: 'opted-out' | 'unread'): void {
    const texts = kind === 'unread' ? cells : this.#columns.map(index => cells[index] ?? '');
    for (const address of texts.flatMap(addressesIn)) {
      const person = hashOf(address);
      this.#hashes.push(person);
      this.#rows.push(this.#count);
      if (kind !== undefined) this.#people[kind].add(person);
    }
    this.#count += 1;
  }

  /** Returns the rows with an address of a person who opted out, or who has a row that cannot be read. */
  *rows(kind: 'opted-out' | 'unread'): Generator<number, void, undefined> {
    const people = this.#people[kind];
    if (people.size === 0) return;
    for (const [at, person] of this.#hashes.entries()) if (people.has(person)) yield this.#rows[at] ?? 0;
  }
}
