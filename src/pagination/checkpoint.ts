import type { Page } from './page-loader.ts';

/** Number of hashes in a checkpoint: 2.2 kB of text, for more records than a page of contacts contains. */
const maxHashes = 200;

/** Length of so many hashes, in characters. */
export const tailLength = maxHashes * 11;

/** Hashes of no record, which show that not all that was yielded is remembered. */
const noRecords = '0'.repeat(tailLength);

/** Returns a 55-bit hash of a text. Numbers of at most 30 bits convert to text ten times as fast as larger ones. */
export function hash(text: string): string {
  let high = 1;
  let low = 2;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x85ebca6b);
    high ^= low >>> 15;
    low ^= high >>> 13;
  }
  return (high >>> 2).toString(36).padStart(6, '0') + (low >>> 7).toString(36).padStart(5, '0');
}

/** Returns what identifies a listing and filter in checkpoints. Does not reveal the search text. */
export function sourceName(operation: string, filter: object): string {
  const texts = Object.entries(filter).filter(([, value]) => typeof value === 'string');
  return hash([operation, ...texts.sort()].join('\n'));
}

/** The version of the format, the source, the offset and the hashes. Every 1.x of this library reads version 1. */
const format = /^1\.([0-9a-z]{11})\.(\d{1,15})\.((?:[0-9a-z]{11}){0,200})$/;

/** `offset` is the position after the last yielded record, `tail` the hashes by which it is found again, oldest first. */
const writeCheckpoint = (source: string, offset: number, tail: string): string =>
  `1.${source}.${offset}.${tail}`;

/** Returns offset and hashes of a checkpoint of this source; `undefined` for any other value, which may come from anywhere. */
export function readCheckpoint(value: unknown, source: string): [offset: number, tail: string] | undefined {
  const [, found, offset, tail = ''] = format.exec(typeof value === 'string' ? value : '') ?? [];
  return found === source ? [Number(offset), tail] : undefined;
}

type Identified = { readonly id: string };

/** Where a loop is: after the last record that was yielded. */
export class Position {
  readonly #source: string;
  #offset = 0;
  /** Hashes of the records that were yielded last, oldest first. */
  #tail = '';
  /** Ids of records that were yielded after those. Hashing an id takes longer than the rest of an iteration. */
  #unhashed: string[] = [];
  /** Records that are being yielded, how many of them were, and of how many of these note was taken. */
  #records: readonly Identified[] = [];
  #yielded = 0;
  #noted = 0;
  /** Their page, if they follow what was yielded before. */
  #page: Page<Identified> | undefined;

  readonly #isResumed: boolean;

  constructor(source: string, checkpoint: string | undefined) {
    this.#source = source;
    const [offset, tail] = readCheckpoint(checkpoint, source) ?? [0, ''];
    this.#offset = offset;
    this.#tail = tail;
    this.#isResumed = tail !== '';
  }

  get offset(): number {
    this.#note();
    return this.#offset;
  }

  /** Hashes of recently yielded records, oldest first. Hashes each record once at most. */
  get tail(): string {
    this.#note();
    this.#tail = (this.#tail + this.#unhashed.map(hash).join('')).slice(-tailLength);
    this.#unhashed = [];
    return this.#tail;
  }

  get checkpoint(): string {
    return writeCheckpoint(this.#source, this.offset, this.tail);
  }

  /** Begins to yield records, of a page that is ahead, or from anywhere else. */
  begin(records: readonly Identified[], page: Page<Identified> | undefined): void {
    this.#note();
    this.#records = records;
    this.#page = page;
    this.#yielded = 0;
    this.#noted = 0;
  }

  /** Takes note that one more of the records is yielded. */
  advance(): void {
    this.#yielded += 1;
  }

  #note(): void {
    if (this.#noted === this.#yielded) return;
    const yielded = this.#records.slice(this.#noted, this.#yielded);
    this.#noted = this.#yielded;
    const ids = yielded.map(({ id }) => `${id}`);
    if (this.#page) {
      this.#offset = this.#page.offset + this.#page.records.indexOf(yielded.at(-1) as Identified) + 1;
      this.#unhashed = [...this.#unhashed, ...ids].slice(-maxHashes);
    } else {
      // Those from elsewhere take no place of one at the position, where the search starts.
      const before = this.#isResumed ? noRecords : ids.map(hash).join('');
      this.#tail = (before + this.#tail).slice(-tailLength);
    }
  }
}
