import { checkOptions } from '../core/options.ts';
import { sleep, withDeadline, withTimeout } from '../core/timers.ts';
import {
  type Attempt,
  AuthenticationError,
  EmailMarketingError,
  InvalidRequestError,
  type TimeoutPhase,
} from '../errors.ts';
import { type ApiPromise, addCallSite, CallPromise, type CallResult, reasonOf } from './api-promise.ts';
import {
  type CallOptions,
  callOptionRules,
  mergeCallOptions,
  type ResolvedCallOptions,
} from './call-options.ts';
import { type CallEvent, type CallHook, notify, notWanted, type Observer, onDropped } from './events.ts';
import { aborted, endingError, type FailedCall, isTransient, queueFull, retryAfterMs } from './failure.ts';
import type { RateLimiter, Release } from './rate-limiter.ts';
import { maxRetryAfterMs, retryDelayMs, type Target } from './retries.ts';

/** What a client gives to each of its calls. Clients that are made from it share all but options, hooks and log. */
export interface CallSettings {
  readonly options: ResolvedCallOptions;
  readonly hooks: readonly Observer[];
  readonly log?: Observer | undefined;
  /** Absent without a `throttle`. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
  /** Copies what a function of the user threw, without secrets. Absent if there are none. */
  readonly redactError?: ((thrown: unknown) => unknown) | undefined;
  /** Largest response that is read, in bytes. */
  readonly maxResponseBytes: number;
}

/** What all attempts of a call have in common. */
interface RetriedRequest {
  /** Path, as it is sent. */
  readonly path: string;
  /** `true` if another call with the same input changes nothing. */
  readonly idempotent: boolean;
  /** `true` if the other end performs this call once, however many of its requests arrive. */
  readonly isPerformedOnce?: boolean;
  /** `true` if a function returns the key: after a 401, a call asks it once for another. */
  readonly renewsKey?: boolean;
}

let callCount = 0;

/**
 * One call: its options and limits, its attempts and their retries, and its events. What is sent, and what a response
 * means, is up to the client.
 */
export class Call implements FailedCall {
  readonly target: Target;
  /** Base URL of the interface. Its host names the service in messages. */
  readonly url: URL;
  readonly settings: CallSettings;
  readonly attempts: { -readonly [Member in keyof Attempt]: Attempt[Member] }[] = [];
  options: ResolvedCallOptions;
  /** How far the attempt has come. */
  phase: TimeoutPhase = 'queue';
  /** Option that ends what the call does now. */
  limit: FailedCall['limit'] = 'totalTimeout';
  /** `true` if an attempt ended with an unknown outcome. */
  mayHaveActed = false;
  #request: RetriedRequest;
  /** Number of attempts after which the key was renewed, if it was. */
  #renewedAfter: number | undefined;
  readonly #id = ++callCount;
  readonly #startedAt = performance.now();
  #sentAt = 0;
  /** Time at which the last attempt ended, or the call began. */
  #idleSince = this.#startedAt;

  constructor(target: Target, url: URL, settings: CallSettings) {
    this.target = target;
    this.url = url;
    this.settings = settings;
    this.options = settings.options;
    this.#request = { path: target.path, idempotent: false };
  }

  /** `true` if an attempt that came before may have deleted what the call deletes. */
  get isRepeatedDeletion(): boolean {
    return this.target.kind === 'delete' && this.mayHaveActed;
  }

  get idempotent(): boolean {
    return this.#request.idempotent;
  }

  /** `true` if the last attempt ended with a 401, and a function is asked for another key. */
  get isKeyRefused(): boolean {
    return this.#renewedAfter === this.attempts.length;
  }

  /** Performs the steps of this call, and reports its end. Never throws: an invalid input is a rejection too. */
  perform<T>(steps: () => Promise<CallResult<T>>): ApiPromise<T> {
    return new CallPromise(this.#observe(steps, new Error()));
  }

  async #observe<T>(steps: () => Promise<CallResult<T>>, callSite: Error): Promise<CallResult<T>> {
    try {
      const result = await steps();
      this.#report('onResponse', { outcome: 'done' });
      return result;
    } catch (error) {
      // The stack of an input that was refused here holds the caller's line already.
      const isRefusedHere = error instanceof InvalidRequestError && this.attempts.length === 0;
      if (!isRefusedHere) addCallSite(error, callSite);
      const reason = reasonOf(error);
      const outcome = EmailMarketingError.isInstance(error) ? error.outcome : 'unknown';
      if (reason === notWanted) this.#report(onDropped);
      else this.#report('onError', { outcome, error: reason });
      throw error;
    }
  }

  /** Checks the options that the caller passed, and merges them over those of the client. */
  setOptions(options: CallOptions | undefined): void {
    if (options === undefined) return;
    checkOptions(this.target.name, options, callOptionRules, this.settings.redact);
    this.options = mergeCallOptions(this.settings.options, options);
  }

