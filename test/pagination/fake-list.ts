// A listing in memory.
import { type ApiError, BadRequestError } from '../../src/errors.ts';
import type { LoadPage } from '../../src/pagination/page-loader.ts';
import type { PaginatorOptions } from '../../src/pagination/paginator-options.ts';
import { RecordPaginator } from '../../src/pagination/record-paginator.ts';

export interface Item {
  readonly id: string;
}

export const item = (name: string | number): Item => ({ id: `contact_${String(name).padStart(22, '0')}` });

export const items = (count: number, from = 0): Item[] =>
  Array.from({ length: count }, (_, index) => item(from + index));

/** A listing in memory that tests can change between requests. It returns at most `cap` records per response. */
export class FakeList<Entry extends Item = Item> {
  records: Entry[];
  requests = 0;
  inFlight = 0;
  mostInFlight = 0;
  readonly asked: { offset: number; limit: number }[] = [];
  readonly #cap: number;
  /** The largest `limit` that is not rejected. */
  mostAllowed = Number.POSITIVE_INFINITY;
  /** Error for an offset past the last record. */
  refusesOffset: (() => ApiError) | undefined;
  /** Runs right before each response is made. */
  onRequest: (request: number) => void | Promise<void> = () => {};

  constructor(records: Entry[], cap: number) {
    this.records = records;
    this.#cap = cap;
  }

  readonly load: LoadPage<Entry> = async ({ offset, limit }, { signal }) => {
    this.requests += 1;
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    this.asked.push({ offset, limit });
    try {
      await this.onRequest(this.requests);
      if (limit > this.mostAllowed) throw refusal(BadRequestError, 400);
      if (this.refusesOffset && offset > 0 && offset >= this.records.length) throw this.refusesOffset();
      const page = this.cut(this.records.slice(offset, offset + Math.min(limit, this.#cap)));
      signal.throwIfAborted();
      return page;
    } finally {
      this.inFlight -= 1;
    }
  };

  paginate(options: PaginatorOptions = {}): RecordPaginator<Entry> {
    const source = { resource: 'contacts', filter: {}, pageSizes: [100, 30], load: this.load } as const;
    return new RecordPaginator<Entry>(source, options);
  }

  /** Returns the part of a page that a service sends. */
  protected cut(page: Entry[]): Entry[] {
    return page;
  }

  delete(id: string): void {
    this.records = this.records.filter(record => record.id !== id);
  }
}

/** Parts of the text of a checkpoint: version, source, offset and hashes. */
export function partsOf(checkpoint: string) {
  const [version, source, offset, tail = ''] = checkpoint.split('.');
  return { version, source, offset: Number(offset), tail };
}

/** Returns a checkpoint with some parts replaced. */
export function changed(checkpoint: string, change: object): string {
  return Object.values({ ...partsOf(checkpoint), ...change }).join('.');
}

/** Iterates to the end, and adds each record to `seen`, where those are that came before an error. */
export async function readInto(seen: Item[], records: AsyncIterable<Item>): Promise<void> {
  for await (const record of records) seen.push(record);
}

/** Runs everything that is ready to run. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise(resolve => setImmediate(resolve));
}

export const ids = (records: readonly Item[]): string[] => records.map(({ id }) => id);

/** An error by which a service rejects a request. */
export const refusal = (make: typeof ApiError, status: number, body: unknown = {}): ApiError =>
  new make('no', {
    body,
    response: { status, headers: new Headers() },
    operation: 'contacts.list',
    outcome: 'refused',
  });
