import { leaveAtOnce } from '../core/leave-at-once.ts';
import { aCount, checkOptions } from '../core/option-rules.ts';
import { sourceName } from './checkpoint.ts';
import { Iteration } from './iteration.ts';
import type { Identified } from './page-loader.ts';
import type { Paginator } from './paginator.ts';
import {
  checkPaginatorOptions,
  type PaginatorOptions,
  type PaginatorSource,
  type ToArrayOptions,
} from './paginator-options.ts';

/** Implements {@link Paginator}. */
export class RecordPaginator<T extends Identified> implements Paginator<T> {
  /** Name of the method that created this paginator. */
  readonly #name: string;
  readonly #create: () => Iteration<T>;
  #latest: Iteration<T>;

  constructor(source: PaginatorSource<T>, options: PaginatorOptions = {}) {
    this.#name = `${source.resource}.all`;
    checkPaginatorOptions(this.#name, options, source.pageSizes[0], sourceName(source));
    const callSite = new Error();
    this.#create = () => new Iteration(source, options, callSite);
    this.#latest = this.#create();
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
    this.#latest = this.#create();
    return this.#latest;
  }
}
