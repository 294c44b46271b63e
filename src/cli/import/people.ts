import { hash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { UsageError } from '../command-line.ts';
import { unprotect } from '../csv.ts';
import { InputFile } from '../input-file.ts';
import { addressesIn, addressIn } from './addresses.ts';
import type { RowStatuses } from './row-statuses.ts';

/** Digits of a hash: as a number, it takes eight bytes of memory. Of a million addresses, two hardly share one. */
const hashDigits = 12;

/** Returns a number for an address in lower case. */
export function personOf(address: string): number {
  const start = address.lastIndexOf('@') + 1;
  // A host in Unicode has another form, which other programs write.
  const host = isAscii.test(address) ? '' : domainToASCII(address.slice(start));
  const text = host === '' ? address : address.slice(0, start) + host;
  return Number.parseInt(hash('sha256', text).slice(0, hashDigits), 16);
}

const isAscii = /^[\0-\x7f]*$/;

/** Returns the people in a cell: the one who would be sent, and all whose addresses are in it. */
export const peopleIn = (cell: string): number[] =>
  cell === ''
    ? []
    : [...new Set([addressIn(unprotect(cell)).toLowerCase(), ...addressesIn(cell)])].map(personOf);

export type People = ReadonlySet<number>;

/** Returns the people in a file of addresses, whatever else it contains. */
export async function readPeople(path: string, signal: AbortSignal): Promise<People> {
  const people = new Set<number>();
  await using file = await InputFile.open(path);
  const { mark, isUtf8 } = await file.inspect(signal, 'pass that file to --except');
  const decoder = new TextDecoder(mark ?? (isUtf8 ? 'utf-8' : 'windows-1252'));
  let rest = '';
  for await (const chunk of file.chunks(signal)) {
    // Without a mark, UTF-16 reads as other encodings with zeros between the characters.
    const text = decoder.decode(chunk, { stream: true }).replaceAll('\0', '');
    const lines = (rest + text).split(/[\r\n]/);
    rest = lines.pop() ?? '';
    for (const line of lines) for (const address of addressesIn(line)) people.add(personOf(address));
  }
  for (const address of addressesIn(rest)) people.add(personOf(address));
  if (people.size > 0) return people;
  throw new UsageError(`--except ${path}: there is no email address in this file`, 'file');
}

/** Finds all rows of a person: one row that may not be mailed decides for the others, as nobody knows which one is right. */
export class PeopleOfRows {
  readonly #people: number[] = [];
  readonly #rows: number[] = [];
  readonly #out = new Set<number>();
  /** People with a row that cannot be read, and that may say no. */
  readonly #unread = new Set<number>();

  add(index: number, people: readonly number[], kind: 'out' | 'unread' | undefined): void {
    for (const person of people) {
      this.#people.push(person);
      this.#rows.push(index);
      if (kind === 'out') this.#out.add(person);
      if (kind === 'unread') this.#unread.add(person);
    }
  }

  /** Sets the statuses of all rows whose people may not be mailed. `sent` are people whom an earlier import sent. */
  decide(statuses: RowStatuses, sent: People): void {
    for (const [at, index] of this.#rows.entries()) {
      const person = this.#people[at] ?? 0;
      const status = statuses.get(index);
      if (this.#out.has(person) && status !== 'not-mailed')
        statuses.set(index, 'not-mailed', 'not mailable by another row of this address');
      else if (this.#unread.has(person) && status === 'pending')
        statuses.set(index, 'not-mailed', 'another row of this address cannot be read, and may say no');
    }
    for (const [at, index] of this.#rows.entries())
      if (statuses.get(index) === 'not-mailed' && sent.has(this.#people[at] ?? 0))
        statuses.set(
          index,
          'left-since',
          `sent by an earlier import: only the service can unsubscribe this person; ${statuses.reason(index)}`,
        );
  }
}
