import type { BulkContext, BulkOptions, BulkResult } from './bulk.ts';
import { quietly } from './http/call/telemetry.ts';
import { invalidRequest } from './http/issues.ts';

/** Results that may wait for an earlier one or for the loop, as a multiple of `concurrency`. */
const waitingRounds = 4;

/** Calls in flight unless `concurrency` says otherwise: enough to hide latency, few enough for any service. */
const defaultConcurrency = 8;

/** Items of a bulk. */
export type Source<Input> = Iterable<Input> | AsyncIterable<Input>;

/** Function that a bulk calls for each item. */
export type Call<Input, Value> = (input: Input, context: BulkContext) => PromiseLike<Value> | Value;

/** `in` throws for a text, which is iterable too. */
const isAsync = <Input>(source: Source<Input>): source is AsyncIterable<Input> =>
  Symbol.asyncIterator in Object(source);

/** One bulk: a side that takes items and starts calls, and a side that returns results in order. */
export class BulkRun<Input, Value> {
  readonly #items: Iterator<Input> | AsyncIterator<Input>;
  readonly #call: Call<Input, Value>;
  readonly #options: BulkOptions<Input>;
  readonly #concurrency: number;
  readonly #controller = new AbortController();
  /** Results that were not returned yet, by the index of their item. */
  readonly #results = new Map<number, BulkResult<Input, Value>>();
  /** The last call of each key that has not ended. */
  readonly #lastOfKey = new Map<unknown, Promise<void>>();
  readonly #startedAt = performance.now();
  #started = 0;
  #returned = 0;
  #done = 0;
  #failed = 0;
  #inFlight = 0;
  #isTaking = false;
  /** Nothing more is taken from the source. */
  #isExhausted = false;
  /** The source ended or threw by itself, so that it needs no closing. */
  #hasSourceEnded = false;
  /** Thrown after the results. */
  #failure: { readonly error: unknown } | undefined;
  /** With `stopOnError`: the first item whose call failed. Later ones are not called for. */
  #stopAfter = Number.POSITIVE_INFINITY;
  #hasStopped = false;
  #wake = () => {};

  constructor(source: Source<Input>, call: Call<Input, Value>, options: BulkOptions<Input>) {
    this.#concurrency = options.concurrency ?? defaultConcurrency;
    this.#items = isAsync(source) ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    this.#call = call;
    this.#options = options;
    options.signal?.addEventListener('abort', this.#abort);
  }

  /** Resolves to the next result in the order of the items; `undefined` at the end. */
  async next(): Promise<BulkResult<Input, Value> | undefined> {
    const { signal, stopOnError } = this.#options;
    void this.#take();
    while (!this.#hasStopped) {
      const result = this.#results.get(this.#returned);
      if (result) {
        this.#results.delete(this.#returned++);
        this.#hasStopped = stopOnError === true && !result.ok;
        return result;
      }
      if (signal?.aborted) throw signal.reason;
      if (this.#returned === this.#started && this.#isExhausted) break;
      await new Promise<void>(wake => {
        this.#wake = wake;
      });
    }
    if (this.#failure && !this.#hasStopped) throw this.#failure.error;
    return undefined;
  }

  /** Cancels the calls in flight and closes a source that has not ended; waits for that unless the source is busy. */
  async end(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#controller.abort();
    if (this.#hasSourceEnded) return;
    const closed = (async () => this.#items.return?.())().catch(() => {});
    if (!this.#isTaking) await closed;
  }

  readonly #abort = (): void => {
    this.#controller.abort(this.#options.signal?.reason);
    this.#wake();
  };

  /** Takes items for as long as calls may start. */
  async #take(): Promise<void> {
    if (this.#isTaking) return;
    this.#isTaking = true;
    while (this.#mayStart()) {
      const item = await this.#nextItem();
      if (item && !this.#controller.signal.aborted) this.#start(item.value);
    }
    this.#isTaking = false;
    this.#wake();
  }

  async #nextItem(): Promise<{ readonly value: Input } | undefined> {
    try {
      const item = await this.#items.next();
      if (!item.done) return item;
      this.#isExhausted = true;
    } catch (error) {
      this.#fail(error);
    }
    this.#hasSourceEnded = true;
    return undefined;
  }

  #mayStart(): boolean {
    return (
      !this.#isExhausted &&
      !this.#controller.signal.aborted &&
      this.#stopAfter === Number.POSITIVE_INFINITY &&
      this.#inFlight < this.#concurrency &&
      this.#started - this.#returned < this.#concurrency * waitingRounds
    );
  }

  #start(input: Input): void {
    let key: unknown;
    try {
      key = this.#keyOf(input);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#inFlight += 1;
    const ended = this.#perform(input, this.#started++, this.#lastOfKey.get(key));
    if (key === undefined) return;
    this.#lastOfKey.set(key, ended);
    void ended.then(() => this.#lastOfKey.get(key) === ended && this.#lastOfKey.delete(key));
  }

  #keyOf(input: Input): unknown {
    const key = this.#options.key?.(input);
    if (!(key instanceof Promise)) return key;
    key.catch(() => {});
    throw invalidRequest('bulk', [
      { path: 'key', expected: 'a function that returns a value', received: 'a promise' },
    ]);
  }

  async #perform(input: Input, index: number, before?: Promise<void>): Promise<void> {
    const { signal } = this.#controller;
    await before;
    if (!signal.aborted && index <= this.#stopAfter)
      try {
        const value = await this.#call(input, { signal, index });
        this.#results.set(index, { ok: true, index, input, value });
      } catch (error) {
        // A call that was cancelled has not failed: whoever resumes after the last result calls again.
        if (!signal.aborted) {
          this.#results.set(index, { ok: false, index, input, error });
          this.#failed += 1;
          if (this.#options.stopOnError) this.#stopAfter = Math.min(this.#stopAfter, index);
        }
      }
    this.#inFlight -= 1;
    if (this.#results.has(index)) this.#progress();
    void this.#take();
    this.#wake();
  }

  #progress(): void {
    const done = ++this.#done;
    const seconds = Math.max(1, performance.now() - this.#startedAt) / 1000;
    const perSecond = done / seconds;
    const progress = { done, failed: this.#failed, inFlight: this.#inFlight, perSecond };
    quietly(() => this.#options.onProgress?.(progress));
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#isExhausted = true;
  }
}
