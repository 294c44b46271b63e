import { checkConcurrency } from './pagination/check-concurrency.ts';

/** What a call is told besides its item. */
export interface BulkContext {
  /** Aborts when the bulk ends before this call does: hand it on to the call. */
  readonly signal: AbortSignal;
  /** Place of the item in the source, from 0. */
  readonly index: number;
}

/** What the call for one item came to. */
export type BulkResult<Input, Value> =
  | { readonly ok: true; readonly index: number; readonly input: Input; readonly value: Value }
  | { readonly ok: false; readonly index: number; readonly input: Input; readonly error: unknown };

/** How far a bulk is. */
export interface BulkProgress {
  /** Calls that have ended, the failed ones among them. */
  readonly done: number;
  /** Calls that failed. */
  readonly failed: number;
  /** Items taken from the source whose calls have not ended. */
  readonly inFlight: number;
  /** Calls ended a second, since the start. */
  readonly perSecond: number;
}

/** Options of {@link bulk}. */
export interface BulkOptions<Input> {
  /**
   * Calls in flight at most, from 1.
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined;
  /** Items with the same key are called for one after the other, in order: `row => row.email`. Default: none share one. */
  readonly key?: ((input: Input) => unknown) | undefined;
  /** Told each time a call ends. */
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
  /**
   * Take nothing more from the source once a call fails. Results end with the first failed one in order, and calls for
   * items after it are cancelled.
   * @defaultValue false
   */
  readonly stopOnError?: boolean | undefined;
  /** Ends everything, and rejects with the signal's own `reason` once the results that are there were handed out. */
  readonly signal?: AbortSignal | undefined;
}

/** How many results, in units of `concurrency`, may wait for one before them or for the loop to take them. */
const waitingRounds = 4;

interface Task<Input, Value> {
  result?: BulkResult<Input, Value>;
}

/**
 * Calls `call` for each item of an array, a generator or a stream, and gives the results in the order of the items, so
 * that an `index` is a place to go on from. One failure stops nothing, unless `stopOnError`. Items are taken from the
 * source only as calls end and results are taken. Leaving the loop cancels the calls in flight and closes the source.
 *
 * An error of the source itself is thrown after the results of the items before it.
 *
 * @example
 * ```ts
 * const people = [{ email: 'ada@example.com' }, { email: 'alan@example.com' }];
 * for await (const result of bulk(people, (person, { signal }) => client.legacy.identify(person, { signal })))
 *   if (!result.ok) console.error(result.index, result.error);
 * ```
 */
export async function* bulk<Input, Value>(
  source: Iterable<Input> | AsyncIterable<Input>,
  call: (input: Input, context: BulkContext) => PromiseLike<Value> | Value,
  options: BulkOptions<Input> = {},
): AsyncGenerator<BulkResult<Input, Value>, void, undefined> {
  const run = new BulkRun(source, call, options);
  try {
    yield* run.results();
  } finally {
    await run.end();
  }
}

/** One bulk on its way: a side that takes items and starts calls, and a side that hands out results, in step. */
class BulkRun<Input, Value> {
  readonly #items: Iterator<Input> | AsyncIterator<Input>;
  readonly #call: (input: Input, context: BulkContext) => PromiseLike<Value> | Value;
  readonly #options: BulkOptions<Input>;
  readonly #concurrency: number;
  readonly #controller = new AbortController();
  readonly #tasks: Task<Input, Value>[] = [];
  /** The last call for each key that has not ended. */
  readonly #lastOfKey = new Map<unknown, Promise<void>>();
  readonly #startedAt = performance.now();
  #next = 0;
  #done = 0;
  #failed = 0;
  #inFlight = 0;
  #taking = false;
  #exhausted = false;
  /** What is thrown after the results. */
  #failure: { readonly error: unknown } | undefined;
  /** With `stopOnError`: nothing after this item is called for. */
  #stopAfter = Number.POSITIVE_INFINITY;
  #wake = () => {};

  constructor(
    source: Iterable<Input> | AsyncIterable<Input>,
    call: (input: Input, context: BulkContext) => PromiseLike<Value> | Value,
    options: BulkOptions<Input>,
  ) {
    this.#concurrency = checkConcurrency('bulk', options.concurrency ?? 8);
    options.signal?.throwIfAborted();
    this.#items = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#call = call;
    this.#options = options;
    options.signal?.addEventListener('abort', this.#abort);
  }

  async *results(): AsyncGenerator<BulkResult<Input, Value>, void> {
    const { signal, stopOnError } = this.#options;
    void this.#take();
    for (;;) {
      const result = this.#tasks[0]?.result;
      if (result) {
        this.#tasks.shift();
        void this.#take();
        yield result;
        if (stopOnError && !result.ok) return;
      } else if (signal?.aborted) throw signal.reason;
      else if (this.#tasks.length > 0 || !this.#exhausted)
        await new Promise<void>(wake => {
          this.#wake = wake;
        });
      else if (this.#failure) throw this.#failure.error;
      else return;
    }
  }

  /** Cancels the calls in flight and closes the source; waits for that, unless the source is busy with an item. */
  async end(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#controller.abort();
    const closed = (async () => this.#items.return?.())().catch(() => {});
    if (!this.#taking) await closed;
  }

  readonly #abort = (): void => {
    this.#controller.abort(this.#options.signal?.reason);
    this.#wake();
  };

  /** Takes items for as long as calls may start. */
  async #take(): Promise<void> {
    if (this.#taking) return;
    this.#taking = true;
    try {
      while (this.#mayStart()) {
        const { done, value } = await this.#items.next();
        if (done) this.#exhausted = true;
        else if (!this.#controller.signal.aborted) this.#start(value);
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#taking = false;
    this.#wake();
  }

  #mayStart(): boolean {
    return (
      !this.#exhausted &&
      !this.#controller.signal.aborted &&
      this.#stopAfter === Number.POSITIVE_INFINITY &&
      this.#inFlight < this.#concurrency &&
      this.#tasks.length < this.#concurrency * waitingRounds
    );
  }

  #start(input: Input): void {
    const key = this.#options.key?.(input);
    const task = {};
    this.#tasks.push(task);
    this.#inFlight += 1;
    const ended = this.#perform(task, input, this.#next++, this.#lastOfKey.get(key));
    if (key === undefined) return;
    this.#lastOfKey.set(key, ended);
    void ended.then(() => this.#lastOfKey.get(key) === ended && this.#lastOfKey.delete(key));
  }

  async #perform(
    task: Task<Input, Value>,
    input: Input,
    index: number,
    before?: Promise<void>,
  ): Promise<void> {
    const { signal } = this.#controller;
    await before;
    if (!signal.aborted && index <= this.#stopAfter)
      try {
        task.result = { ok: true, index, input, value: await this.#call(input, { signal, index }) };
      } catch (error) {
        // A call that was cancelled has not failed: whoever goes on from the last result calls again.
        if (!signal.aborted) {
          task.result = { ok: false, index, input, error };
          this.#failed += 1;
          if (this.#options.stopOnError) this.#stopAfter = Math.min(this.#stopAfter, index);
        }
      }
    this.#inFlight -= 1;
    if (task.result) this.#progress();
    void this.#take();
    this.#wake();
  }

  #progress(): void {
    const done = ++this.#done;
    const perSecond = done / ((performance.now() - this.#startedAt) / 1000);
    try {
      this.#options.onProgress?.({ done, failed: this.#failed, inFlight: this.#inFlight, perSecond });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#exhausted = true;
  }
}
