import type { Identified, Page } from './page-loader.ts';

/** Number of hashes in a checkpoint: 2.2 kB of text, for more records than a page of contacts contains. */
const maxHashes = 200;

/** Length of these hashes, in characters. */
export const tailLength = maxHashes * 11;

/** Returns a 55-bit hash of text. Numbers of at most 30 bits convert to text ten times as fast as larger ones. */
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

/** Returns the id of a listing and filter in checkpoints. It does not reveal the search text. */
export function sourceName({
  resource,
  filter = {},
}: {
  resource: string;
  filter?: object | undefined;
}): string {
  const texts = Object.entries(filter).filter(([, value]) => typeof value === 'string');
  return hash([`${resource}.list`, ...texts.sort()].join('\n'));
}

/** The version of the format, the source, the offset and the hashes. Every 1.x of this library reads version 1. */
const format = /^1\.([0-9a-z]{11})\.(\d{1,15})\.((?:[0-9a-z]{11}){0,200})$/;

/** Returns the offset and hashes of a checkpoint of this source; `undefined` for any other value, which may be untrusted. */
export function readCheckpoint(value: unknown, source: string): [offset: number, tail: string] | undefined {
  const [, found, offset, tail = ''] = format.exec(typeof value === 'string' ? value : '') ?? [];
  return found === source ? [Number(offset), tail] : undefined;
}

/** Where a loop is: after the last record that was yielded. */
export class Position {
  readonly #source: string;
  #offset: number;
  /** Hashes of the records that were yielded last, oldest first. */
  #tail: string;
  /** Ids of records that were yielded after those. Hashing an id takes longer than the rest of an iteration. */
  #unhashed: string[] = [];
  /** Records that are being yielded, and how many of them are not yet noted. */
  #records: readonly Identified[] = [];
  #yielded = 0;
  /** Their page, if they follow what was yielded before. */
  #page: Page<Identified> | undefined;

  constructor(source: string, checkpoint: string | undefined) {
    this.#source = source;
    [this.#offset, this.#tail] = readCheckpoint(checkpoint, source) ?? [0, ''];
  }

  /** Offset after the last yielded record. */
  get offset(): number {
    this.#note();
    return this.#offset;
  }

  /** Hashes of recently yielded records, oldest first. Hashes each record at most once. */
  get tail(): string {
    this.#note();
    this.#tail = (this.#tail + this.#unhashed.map(hash).join('')).slice(-tailLength);
    this.#unhashed = [];
    return this.#tail;
  }

  get checkpoint(): string {
    return `1.${this.#source}.${this.offset}.${this.tail}`;
  }

  /** Begins to yield records, of a page that follows the position, or from elsewhere. */
  begin(records: readonly Identified[], page: Page<Identified> | undefined): void {
    this.#note();
    this.#records = records;
    this.#page = page;
  }

  /** Notes that more of the records were yielded. */
  advance(count = 1): void {
    this.#yielded += count;
  }

  #note(): void {
    const yielded = this.#records.slice(0, this.#yielded);
    this.#records = this.#records.slice(this.#yielded);
    this.#yielded = 0;
    if (yielded.length === 0) return;
    const ids = yielded.map(({ id }) => `${id}`);
    if (this.#page) {
      this.#offset = this.#page.offset + this.#page.records.indexOf(yielded.at(-1) as Identified) + 1;
      this.#unhashed = [...this.#unhashed, ...ids].slice(-maxHashes);
    } else {
      // Records from elsewhere do not displace those at the position, where the search starts.
      this.#tail = (ids.map(hash).join('') + this.#tail).slice(-tailLength);
    }
  }
}
