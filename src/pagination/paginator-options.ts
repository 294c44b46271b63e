import { type CallOptions, callOptionRules } from '../call/call-options.ts';
import { aCount, aFunction, aWholeNumber, checkOptions } from '../core/option-rules.ts';
import { readCheckpoint } from './checkpoint.ts';
import type { LoadPage } from './page-loader.ts';

/** Progress of a {@link Paginator}. */
export interface PaginatorProgress {
  /** Records yielded by this loop. */
  readonly records: number;
  /** Pages whose records were yielded. */
  readonly pages: number;
  /** Records yielded per second since the loop began. */
  readonly perSecond: number;
}

/** Options of an iteration over every record. Call options, such as `timeout`, apply to each page. */
export interface PaginatorOptions extends CallOptions {
  /**
   * Records per request. If the service returns fewer, the iteration continues after the last one received.
   * @defaultValue the documented maximum, or less if the service rejects that
   */
  readonly pageSize?: number | undefined;
  /**
   * Maximum number of pages to prefetch, from 1. The number grows as pages are read: it is at most twice their number.
   * @defaultValue 1
   */
  readonly concurrency?: number | undefined;
  /** Where to continue: the `checkpoint` of an earlier iteration over the same filter. */
  readonly checkpoint?: string | undefined;
  /** Cancels the iteration, which rejects with the signal's `reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Called when all records of a page have been yielded. If it throws or rejects, the error is ignored. */
  readonly onProgress?: ((progress: PaginatorProgress) => void) | undefined;
}

/** Options of `toArray`. */
export interface ToArrayOptions {
  /**
   * Maximum number of records.
   * @defaultValue no limit
   */
  readonly max?: number | undefined;
}

/** Source of the records of a {@link Paginator}. */
export interface PaginatorSource<T> {
  /** Name of the resource, such as `contacts`: its method `list` loads a page, and `all` creates the paginator. */
  readonly resource: string;
  /** Selects the records. A checkpoint is valid for one filter. */
  readonly filter: object | undefined;
  /** Page sizes to try, largest first. */
  readonly pageSizes: readonly [number, ...number[]];
  /** Loads one page, with the call options and a signal. */
  readonly load: LoadPage<T>;
  /** `false` if pages are loaded only when the loop needs them, whatever the `concurrency`. */
  readonly isPrefetched?: boolean;
}

/** Throws an `InvalidRequestError` if an option is invalid, such as a checkpoint of another source. */
export function checkPaginatorOptions(name: string, options: unknown, maxSize: number, source: string): void {
  checkOptions(name, options, {
    pageSize: aWholeNumber(1, maxSize),
    concurrency: aCount(1),
    checkpoint: {
      expected: 'the unchanged checkpoint of a paginator with the same filter',
      isValid: value => readCheckpoint(value, source) !== undefined,
    },
    onProgress: aFunction,
    ...callOptionRules(),
  });
}
