import { BulkRun, type Call, type Source } from './bulk-run.ts';
import { addCallSite } from './http/call/api-promise.ts';
import { checkArgument, checkOptions } from './http/options/check-options.ts';
import { aBoolean, aFunction, aNumberFromOne, anAbortSignal } from './http/options/rules.ts';

/** Second argument of a call, after its item. */
export interface BulkContext {
  /** Aborts when the bulk operation ends before this call: pass it to the call. */
  readonly signal: AbortSignal;
  /** Place of the item in the source, from 0. */
  readonly index: number;
}

/** Result of the call for one item. */
export type BulkResult<Input, Value> =
  | { readonly ok: true; readonly index: number; readonly input: Input; readonly value: Value }
  | { readonly ok: false; readonly index: number; readonly input: Input; readonly error: unknown };

/** Progress of a bulk operation. */
export interface BulkProgress {
  /** Calls that have ended, including failed ones. */
  readonly done: number;
  /** Calls that failed. */
  readonly failed: number;
  /** Items taken from the source whose calls have not ended. */
  readonly inFlight: number;
  /** Calls ended per second, since the start. */
  readonly perSecond: number;
}

/** Options of {@link bulk}. */
export interface BulkOptions<Input> {
  /**
   * Maximum number of calls in flight, from 1.
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined;
  /**
   * Returns the key of an item, such as `row => row.email`. Calls for items with the same key run one after the other,
   * in order. An error that it throws ends the bulk operation after the results of earlier items.
   * @defaultValue every item has a key of its own
   */
  readonly key?: ((input: Input) => unknown) | undefined;
  /** Called each time a call ends. An error that it throws, or rejects with, is ignored. */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
  /**
   * Ends with the first failed result, in order. Takes no more items once a call fails, and cancels the calls of later
   * items.
   * @defaultValue false
   */
  readonly stopOnError?: boolean | undefined;
  /** Ends the bulk operation, and rejects with the signal's own `reason` once the ready results were yielded. */
  readonly signal?: AbortSignal | undefined;
}

const optionRules = {
  concurrency: aNumberFromOne,
  key: aFunction,
  onProgress: aFunction,
  stopOnError: aBoolean,
  signal: anAbortSignal,
};

const aSource = {
  expected: 'an iterable or an async iterable',
  isValid: (value: unknown) =>
    typeof value === 'string' ||
    (typeof value === 'object' &&
      value !== null &&
      (Symbol.asyncIterator in value || Symbol.iterator in value)),
};

/**
 * Calls `call` for each item of an array, a generator or a stream, and yields the results in the order of the items, so
 * that an `index` is a place to resume from. One failure stops nothing, unless `stopOnError`. Items are taken from the
 * source only as calls end and results are taken. Leaving the loop cancels the calls in flight and closes the source.
 *
 * An error of the source itself is thrown after the results of the items before it. An invalid argument is refused with
 * an {@link InvalidRequestError} by the first `next()`.
 *
 * @example
 * ```ts
 * const people = [{ email: 'ada@example.com' }, { email: 'alan@example.com' }];
 * for await (const result of bulk(people, (person, { signal }) => client.legacy.identify(person, { signal })))
 *   if (!result.ok) console.error(result.index, result.error);
 * ```
 */
export function bulk<Input, Value>(
  source: Iterable<Input> | AsyncIterable<Input>,
  call: (input: Input, context: BulkContext) => PromiseLike<Value> | Value,
  options: BulkOptions<Input> = {},
): AsyncGenerator<BulkResult<Input, Value>, void, undefined> {
  return results(source, call, options, new Error());
}

async function* results<Input, Value>(
  source: Source<Input>,
  call: Call<Input, Value>,
  options: BulkOptions<Input>,
  callSite: Error,
): AsyncGenerator<BulkResult<Input, Value>, void, undefined> {
  let run: BulkRun<Input, Value> | undefined;
  try {
    checkArgument('bulk', 'source', source, aSource);
    checkArgument('bulk', 'call', call, aFunction);
    checkOptions('bulk', options, optionRules);
    options.signal?.throwIfAborted();
    run = new BulkRun(source, call, options);
    for (let result = await run.next(); result; result = await run.next()) {
      if (!result.ok) addCallSite(result.error, callSite);
      yield result;
    }
  } catch (error) {
    addCallSite(error, callSite);
    throw error;
  } finally {
    await run?.end();
  }
}
