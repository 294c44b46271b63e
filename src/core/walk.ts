import type { Checkpoint } from '../checkpoint.ts';
import { EmailMarketingError } from '../errors.ts';
import { checkConcurrency } from './check-concurrency.ts';
import { invalidRequest } from './invalid-request.ts';
import { PageJoiner } from './page-joiner.ts';
import { type LoadPage, PageReader } from './page-reader.ts';
import { fingerprint, Recent } from './recent.ts';

/** Options of a walk over every record. */
export interface WalkOptions {
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

/** What a walk walks over. */
export interface WalkSource<T> {
  /** The operation that reads a page, such as `contacts.list`. */
  readonly operation: string;
  /** Which records are meant; a checkpoint belongs to one such filter. */
  readonly filter: object | undefined;
  /** The sizes of page to try, largest first: the next is tried when the service refuses one. */
  readonly pageSizes: readonly [number, ...number[]];
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
export class Walk<T extends { readonly id: string }> implements AsyncIterable<T> {
  /** Tells a checkpoint of this walk from others, without showing the filter. */
  readonly #name: string;
  readonly #concurrency: number;
  readonly #signal: AbortSignal | undefined;
  readonly #reader: PageReader<T>;
  readonly #recent: Recent;
  readonly #joiner: PageJoiner<T>;

  /** @internal */
  constructor({ operation, filter = {}, pageSizes, load }: WalkSource<T>, options: WalkOptions = {}) {
    const { checkpoint, concurrency = 1, pageSize = pageSizes[0], signal } = options;
    this.#name = `${operation} ${fingerprint(JSON.stringify(filter, Object.keys(filter).sort()))}`;
    if (checkpoint && checkpoint.walk !== this.#name)
      throw invalidRequest(operation, [
        { path: 'checkpoint', expected: 'of a walk over the same records', received: 'another' },
      ]);
    this.#concurrency = checkConcurrency(operation, concurrency);
    this.#signal = signal;
    this.#reader = new PageReader(load, [pageSize, ...pageSizes]);
    this.#recent = new Recent(checkpoint?.tail);
    this.#joiner = new PageJoiner(operation, this.#reader, this.#recent, checkpoint?.offset ?? 0);
  }

  /** Where the walk stands: right after the last record handed out. */
  get checkpoint(): Checkpoint {
    return { walk: this.#name, offset: this.#joiner.offset, tail: this.#recent.tail() };
  }

  /** Goes over every record, from where the walk stands. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    // Not `yield*`, which costs half as much again.
    for await (const records of this.#batches()) for (const record of records) yield record;
  }

  /** The records in arrays as they come, a request's worth or less each, never empty. */
  async *pages(): AsyncGenerator<readonly T[], void, undefined> {
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
