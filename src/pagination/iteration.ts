import { addCallSite } from '../call/api-promise.ts';
import { pageNoLongerNeeded } from '../call/send-result.ts';
import { ignoreErrors } from '../core/ignore-errors.ts';
import { onAbort, throwIfAborted } from '../core/timers.ts';
import { EmailMarketingError } from '../errors.ts';
import { Position } from './checkpoint.ts';
import { KnownRecords } from './known-records.ts';
import { ListReader } from './list-reader.ts';
import { type LoadPage, PageLoader } from './page-loader.ts';
import type { PaginatorOptions } from './paginator-options.ts';

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

  /** Yields the new records of each page. */
  async *#read(): AsyncGenerator<T[], void, undefined> {
    const { operation, prefetched } = this.#settings;
    const known = new KnownRecords(this.#position.tail);
    const reader = new ListReader(operation, this.#loader, known, prefetched);
    for await (const [records, page] of reader.read(this.#position.offset)) {
      this.#loader.throwIfLeft();
      this.#position.begin(records, page);
      yield records;
    }
  }
}
