import { renameOperation } from '../errors/rename-operation.ts';
import { EmailMarketingError } from '../errors.ts';
import { addCallSite } from '../http/call/api-promise.ts';
import { quietly } from '../http/call/telemetry.ts';
import { invalidRequest } from '../http/issues.ts';
import { checkOptions } from '../http/options/check-options.ts';
import { aCount } from '../http/options/rules.ts';
import type { Checkpoint } from './checkpoint.ts';
import { IteratorHelpers, LazyIterator } from './lazy-iterator.ts';
import { type LoadPage, PageFetcher } from './page-fetcher.ts';
import { PageMerger } from './page-merger.ts';
import { checkPaginatorOptions, sourceName } from './paginator-options.ts';
import { RecentRecords } from './recent-records.ts';

/** Progress of a {@link Paginator}. */
export interface PaginatorProgress {
  /** Records yielded by this paginator. */
  readonly records: number;
  /** Pages whose records were yielded. */
  readonly pages: number;
  /** Records yielded per second, since the first iteration began. */
  readonly perSecond: number;
}

/** Options of an iteration over every record. */
export interface PaginatorOptions {
  /**
   * Records to request at once. The service may return fewer: the position advances by the number received.
   * @defaultValue the maximum of the service's specification, or less if the service refuses that
   */
  readonly pageSize?: number | undefined;
  /**
   * Maximum number of pages in flight ahead of the yielded one, from 1. Records come in order: half as many more pages
   * may have arrived and wait for a late one. The number starts with one, and grows with each full page.
   * @defaultValue 1
   */
  readonly concurrency?: number | undefined;
  /** Position of an earlier iteration: resumes right after the last record that it yielded. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Ends the iteration and its requests, and rejects with the signal's own `reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each page, once its records were yielded. An error that it throws, or rejects with, is ignored. */
  readonly onProgress?: ((progress: PaginatorProgress) => void) | undefined;
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

/** Position of a paginator, which moves as records are yielded. */
interface Position<T extends { readonly id: string }> {
  readonly recent: RecentRecords;
  readonly merger: PageMerger<T>;
}

/**
 * Iterates over every record of a listing: `for await (const record of paginator)`, by pages, by helpers such as
 * `filter` and `take`, or into an array. Nothing is sent before the iteration starts.
 *
 * Each record that exists throughout is yielded exactly once, whatever the size of the service's pages, and although
 * others are deleted or added meanwhile, also by the loop itself. Leaving the loop cancels the requests in flight.
 * A later loop over the same paginator resumes where the last one stopped; a second one at the same time is refused.
 *
 * Errors are those of one call, each with a `checkpoint`, and {@link InvalidResponseError} when the service gives the
 * same records whatever the `offset`, or when the list grows faster than it is read.
 */
export class Paginator<T extends { readonly id: string }> extends IteratorHelpers<T> {
  /** Name of the iteration in errors, such as `contacts.all`. */
  readonly #name: string;
  /** Tells a checkpoint of this source from others, without showing the filter. */
  readonly #source: string;
  readonly #options: PaginatorOptions;
  readonly #fetcher: PageFetcher<T>;
  readonly #callSite = new Error();
  #position: Position<T>;
  /** The iteration that runs, if any. */
  #running: object | undefined;
  #records = 0;
  #pages = 0;
  #startedAt: number | undefined;

