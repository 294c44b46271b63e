import { addCallSite } from './call/api-promise.ts';
import { ignoreErrors } from './core/ignore-errors.ts';
import { invalidRequestError } from './core/issues.ts';
import { typeName } from './core/json.ts';
import { leaveAtOnce } from './core/leave-at-once.ts';
import { aBoolean, aCount, aFunction, anAbortSignal, checkOptions, required } from './core/option-rules.ts';
import { onAbort, throwIfAborted } from './core/timers.ts';
import { InvalidRequestError } from './errors.ts';

/** Maximum number of buffered results, as a multiple of `concurrency`. */
const waitingRounds = 4;

/** Maximum number of items that wait for another item with the same key, if `ordered` is `false`. */
const maxBehindKeys = 10_000;

/** Default `concurrency`: enough to hide latency, few enough for any service. */
const defaultConcurrency = 8;

/** Second argument of the function that you pass to {@link bulk}. */
export interface BulkContext {
  /** Aborts if the bulk operation ends before this call. Pass it to the client's method. */
  readonly signal: AbortSignal;
  /** Index of the item, from 0. */
  readonly index: number;
}

/** Result of the call for one item. */
export type BulkResult<Input, Data> =
  | (BulkItem<Input> & { readonly ok: true; readonly data: Data; readonly error?: undefined })
  | (BulkItem<Input> & { readonly ok: false; readonly error: Error; readonly data?: undefined });

interface BulkItem<Input> {
  /** Index of the item, from 0. */
  readonly index: number;
  readonly input: Input;
}

/** Progress of a bulk operation. */
export interface BulkProgress {
  /** Calls that have ended, including failed ones. */
  readonly done: number;
  /** Calls that failed. */
  readonly failed: number;
  /** Calls that have not ended yet. */
  readonly inFlight: number;
  /** Ended calls per second since the start. */
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
   * in order. If it throws, the bulk operation rejects with that error after the results of earlier items.
   * @defaultValue every item has its own key
   */
  readonly key?: ((input: Input) => unknown) | undefined;
  /** Called each time a call ends. If it throws or rejects, the error is ignored. */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
  /**
   * Whether results come in the order of the items, so that a slow call delays later results. If `false`, they come as
   * the calls end.
   * @defaultValue true
   */
  readonly ordered?: boolean | undefined;
  /**
   * Whether to end with the first failed result. Once a call fails, later calls are cancelled and no more items are
   * taken.
   * @defaultValue false
   */
  readonly stopOnError?: boolean | undefined;
  /** Cancels the bulk operation. It rejects with the signal's `reason` after the results that are ready. */
  readonly signal?: AbortSignal | undefined;
}

/** Items of a bulk operation; strings are excluded, although they are iterable. */
export type BulkSource<Input> = (Iterable<Input> | AsyncIterable<Input>) & object;

/** Call for one item. It must return its promise, or the call is not awaited and its error is lost. */
export type BulkCall<Input, Data> = (input: Input, context: BulkContext) => PromiseLike<Data>;

/**
 * Results of a bulk operation, in the order of the items, unless `ordered` is `false`. Nothing is sent until you request
 * the first one: use a loop, or `await bulk(…).toArray()`.
 */
export interface BulkResults<Input, Data> extends AsyncGenerator<BulkResult<Input, Data>, void, undefined> {
  /**
   * Always absent. Declared so that the compiler rejects `await bulk(…)`, and `return bulk(…)` in an async function:
   * nothing would be sent.
   */
  readonly then?: (use: 'a loop, or toArray()') => never;
  /** Runs the whole bulk operation, and resolves to all results. */
  toArray(): Promise<BulkResult<Input, Data>[]>;
}

const bulkOptionRules = {
  concurrency: /* @__PURE__ */ aCount(1),
  key: aFunction,
  onProgress: aFunction,
  ordered: aBoolean,
  stopOnError: aBoolean,
  signal: anAbortSignal,
};

const argumentRules = () => ({
  source: required({
    expected: 'an iterable or async iterable of rows, not a file name',
    isValid: value =>
      typeof value === 'object' &&
      value !== null &&
      (Symbol.asyncIterator in value || Symbol.iterator in value),
  }),
  call: required(aFunction),
});

