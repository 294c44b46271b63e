import { addCallSite } from '../call/api-promise.ts';
import { pageNoLongerNeeded } from '../call/send-result.ts';
import { ignoreErrors } from '../core/ignore-errors.ts';
import { onAbort, throwIfAborted } from '../core/timers.ts';
import { EmailMarketingError } from '../errors.ts';
import { Position } from './checkpoint.ts';
import { JoinedPages } from './joined-pages.ts';
import { KnownRecords } from './known-records.ts';
import { type LoadPage, PageLoader } from './page-loader.ts';
import type { PaginatorOptions } from './paginator-options.ts';

/** Maximum number of times to read the list, or its start. */
const maxPasses = 5;

/** What all iterations of a paginator have in common. */
export interface IterationSettings<T> {
  /** Name of the operation that loads a page. */
  readonly operation: string;
  /** Identifies the listing and filter in checkpoints, without revealing the filter. */
  readonly source: string;
  /** Page sizes to try, largest first. */
  readonly pageSizes: readonly [number, ...number[]];
  readonly load: LoadPage<T>;
  /** Maximum number of pages to prefetch. */
  readonly prefetched: number;
  readonly options: PaginatorOptions;
  readonly callSite: Error;
}

/** One loop over every record of a listing, from the start or from the `checkpoint` of the options. */
export class Iteration<T extends { readonly id: string }> {
  readonly #settings: IterationSettings<T>;
  readonly #loader: PageLoader<T>;
  #position: Position;
  constructor(settings: IterationSettings<T>) {
    this.#settings = settings;
    this.#loader = new PageLoader(settings.load, settings.pageSizes);
    this.#position = this.#start();
  }

  get checkpoint(): string {
    return this.#position.checkpoint;
  }

  /** Ends the requests in flight, and the loop where it waits for one. */
  leave(reason: unknown = pageNoLongerNeeded): void {
    this.#loader.leave(reason);
  }

  async *records(): AsyncGenerator<T, void, undefined> {
    for await (const records of this.#iterate())
      for (const record of records) {
        this.#loader.throwIfLeft();
        this.#position.advance();
        yield record;
      }
  }

  async *pages(): AsyncGenerator<T[], void, undefined> {
    for await (const records of this.#iterate()) {
      for (const _ of records) this.#position.advance();
      yield records;
    }
  }

  /** Collects records. After an error, the position is where it started. */
  async toArray(max: number): Promise<T[]> {
    const all: T[] = [];
    for await (const records of this.#iterate(true))
      for (const record of records) {
        this.#position.advance();
        all.push(record);
        if (all.length === max) return all;
      }
    return all;
  }

  #start(): Position {
    return new Position(this.#settings.source, this.#settings.options.checkpoint);
  }

  /** Yields new records, and reports the progress and errors. With `losesRecords`, an error moves back to the start. */
  async *#iterate(losesRecords = false): AsyncGenerator<T[], void, undefined> {
    const { signal, onProgress } = this.#settings.options;
    const startedAt = performance.now();
    let records = 0;
    let pages = 0;
    const removeListener = onAbort(signal, () => this.leave(signal?.reason));
    try {
      for await (const found of this.#read()) {
        yield found;
        records += found.length;
        pages += 1;
        const perSecond = records / (Math.max(1, performance.now() - startedAt) / 1000);
        ignoreErrors(() => onProgress?.({ records, pages, perSecond }));
      }
    } catch (error) {
      if (error === pageNoLongerNeeded) return;
      if (losesRecords) this.#position = this.#start();
      throwIfAborted(signal);
      if (EmailMarketingError.isInstance(error)) Object.assign(error, { checkpoint: this.checkpoint });
      addCallSite(error, this.#settings.callSite);
      throw error;
    } finally {
      removeListener();
      this.#loader.cancel();
    }
  }

  /** Reads the list to the end, then its start again, until that is as it was read before. Yields what is new in each page. */
  async *#read(): AsyncGenerator<T[], void, undefined> {
    const { operation, prefetched } = this.#settings;
    const known = new KnownRecords(this.#position.tail);
    const joined = new JoinedPages(operation, this.#loader, known, prefetched);
    let most = Number.POSITIVE_INFINITY;
    for (let pass = 1; pass <= maxPasses; pass++) {
      const first = pass === 1 ? await joined.first(this.#position.offset) : await this.#loader.take(0);
      let pages = 0;
      let changed = 0;
      for await (const { page, records } of joined.from(first, pass > 1)) {
        this.#loader.throwIfLeft();
        pages += 1;
        if (records.length > 0) {
          changed = pages;
          this.#position.begin(records, pass === 1 ? page : undefined);
          yield records;
        }
        // The start changes faster than it is read.
        if (pages === most) return;
      }
      // One page, and the one that shows that it is all, are the list at one time.
      const isWhole = first.offset === 0 && pages <= 2 && changed <= 1;
      // What precedes a checkpoint of many records is unknown.
      if (!known.isComplete || isWhole || (changed === 0 && pass > 1)) return;
      if (first.offset === 0) most = pages;
    }
  }
}
