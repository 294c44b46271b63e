import { hash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { UsageError } from '../command-line.ts';
import { unprotect, visible } from '../csv.ts';
import { leftOutColumn } from '../fields.ts';
import { InputFile } from '../input-file.ts';
import { addressesBetween, addressesIn, addressIn, apostrophes } from './addresses.ts';
import type { RowStatuses } from './row-statuses.ts';

/** Digits of a hash: as a number, it takes eight bytes of memory. Of a million addresses, two hardly share one. */
const hashDigits = 12;

/** Returns a number for an address in lower case. */
export function personOf(address: string): number {
  const plain = isAscii.test(address) ? address : address.replace(apostrophes, "'");
  const start = plain.lastIndexOf('@') + 1;
  // A host in Unicode has another form, which other programs write.
  const host = isAscii.test(plain) ? '' : domainToASCII(plain.slice(start));
  const text = host === '' ? plain : plain.slice(0, start) + host;
  return Number.parseInt(hash('sha256', text).slice(0, hashDigits), 16);
}

const isAscii = /^[\0-\x7f]*$/;

/** Returns the people in a cell: first the one who would be sent, then all whose addresses are in it. */
export const peopleIn = (cell: string): number[] =>
  cell === ''
    ? []
    : [...new Set([addressIn(unprotect(cell)).toLowerCase(), ...addressesIn(cell)])].map(personOf);

/** What no text contains. Some programs put a vertical tab, a form feed or the end of DOS (`\x1a`) into one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for.
const binary = /[\x01-\x08\x0e-\x19\x1c-\x1f]|^%PDF-/;

/** What may mean people whom nobody can read: a part of an address, or a domain alone. */
const unreadable = /[@*\uff20]|^["'\s]*(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}["'\s,;]*$/u;

/**
 * Returns the people in a file of addresses that an option names, whatever else it contains, and the number of other lines
 * with text.
 * @throws UsageError if a line may mean people whom nobody can read, such as `@company.test`. With `isLogged`, it does not
 * show the line.
 */
export async function readPeople(
  flag: string,
  path: string,
  signal: AbortSignal,
  isLogged = false,
): Promise<{ readonly people: ReadonlySet<number>; readonly others: number }> {
  const people = new Set<number>();
  await using file = await InputFile.open(path);
  const { mark, isUtf8 } = await file.inspect(signal, `pass that file to ${flag}`);
  const decoder = new TextDecoder(mark ?? (isUtf8 ? 'utf-8' : 'windows-1252'));
  const refuse = (reason: string) => new UsageError(`${flag} ${path}: ${reason}`, 'file');
  let [rest, count, others] = ['', 0, 0];
  let isLeftOut = false;
  const add = (line: string) => {
    count += 1;
    isLeftOut ||= count === 1 && line.startsWith(leftOutColumn);
    // What we wrote is read as the rows were: other columns may hold what nobody can read.
    const { addresses, isWhole } = isLeftOut
      ? { addresses: addressesIn(line), isWhole: true }
      : addressesBetween(line);
    for (const address of addresses) people.add(personOf(address));
    if (isWhole && (addresses.length > 0 || visible(line) === '')) return;
    others += 1;
    const shown = isLogged ? '' : `, ${JSON.stringify(line.slice(0, maxShown))}`;
    if (!isWhole || (!isLeftOut && unreadable.test(line)))
      throw refuse(
        `no email address can be read in line ${count}${shown}: write the addresses of the people whom the line means, or remove the line`,
      );
  };
  for await (const chunk of file.chunks(signal)) {
    // Without a mark, UTF-16 reads as other encodings with zeros between the characters.
    const text = decoder.decode(chunk, { stream: true }).replaceAll('\0', '');
    if (binary.test(text)) throw refuse('this file is no text; save it as "CSV UTF-8"');
    const lines = (rest + text).split(/\r?\n|\r(?!\n|$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) add(line);
  }
  add(rest);
  if (people.size === 0) throw refuse('there is no email address in this file');
  return { people, others };
}

const maxShown = 60;

/** Finds all rows of a person: one row that may not be mailed decides for the others, as nobody knows which one is right. */
export class PeopleOfRows {
  readonly #people: number[] = [];
  readonly #rows: number[] = [];
  /** People with a row that says no, or that cannot be read and may say so. */
  readonly #out = new Set<number>();

  add(index: number, people: readonly number[], isOut: boolean): void {
    for (const person of people) {
      this.#people.push(person);
      this.#rows.push(index);
      if (isOut) this.#out.add(person);
    }
  }

  /** Yields each row with the person who would be sent, and then with all others in it. */
  *entries(): Generator<readonly [index: number, person: number, isFirst: boolean], void, undefined> {
    for (const [at, index] of this.#rows.entries())
      yield [index, this.#people[at] ?? 0, this.#rows[at - 1] !== index];
  }

  /** Returns the number of different people of some rows. */
  count(isWanted: (index: number) => boolean = () => true): number {
    const wanted: number[] = [];
    for (const [index, person, isFirst] of this.entries())
      if (isFirst && isWanted(index)) wanted.push(person);
    // A set takes ten times as much memory.
    const sorted = Float64Array.from(wanted).sort();
    return sorted.filter((person, at) => person !== sorted[at - 1]).length;
  }

  /** Sets the statuses of all rows whose people may not be mailed. */
  decide(statuses: RowStatuses, wasSent: (person: number) => boolean): void {
    for (const [index, person] of this.entries())
      if (this.#out.has(person) && statuses.get(index) === 'pending')
        statuses.set(index, 'left-out', 'address has another row that may not be mailed, or cannot be read');
    for (const [index, person] of this.entries())
      if (statuses.get(index) === 'left-out' && wasSent(person))
        statuses.set(
          index,
          'left-since',
          `sent by an earlier import: only the service can unsubscribe this person; ${statuses.reason(index)}`,
        );
  }
}
