import { invalidRequest } from '../core/invalid-request.ts';
import { EmailMarketingError } from '../errors.ts';
import { checkConcurrency } from './check-concurrency.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type LoadPage, PageFetcher } from './page-fetcher.ts';
import { PageMerger } from './page-merger.ts';
import { fingerprint, RecentRecords } from './recent-records.ts';

/** Options of a walk over every record. */
export interface PaginatorOptions {
  /**
   * Records to ask for in one request. The service may give fewer; the walk goes by what comes.
   * @defaultValue the most that the service's specification names, and less where the service refuses that
   */
  readonly pageSize?: number | undefined;
  /**
   * Pages in flight ahead of the one whose records are being handed out, from 1. Records come in order all the same:
   * half as many pages again may have come and wait for one that is late. A walk starts with one, and goes up to this
   * number while full pages come.
   * @defaultValue 1
   */
  readonly concurrency?: number | undefined;
  /** Where an earlier walk stood: this one goes on right after the last record that it handed out. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Ends the walk, and all that it has in flight, and rejects with the signal's own `reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a {@link Paginator} gets its records. */
export interface PaginatorSource<T> {
  /** Name of the operation that loads a page, such as `contacts.list`. */
  readonly operation: string;
  /** Selects the records; a checkpoint belongs to one filter. */
  readonly filter: object | undefined;
  /** Page sizes, largest first; the next is used when the service refuses one. */
  readonly pageSizes: readonly [number, ...number[]];
  /**
   * Loads one page: `(page, callOptions) => this.list({ ...filter, ...page }, callOptions)`. `page` is
   * `{ offset, limit }`; `callOptions` are the options that are not the paginator's own, with a `signal` that aborts
   * when the page is no longer wanted.
   */
  readonly load: LoadPage<T>;
}

/**
 * A walk over every record of a listing: `for await (const record of walk)`, by pages, or into an array.
 *
 * Each record that is there throughout comes exactly once, whatever the size of the service's pages, and although
 * others are deleted or added meanwhile, by yourself in the loop as well. Leaving the loop cancels what is in flight.
 * A loop started later on the same walk goes on where the last one stopped; run one loop at a time.
 *
 * Errors are those of one call, each with a `checkpoint`, and {@link InvalidResponseError} when the service answers
 * the same records whatever the `offset`.
 */
export class Paginator<T extends { readonly id: string }> implements AsyncIterable<T> {
  /** Tells a checkpoint of this walk from others, without showing the filter. */
  readonly #name: string;
  readonly #concurrency: number;
  readonly #signal: AbortSignal | undefined;
  readonly #reader: PageFetcher<T>;
  readonly #recent: RecentRecords;
  readonly #joiner: PageMerger<T>;

  /** @internal */
  constructor(
    { operation, filter = {}, pageSizes, load }: PaginatorSource<T>,
    options: PaginatorOptions = {},
  ) {
    const { checkpoint, concurrency = 1, pageSize = pageSizes[0], signal, ...callOptions } = options;
    this.#name = `${operation} ${fingerprint(JSON.stringify(filter, Object.keys(filter).sort()))}`;
    if (checkpoint && checkpoint.source !== this.#name)
      throw invalidRequest(operation, [
        { path: 'checkpoint', expected: 'of a walk over the same records', received: 'another' },
      ]);
    this.#concurrency = checkConcurrency(operation, concurrency);
    this.#signal = signal;
    this.#reader = new PageFetcher(
      (page, { signal }) => load(page, { ...callOptions, signal }),
      [pageSize, ...pageSizes],
    );
    this.#recent = new RecentRecords(checkpoint?.tail);
    this.#joiner = new PageMerger(operation, this.#reader, this.#recent, checkpoint?.offset ?? 0);
  }

  /** Where the walk stands: right after the last record handed out. */
  get checkpoint(): Checkpoint {
    return { source: this.#name, offset: this.#joiner.offset, tail: this.#recent.tail() };
  }

  /** Goes over every record, from where the walk stands. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    // Not `yield*`, which costs half as much again.
    for await (const records of this.#batches()) for (const record of records) yield record;
  }

  /** The records in arrays as they come, a request's worth or less each, never empty. */
  async *pages(): AsyncGenerator<T[], void, undefined> {
    for await (const records of this.#batches()) yield [...records];
  }

  /** The records in one array, `max` at most (default: all of them, however much memory that takes). */
  async toArray(options: { readonly max?: number | undefined } = {}): Promise<T[]> {
    const { max = Number.POSITIVE_INFINITY } = options;
    const records: T[] = [];
    if (max > 0)
      for await (const record of this) {
        records.push(record);
        if (records.length >= max) break;
      }
    return records;
  }

  async *#batches(): AsyncGenerator<Iterable<T>, void> {
    const signal = this.#signal;
    const stop = () => this.#reader.cancel(signal?.reason);
    signal?.addEventListener('abort', stop);
    try {
      signal?.throwIfAborted();
      yield* this.#joiner.batches(this.#concurrency, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (EmailMarketingError.isInstance(error)) error.checkpoint = this.checkpoint;
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#reader.cancel();
    }
  }
}