/**
 * Calls `call` for each item of an array, a generator or a stream, and yields the results in the order of the items, so
 * that you can resume from an `index`. With `ordered: false`, it yields results as the calls end. Nothing is sent until
 * you iterate or call `.toArray()`. A failed call does not stop the others unless you set `stopOnError`. Items are read
 * only as fast as you take results. Leaving the loop cancels the calls in flight and closes the source.
 *
 * If the source fails, the results of earlier items are yielded before its error is thrown. If an argument is invalid,
 * `next()` rejects with an {@link InvalidRequestError}.
 *
 * @example
 * ```ts
 * const people = [{ email: 'ada@example.com' }, { email: 'alan@example.com' }];
 * for await (const result of bulk(people, (person, { signal }) => client.legacy.identify(person, { signal })))
 *   if (!result.ok) console.error(result.index, result.error);
 * ```
 */
export function bulk<Input, Data>(
  source: BulkSource<Input>,
  call: BulkCall<Input, Data>,
  options: BulkOptions<Input> = {},
): BulkResults<Input, Data> {
  const run = new BulkRun(call, options, new Error());
  const results = leaveAtOnce(run.results(source), () => run.leave());
  const toArray = async () => {
    const all: BulkResult<Input, Data>[] = [];
    for await (const result of results) all.push(result);
    return all;
  };
  let isIterated = false;
  const iterator = () => {
    if (isIterated) throw iteratedAgain();
    isIterated = true;
    return results;
  };
  return Object.assign(results, { toArray, [Symbol.asyncIterator]: iterator });
}

const iteratedAgain = (): Error => {
  const message = 'already iterated. Call `bulk(…)` again with the remaining items.';
  return invalidRequestError('bulk', [
    { path: '', expected: 'iterated over once', received: 'another loop', message },
  ]);
};

/** One bulk operation: one side takes items and starts calls, the other returns results. */
class BulkRun<Input, Data> {
  readonly #call: BulkCall<Input, Data>;
  readonly #options: BulkOptions<Input>;
  readonly #callSite: Error;
  /** Absent before the source is opened, and after it has ended or thrown, so that it need not be closed. */
  #items: Iterator<Input> | AsyncIterator<Input> | undefined;
  /** Aborts when the results are left, or with the user's signal. */
  readonly #controller = new AbortController();
  /** Results not yet returned, by the index of the item, or by order of completion if `ordered` is `false`. */
  readonly #results = new Map<number, BulkResult<Input, Data>>();
  /** The last unfinished item of each key. The items of a key share one place of `concurrency`. */
  readonly #lastOfKey = new Map<unknown, { readonly index: number; readonly ended: Promise<void> }>();
  readonly #startedAt = performance.now();
  #started = 0;
  #returned = 0;
  #done = 0;
  #failed = 0;
  #inFlight = 0;
  #isTaking = false;
  /** Index of the first item that is not taken, once known. */
  #end = Number.POSITIVE_INFINITY;
  /** Thrown after the results. */
  #failure: { readonly error: unknown } | undefined;
  #wake = () => {};

  constructor(call: BulkCall<Input, Data>, options: BulkOptions<Input>, callSite: Error) {
    this.#call = call;
    this.#options = options;
    this.#callSite = callSite;
  }

