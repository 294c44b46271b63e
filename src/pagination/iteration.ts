import { addCallSite } from '../call/api-promise.ts';
import { pageNoLongerNeeded } from '../call/call-events.ts';
import { ignoreErrors } from '../core/ignore-errors.ts';
import { unusableListError } from '../core/issues.ts';
import { typeName } from '../core/json.ts';
import { onAbort, throwIfAborted } from '../core/timers.ts';
import { EmailMarketingError } from '../errors.ts';
import { Position, sourceName } from './checkpoint.ts';
import { KnownRecords } from './known-records.ts';
import { ListReader } from './list-reader.ts';
import { type Identified, type LoadPage, PageLoader } from './page-loader.ts';
import type { PaginatorOptions, PaginatorSource } from './paginator-options.ts';

/** One loop over every record of a listing, from the start or from the `checkpoint` of the options. */
export class Iteration<T extends Identified> {
  /** Name of the operation that loads a page. */
  readonly #operation: string;
  readonly #options: PaginatorOptions;
  readonly #loader: PageLoader<T>;
  readonly #start: () => Position;
  #position: Position;
  readonly #callSite: Error;

  constructor(source: PaginatorSource<T>, options: PaginatorOptions, callSite: Error) {
    const { pageSizes, load, isPrefetched = true } = source;
    const { pageSize = pageSizes[0], concurrency = 1, checkpoint, onProgress, ...callOptions } = options;
    this.#operation = `${source.resource}.list`;
    this.#options = options;
    const loadPage: LoadPage<T> = async (page, { signal }) => {
      const records = await load(page, { ...callOptions, signal });
      // Records without an id would be lost. The handler's option `output` can remove ids.
      if (Array.isArray(records) && records.every(record => Object(record).id)) return records;
      const received = `${typeName(records)}: check the option output of createProxyHandler`;
      throw unusableListError(this.#operation, 'an array of records with ids', received);
    };
    this.#loader = new PageLoader(loadPage, [pageSize, ...pageSizes], isPrefetched ? concurrency : 0);
    this.#start = () => new Position(sourceName(source), checkpoint);
    this.#position = this.#start();
    this.#callSite = callSite;
  }

  get checkpoint(): string {
    return this.#position.checkpoint;
  }

  /** Ends the requests in flight, and a loop that waits for one. */
  leave(reason: unknown = pageNoLongerNeeded): void {
    this.#loader.leave(reason);
  }

  async *records(): AsyncGenerator<T, void, undefined> {
    for await (const records of this.#iterate())
      for (const record of records) {
        this.#loader.throwIfAbandoned();
        this.#position.advance();
        yield record;
      }
  }

  async *pages(): AsyncGenerator<T[], void, undefined> {
    for await (const records of this.#iterate()) {
      this.#position.advance(records.length);
      yield records;
    }
  }

  /** Collects records. After an error, the position is where it started. */
  async toArray(max: number): Promise<T[]> {
    const all: T[] = [];
    for await (const records of this.#iterate(true)) {
      const taken = records.slice(0, max - all.length);
      this.#position.advance(taken.length);
      for (const record of taken) all.push(record);
      if (all.length === max) break;
    }
    return all;
  }

  /** Yields new records, and reports progress and errors. With `losesRecords`, an error resets the position to the start. */
  async *#iterate(losesRecords = false): AsyncGenerator<T[], void, undefined> {
    const { signal, onProgress } = this.#options;
    const startedAt = performance.now();
    let records = 0;
    let pages = 0;
    const known = new KnownRecords(this.#position.tail);
    const reader = new ListReader(this.#operation, this.#loader, known);
    const removeListener = onAbort(signal, () => this.leave(signal?.reason));
    try {
      for await (const [found, page] of reader.read(this.#position.offset)) {
        this.#loader.throwIfAbandoned();
        this.#position.begin(found, page);
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
      addCallSite(error, this.#callSite);
      throw error;
    } finally {
      removeListener();
      this.#loader.cancel();
    }
  }
}
