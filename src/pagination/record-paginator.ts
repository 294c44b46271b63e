import { unusableRecords } from '../core/issues.ts';
import { typeName } from '../core/json.ts';
import { leaveAtOnce } from '../core/leave-at-once.ts';
import { aCount, checkOptions } from '../core/option-rules.ts';
import { sourceName } from './checkpoint.ts';
import { Iteration, type IterationSettings } from './iteration.ts';
import type { Paginator } from './paginator.ts';
import {
  checkPaginatorOptions,
  type PaginatorOptions,
  type PaginatorSource,
  type ToArrayOptions,
} from './paginator-options.ts';

/** Implements {@link Paginator}. */
export class RecordPaginator<T extends { readonly id: string }> implements Paginator<T> {
  /** Name of the method that created this paginator. */
  readonly #name: string;
  readonly #settings: IterationSettings<T>;
  #latest: Iteration<T>;

  constructor(
    { resource, filter = {}, pageSizes, load, isPrefetched = true }: PaginatorSource<T>,
    options: PaginatorOptions = {},
  ) {
    const operation = `${resource}.list`;
    const source = sourceName(operation, filter);
    this.#name = `${resource}.all`;
    checkPaginatorOptions(this.#name, options, pageSizes[0], source);
    const { pageSize = pageSizes[0], concurrency = 1, checkpoint, onProgress, ...callOptions } = options;
    this.#settings = {
      operation,
      source,
      pageSizes: [pageSize, ...pageSizes],
      load: async (page, { signal }) => withIds(operation, await load(page, { ...callOptions, signal })),
      prefetched: isPrefetched ? concurrency : 0,
      options,
      callSite: new Error(),
    };
    this.#latest = new Iteration(this.#settings);
  }

  get checkpoint(): string {
    return this.#latest.checkpoint;
  }

  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const iteration = this.#begin();
    return leaveAtOnce(iteration.records(), () => iteration.leave());
  }

  pages(): AsyncGenerator<T[], void, undefined> {
    const iteration = this.#begin();
    return leaveAtOnce(iteration.pages(), () => iteration.leave());
  }

  async toArray(options: ToArrayOptions = {}): Promise<T[]> {
    checkOptions(this.#name, options, { max: aCount(0) });
    const { max = Number.POSITIVE_INFINITY } = options;
    return max === 0 ? [] : this.#begin().toArray(max);
  }

  #begin(): Iteration<T> {
    this.#latest = new Iteration(this.#settings);
    return this.#latest;
  }
}

/** Returns records. Throws if one has no id, without which records would be lost: a handler decides what its pages see. */
function withIds<T>(operation: string, records: readonly T[]): readonly T[] {
  if (Array.isArray(records) && records.every(record => Object(record).id)) return records;
  const received = `${typeName(records)}: check the option output of createProxyHandler`;
  throw unusableRecords(operation, 'an array of records with ids', received);
}