  /** Makes attempts until one succeeds. Throws the error of the last one, if it must not be retried. */
  async retry<T>(request: RetriedRequest, attempt: () => Promise<T>): Promise<T> {
    this.#request = request;
    for (;;) {
      try {
        return await this.#attempt(attempt);
      } catch (error) {
        const waitMs = this.#decideRetry(error);
        if (waitMs === undefined) throw error;
        this.#report('onRetry', { ...this.attempts.at(-1), waitMs: Math.round(waitMs) });
        // An abort ends the wait, and the call before its next attempt.
        await sleep(waitMs, this.options.signal).catch(() => {});
      }
    }
  }

  /** Makes one attempt, under a permit of the rate limiter if there is one. */
  async #attempt<T>(attempt: () => Promise<T>): Promise<T> {
    const { rateLimiter } = this.settings;
    this.phase = 'queue';
    // The response to an attempt with an unknown outcome counts as unknown: `mayHaveActed`.
    if (this.options.signal?.aborted)
      throw aborted(this, this.attempts.at(-1)?.status ? 'refused' : 'not-sent');
    const release = rateLimiter && (await this.#permit(rateLimiter));
    this.limit = this.#shorterLimit();
    let failure: unknown;
    try {
      return await attempt();
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      this.#endAttempt();
      release?.(retryAfterMs(failure));
    }
  }

  /** Waits for a permit, and returns the function that returns it. */
  async #permit(rateLimiter: RateLimiter): Promise<Release> {
    this.limit = 'totalTimeout';
    if (rateLimiter.isFull) throw queueFull(this);
    try {
      return await withDeadline(this.timeLeftMs(), this.options.signal, signal =>
        rateLimiter.acquire(signal),
      );
    } catch (error) {
      throw endingError(this, error);
    }
  }

  /** Begins the attempt. What sends it calls this once, right before. */
  begin(): void {
    this.phase = 'head';
    this.limit = this.#shorterLimit();
    this.#sentAt = performance.now();
    const waitMs = Math.round(this.#sentAt - this.#idleSince);
    this.attempts.push({ durationMs: 0, waitMs, status: undefined, reason: undefined });
    this.#report('onRequest');
  }

  /** Notes that the head of the response has come. */
  receiveHead(): void {
    this.phase = 'body';
  }

  /** Notes the status that the attempt has in the list of attempts. */
  receiveStatus(status: number): void {
    const last = this.attempts.at(-1);
    if (last) last.status = status;
  }

  #endAttempt(): void {
    const last = this.attempts.at(-1);
    if (this.phase === 'queue' || !last) return;
    this.#idleSince = performance.now();
    last.durationMs = Math.round(this.#idleSince - this.#sentAt);
  }

  /**
   * Decides if there is another attempt. Returns the milliseconds before it; `undefined` without one.
   */
  #decideRetry(error: unknown): number | undefined {
    if (!(error instanceof EmailMarketingError)) return undefined;
    const { attempts, options } = this;
    const { idempotent, isPerformedOnce, renewsKey } = this.#request;
    this.mayHaveActed ||= error.outcome === 'unknown';
    // A call asks for another key once.
    const isRenewed = error instanceof AuthenticationError && renewsKey && this.#renewedAfter === undefined;
    if (isRenewed) this.#renewedAfter = attempts.length;
    const requestedMs = retryAfterMs(error);
    const mayRetry =
      isTransient(error) &&
      error.outcome !== 'done' &&
      (idempotent || isPerformedOnce || error.outcome !== 'unknown') &&
      (requestedMs ?? 0) <= maxRetryAfterMs;
    const waitMs = isRenewed ? 0 : retryDelayMs(attempts.length, requestedMs);
    const isRetried =
      attempts.length <= options.maxRetries && (isRenewed || mayRetry) && waitMs < this.timeLeftMs();
    return isRetried ? waitMs : undefined;
  }

  /** Returns the milliseconds until `totalTimeout` ends the call. */
  timeLeftMs(): number {
    return Math.max(0, this.#startedAt + this.options.totalTimeout - performance.now());
  }

  #shorterLimit(): FailedCall['limit'] {
    return this.timeLeftMs() < this.options.timeout ? 'totalTimeout' : 'timeout';
  }

  /** Runs a part of an attempt within its limits, even if the task ignores its signal. */
  limited<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withTimeout(Math.min(this.options.timeout, this.timeLeftMs()), this.options.signal, task);
  }

  #report(hook: CallHook, details: Partial<CallEvent> = {}): void {
    const { hooks, log } = this.settings;
    notify(hooks, log, hook, () => this.#event(details), this.options.maxRetries + 1);
  }

  #event(details: Partial<CallEvent>): CallEvent {
    const { target, url, attempts } = this;
    return {
      operation: target.name,
      method: target.method,
      origin: url.origin,
      path: this.settings.redact(url.pathname + this.#request.path),
      template: url.pathname + target.path,
      attempt: attempts.length,
      callId: this.#id,
      ...('outcome' in details && {
        durationMs: Math.round(performance.now() - this.#startedAt),
        status: attempts.at(-1)?.status,
        attempts,
      }),
      ...details,
    };
  }
}

/** Returns the result of a deletion that acted at an attempt whose response was lost: the next one finds nothing. */
export const deletedBefore = (): CallResult<unknown> => ({
  data: { status: 'success', message: '' },
  status: 200,
  headers: () => new Headers(),
});
