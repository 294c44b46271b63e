import type { InvalidResponseError } from '../errors.ts';
import type { ToArrayOptions } from './paginator-options.ts';

/**
 * Iterates over every record of a listing: `for await (const record of paginator)`, by pages, or into an array. Nothing
 * is sent before the iteration starts.
 *
 * In a list sorted by creation or last change, each record that exists throughout is yielded once, even while records are
 * added, deleted and changed. Each loop starts at the beginning, or at the option `checkpoint`.
 * Leaving it, even while it waits for a page, cancels the requests in flight.
 *
 * Throws the errors of a single call, each with a `checkpoint`, and an {@link InvalidResponseError} if the service
 * ignores the `offset`, or if the list changes faster than it is read.
 */
export interface Paginator<T> extends AsyncIterable<T> {
  /**
   * Position of the latest loop, from which another paginator continues: after the last record yielded, or the last page
   * with `pages()`. A string of at most 3 kB without keys. Store it unchanged; later versions of this library with the
   * same major version can read it.
   */
  readonly checkpoint: string;
  /** Iterates over every record. */
  [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined>;
  /** Iterates over pages: non-empty arrays of new records, one array per request at most. */
  pages(): AsyncGenerator<T[], void, undefined>;
  /**
   * Resolves to an array of all records, or at most `max`. If it rejects, the records are lost, and the error's `checkpoint`
   * is where it started, for a retry. To keep the records before an error, use a loop.
   */
  toArray(options?: ToArrayOptions): Promise<T[]>;
}