  get #isOrdered(): boolean {
    return this.#options.ordered !== false;
  }

  /** Stops starting calls, aborts the calls in flight, and ends the iteration. */
  leave(reason?: unknown): void {
    this.#controller.abort(reason);
    this.#wake();
  }

  async *results(source: BulkSource<Input>): AsyncGenerator<BulkResult<Input, Data>, void, undefined> {
    let unlinkSignal = () => {};
    try {
      checkOptions('bulk', { source, call: this.#call }, argumentRules());
      checkOptions('bulk', this.#options, bulkOptionRules);
      const { signal, stopOnError } = this.#options;
      throwIfAborted(signal);
      unlinkSignal = onAbort(signal, () => this.leave(signal?.reason));
      this.#items = iteratorOf(source);
      for (;;) {
        void this.#take();
        const result = this.#results.get(this.#returned);
        if (result) {
          this.#results.delete(this.#returned++);
          yield result;
          if (!result.ok && stopOnError) return;
        } else {
          throwIfAborted(signal);
          if (this.#controller.signal.aborted) return;
          if (this.#hasEnded()) break;
          await new Promise<void>(wake => {
            this.#wake = wake;
          });
        }
      }
      if (this.#failure) throw this.#failure.error;
    } catch (error) {
      addCallSite(error, this.#callSite);
      throw error;
    } finally {
      unlinkSignal();
      this.#controller.abort();
      const closed = (async () => this.#items?.return?.())().catch(() => {});
      // A source that is loading an item closes later.
      if (!this.#isTaking) await closed;
    }
  }

  async #take(): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    while (this.#items && this.#mayStart()) {
      const item = await this.#nextItem(this.#items);
      if (item && !this.#controller.signal.aborted) this.#start(item.value);
    }
    this.#isTaking = false;
    this.#wake();
  }

  #mayStart(): boolean {
    const { concurrency = defaultConcurrency } = this.#options;
    const pending = this.#started - this.#returned;
    const behindKeys = this.#isOrdered ? 0 : pending - this.#results.size - this.#inFlight;
    return (
      !this.#controller.signal.aborted &&
      this.#end === Number.POSITIVE_INFINITY &&
      this.#inFlight < concurrency &&
      pending - behindKeys < concurrency * waitingRounds &&
      behindKeys < maxBehindKeys
    );
  }

  /** Returns `true` if no result is left to wait for. */
  #hasEnded(): boolean {
    if (this.#isOrdered) return this.#returned >= this.#end;
    return this.#end < Number.POSITIVE_INFINITY && this.#inFlight === 0;
  }

  async #nextItem(
    items: Iterator<Input> | AsyncIterator<Input>,
  ): Promise<IteratorYieldResult<Input> | undefined> {
    try {
      const item = await items.next();
      if (!item.done) return item;
    } catch (error) {
      this.#failure = { error };
    }
    this.#items = undefined;
    this.#endAt(this.#started);
    return undefined;
  }

  #start(input: Input): void {
    let key: unknown;
    try {
      key = this.#options.key?.(input);
    } catch (error) {
      this.#failure = { error };
      this.#endAt(this.#started);
      return;
    }
    const index = this.#started++;
    if (key === undefined) key = { index };
    const before = this.#lastOfKey.get(key);
    if (!before) this.#inFlight += 1;
    const ended = this.#callFor(input, index, key, before?.ended);
    this.#lastOfKey.set(key, { index, ended });
  }

  async #callFor(input: Input, index: number, key: unknown, before?: Promise<void>): Promise<void> {
    const { signal } = this.#controller;
    await before;
    let result: BulkResult<Input, Data> | undefined;
    if (!signal.aborted && index < this.#end)
      try {
        const returned: PromiseLike<Data> | undefined = this.#call(input, { signal, index });
        if (typeof returned?.then !== 'function') throw noPromise(index, returned);
        result = { ok: true, index, input, data: await returned };
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : wrapped(thrown);
        addCallSite(error, this.#callSite);
        // A cancelled call has no result, so a run that resumes calls it again.
        if (!signal.aborted) result = { ok: false, index, input, error };
      }
    if (this.#lastOfKey.get(key)?.index === index) {
      this.#lastOfKey.delete(key);
      this.#inFlight -= 1;
    }
    if (result) this.#add(result);
    void this.#take();
    this.#wake();
  }

  #add(result: BulkResult<Input, Data>): void {
    this.#results.set(this.#isOrdered ? result.index : this.#done, result);
    const done = ++this.#done;
    const failed = result.ok ? this.#failed : ++this.#failed;
    if (!result.ok && this.#options.stopOnError) this.#endAt(this.#isOrdered ? result.index : 0);
    const seconds = Math.max(1, performance.now() - this.#startedAt) / 1000;
    const progress = { done, failed, inFlight: this.#inFlight, perSecond: done / seconds };
    ignoreErrors(() => this.#options.onProgress?.(progress));
  }

  #endAt(index: number): void {
    this.#end = Math.min(this.#end, index);
  }
}

const wrapped = (thrown: unknown): Error =>
  new Error(typeof thrown === 'string' ? thrown : typeName(thrown), { cause: thrown });

/** Creates the error for a function that returned no promise. Its call cannot be awaited, so the outcome is unknown. */
function noPromise(index: number, returned: unknown): Error {
  const received = typeName(returned);
  const message = `bulk: the function returned ${received} for item ${index}, not a promise. Return the call, as in \`row => client.legacy.identify(row)\`. Item ${index} may have been sent.`;
  const issue = { path: 'call', expected: 'a function that returns a promise', received };
  return new InvalidRequestError(message, { operation: 'bulk', outcome: 'unknown', issues: [issue] });
}

const iteratorOf = <Input>(source: BulkSource<Input>): Iterator<Input> | AsyncIterator<Input> =>
  Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
