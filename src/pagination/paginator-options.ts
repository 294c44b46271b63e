import type { Checkpoint } from '../errors.ts';
import { invalidRequest } from '../http/issues.ts';
import { isObject, shown } from '../http/json.ts';
import { callOptionNames } from '../http/options/call-options.ts';
import { checkOptions } from '../http/options/check-options.ts';
import { aFunction, aNumberFromOne, anAbortSignal, anything } from '../http/options/rules.ts';
import { isCheckpoint } from './checkpoint.ts';
import type { LoadPage } from './page-loader.ts';

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
   * @defaultValue the documented maximum, or less if the service rejects that
   */
  readonly pageSize?: number | undefined;
  /**
   * Maximum number of pages that are loaded ahead of the yielded one, from 1; never more than twice as many as have been
   * read.
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

/** Options of `toArray`. */
export interface ToArrayOptions {
  /**
   * Maximum number of records: the iteration ends after so many.
   * @defaultValue no limit
   */
  readonly max?: number | undefined;
}

/** Source of the records of a {@link Paginator}. */
export interface PaginatorSource<T> {
  /** Name of the operation that loads a page, such as `contacts.list`. */
  readonly operation: string;
  /** Selects the records; a checkpoint belongs to one filter. */
  readonly filter: object | undefined;
  /** Page sizes, largest first; the next is used when the service rejects one. */
  readonly pageSizes: readonly [number, ...number[]];
  /** Loads one page with the options that are not the paginator's own, and a signal. */
  readonly load: LoadPage<T>;
}

/** Throws an `InvalidRequestError` for a filter that is no object, or sets what the paginator sets. */
export function checkFilter(name: string, filter: unknown): void {
  const issues = isObject(filter)
    ? Object.keys(filter)
        .filter(path => path === 'offset' || path === 'limit')
        .map(path => ({ path, expected: 'left out: the paginator sets it', received: 'a value' }))
    : [{ path: 'filter', expected: 'an object', received: shown(filter) }];
  if (issues.length > 0) throw invalidRequest(name, issues);
}

/** Throws an `InvalidRequestError` unless the options, a checkpoint of `source` among them, are valid. */
export function checkPaginatorOptions(name: string, options: unknown, maxSize: number, source: string): void {
  checkOptions(name, options, {
    pageSize: {
      expected: `a whole number from 1 to ${maxSize}`,
      isValid: value => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxSize,
    },
    concurrency: aNumberFromOne,
    checkpoint: {
      expected: 'an object: the checkpoint of a paginator with the same filter',
      isValid: value => isCheckpoint(value, source),
    },
    signal: anAbortSignal,
    onProgress: aFunction,
    // The call that loads a page checks its own options.
    ...Object.fromEntries(callOptionNames.filter(name => name !== 'signal').map(name => [name, anything])),
  });
}
