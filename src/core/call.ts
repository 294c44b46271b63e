import { type Attempt, EmailMarketingError, type ErrorDetails } from '../errors.ts';
import { sleep, timedOut, within } from './cancel.ts';
import { type Fault, isFault, ownFault, timeoutFault } from './fault.ts';
import type { HttpAnswer, HttpRequest, Send } from './http.ts';
import type { AttemptEvent, Observer } from './observe.ts';
import type { ResolvedOptions } from './options.ts';
import { mayRepeat, type RetryBudget, waitMs } from './retry.ts';
import type { Gate } from './throttle.ts';

/** What all calls of a client share. */
export interface Engine {
  readonly send: Send;
  readonly gate: Gate;
  readonly budget: RetryBudget;
  readonly observer: Observer;
  /** Largest answer that is read, in bytes. */
  readonly maxBytes: number;
  /** Whether a refusal with `Retry-After` holds the other calls back even when it is not tried again itself. */
  readonly alwaysHold: boolean;
}

/** What is called, apart from how often and how long. */
export interface CallPlan<T> {
  readonly operation: string;
  readonly method: string;
  /** Path without query, for observers. */
  readonly path: string;
  /** Whether a repeat after an unknown outcome changes nothing. */
  readonly repeat: 'always' | 'never';
  /** Makes the request of one attempt, its key included. */
  readonly request: () => HttpRequest | Promise<HttpRequest>;
  /** Reads an answer; throws a `Fault` where it tells of a failure. */
  readonly read: (answer: HttpAnswer) => T;
  /** What a repeated call that fails in this way has come to after all, if anything. */
  readonly settled: (fault: Fault) => T | undefined;
}

let calls = 0;

/** One call: its attempts, the waits between them, and what is known of it when it fails. */
export class Call<T> {
  readonly #plan: CallPlan<T>;
  readonly #engine: Engine;
  readonly #options: ResolvedOptions;
  readonly #attempts: Attempt[] = [];
  readonly #id = ++calls;
  readonly #deadline: number;
  #idleSince = performance.now();
  #mayHaveActed = false;

  constructor(plan: CallPlan<T>, engine: Engine, options: ResolvedOptions) {
    this.#plan = plan;
    this.#engine = engine;
    this.#options = options;
    this.#deadline = this.#idleSince + options.totalTimeout;
  }

  /** Makes the call. However it ends, observers hear of its end once. */
  async run(): Promise<T> {
    try {
      return await this.#untilSettled();
    } catch (error) {
      const { observer } = this.#engine;
      if (observer.hears('error')) observer.tell('error', { ...this.#event(), error });
      throw error;
    }
  }

  /** Attempts until it succeeds or must not be tried again. */
  async #untilSettled(): Promise<T> {
    for (;;) {
      try {
        return await this.#attempt();
      } catch (thrown) {
        if (!isFault(thrown)) throw thrown;
        const settled = this.#mayHaveActed ? this.#plan.settled(thrown) : undefined;
        if (settled !== undefined) return this.#succeed(settled);
        this.#mayHaveActed ||= thrown.outcome === 'unknown';
        await this.#backOff(thrown);
      }
    }
  }

  async #attempt(): Promise<T> {
    const { gate, observer, budget } = this.#engine;
    if (!gate.tryEnter()) await this.#bounded(signal => gate.enter(signal));
    try {
      const made = this.#plan.request();
      const request = made instanceof Promise ? await this.#bounded(() => made) : made;
      if (observer.hears('request')) observer.tell('request', this.#event(this.#attempts.length + 1));
      const value = await this.#exchange(request);
      budget.earn();
      return value;
    } finally {
      gate.leave();
    }
  }

  /** Sends, reads, and keeps the record of the attempt. */
  async #exchange(request: HttpRequest): Promise<T> {
    const { send, maxBytes } = this.#engine;
    const { signal, timeout } = this.#options;
    const started = performance.now();
    const left = this.#deadline - started;
    const waited = started - this.#idleSince;
    const keep = (end: Pick<Attempt, 'status' | 'reason'>) => {
      this.#idleSince = performance.now();
      const { status, reason } = end;
      const durationMs = Math.round(this.#idleSince - started);
      this.#attempts.push({ durationMs, waitMs: Math.round(waited), status, reason });
    };
    try {
      const limit = left < timeout ? 'totalTimeout' : 'timeout';
      const answer = await send(request, {
        timeoutMs: Math.max(1, Math.min(timeout, left)),
        limit,
        maxBytes,
        signal,
      });
      const value = this.#plan.read(answer);
      keep({ status: answer.status });
      return this.#succeed(value);
    } catch (thrown) {
      if (isFault(thrown)) keep(thrown);
      throw thrown;
    }
  }

  #succeed(value: T): T {
    const { observer } = this.#engine;
    const last = this.#attempts.at(-1);
    if (last && observer.hears('response')) observer.tell('response', { ...this.#event(), ...last });
    return value;
  }

  /** Waits before the next attempt, or throws the error where there must not be one. */
  async #backOff(fault: Fault): Promise<void> {
    const { gate, budget, observer, alwaysHold } = this.#engine;
    const { maxRetries, signal } = this.#options;
    const retry = this.#attempts.length;
    const ms = waitMs(retry, fault.retryAfterMs);
    const again =
      retry > 0 &&
      retry <= maxRetries &&
      mayRepeat(this.#plan.repeat, fault) &&
      performance.now() + ms < this.#deadline &&
      budget.take(fault);
    if (fault.retryAfterMs && (again || alwaysHold)) gate.hold(fault.retryAfterMs);
    if (!again) throw this.#error(fault);
    const last = this.#attempts.at(-1);
    if (last && observer.hears('retry'))
      observer.tell('retry', { ...this.#event(), ...last, waitMs: Math.round(ms) });
    await sleep(ms, signal);
  }

  /** Runs what comes before the sending within the call's whole time. */
  async #bounded<R>(run: (signal: AbortSignal) => Promise<R>): Promise<R> {
    const { signal } = this.#options;
    try {
      return await within(Math.max(0, this.#deadline - performance.now()), signal, run);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error === timedOut) throw timeoutFault('totalTimeout', 'queue', 'not-sent');
      throw EmailMarketingError.isInstance(error) ? error : ownFault(error);
    }
  }

  #event(attempt = this.#attempts.length): AttemptEvent {
    const { operation, method, path } = this.#plan;
    return { operation, method, path, attempt, callId: this.#id };
  }

  #error(fault: Fault): EmailMarketingError {
    const { operation } = this.#plan;
    const outcome = this.#mayHaveActed && fault.outcome !== 'done' ? 'unknown' : fault.outcome;
    const details: ErrorDetails = { operation, outcome, attempts: this.#attempts };
    const advice =
      outcome === 'unknown' && this.#plan.repeat === 'never'
        ? ' It may have taken effect: look before you repeat it.'
        : '';
    return fault.toError(`${operation}: ${fault.message}.${advice}`, details);
  }
}