  /** @internal */
  constructor(
    { operation, filter = {}, pageSizes, load }: PaginatorSource<T>,
    options: PaginatorOptions = {},
  ) {
    super();
    this.#name = operation.replace(/\.list$/, '.all');
    this.#source = sourceName(operation, filter, this.#name);
    checkPaginatorOptions(this.#name, options, pageSizes[0], this.#source);
    const { pageSize = pageSizes[0], concurrency, checkpoint, onProgress, ...callOptions } = options;
    this.#options = options;
    const loadPage: LoadPage<T> = (page, { signal }) => load(page, { ...callOptions, signal });
    this.#fetcher = new PageFetcher(loadPage, [pageSize, ...pageSizes]);
    this.#position = this.#positionAt(checkpoint);
  }

  /** Position right after the last record yielded; by pages, after the last page. */
  get checkpoint(): Checkpoint {
    const { merger, recent } = this.#position;
    return { source: this.#source, offset: merger.offset, tail: recent.tail() };
  }

  /** Iterates over every record, from the current position. */
  override [Symbol.asyncIterator](): LazyIterator<T> {
    return this.#iterate(batch => batch);
  }

  /** Iterates over the records in arrays: those of one request, or fewer, and never an empty array. */
  pages(): LazyIterator<T[]> {
    return this.#iterate(batch => [[...batch]]);
  }

  /**
   * Resolves to the records in one array: at most `max`, by default all of them. When it rejects, it has returned no
   * record, so the position and the error's `checkpoint` are where it started. Use a loop to keep the records that came
   * before an error.
   */
  async toArray(options: { readonly max?: number | undefined } = {}): Promise<T[]> {
    checkOptions(this.#name, options, { max: aCount(0) });
    this.#refuseSecondIteration();
    const start = this.checkpoint;
    try {
      const records: T[] = [];
      for await (const record of this.take(options.max ?? Number.POSITIVE_INFINITY)) records.push(record);
      return records;
    } catch (error) {
      this.#position = this.#positionAt(start);
      if (EmailMarketingError.isInstance(error)) error.checkpoint = start;
      throw error;
    }
  }

  #positionAt(checkpoint: Checkpoint | undefined): Position<T> {
    const { concurrency = 1 } = this.#options;
    const recent = new RecentRecords(checkpoint?.tail);
    const options = { offset: checkpoint?.offset ?? 0, concurrency };
    return { recent, merger: new PageMerger(this.#name, this.#fetcher, recent, options) };
  }

  #iterate<R>(split: (batch: Iterable<T>) => Iterable<R>): LazyIterator<R> {
    const iteration = { hasLeft: false };
    return new LazyIterator(this.#run(split, iteration), () => {
      iteration.hasLeft = true;
      if (this.#running === iteration) this.#fetcher.cancel();
    });
  }

  async *#run<R>(
    split: (batch: Iterable<T>) => Iterable<R>,
    iteration: { readonly hasLeft: boolean },
  ): AsyncGenerator<R, void, undefined> {
    this.#refuseSecondIteration();
    this.#running = iteration;
    this.#startedAt ??= performance.now();
    const { signal } = this.#options;
    const stop = () => this.#fetcher.cancel(signal?.reason);
    signal?.addEventListener('abort', stop);
    try {
      signal?.throwIfAborted();
      const { merger } = this.#position;
      for (let batch = await merger.first(signal); batch; batch = await merger.next(signal)) {
        for (const item of split(this.#count(batch))) yield item;
        this.#reportProgress();
      }
    } catch (error) {
      if (iteration.hasLeft) return;
      signal?.throwIfAborted();
      throw this.#complete(error);
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#fetcher.cancel();
      this.#running = undefined;
    }
  }

  *#count(batch: Iterable<T>): Generator<T, void> {
    for (const record of batch) {
      this.#records += 1;
      yield record;
    }
  }

  #reportProgress(): void {
    const { onProgress } = this.#options;
    this.#pages += 1;
    if (!onProgress) return;
    const seconds = Math.max(1, performance.now() - (this.#startedAt ?? 0)) / 1000;
    const progress = { records: this.#records, pages: this.#pages, perSecond: this.#records / seconds };
    quietly(() => onProgress(progress));
  }

  #refuseSecondIteration(): void {
    if (!this.#running) return;
    const received = 'a second one';
    throw this.#complete(
      invalidRequest(this.#name, [
        {
          path: 'iteration',
          expected: 'the only one over its paginator at a time: call all() for each',
          received,
        },
      ]),
      false,
    );
  }

  /** Adds the checkpoint, the name of the iteration and the caller's line to an error of the library. */
  #complete(error: unknown, hasCheckpoint = true): unknown {
    if (!EmailMarketingError.isInstance(error)) return error;
    if (hasCheckpoint) error.checkpoint = this.checkpoint;
    renameOperation(error, this.#name);
    addCallSite(error, this.#callSite);
    return error;
  }
}
