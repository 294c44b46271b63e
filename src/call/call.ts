import { ignoreErrors } from '../core/ignore-errors.ts';
import { checkOptions } from '../core/option-rules.ts';
import { sleep } from '../core/timers.ts';
import { type Attempt, AuthenticationError, EmailMarketingError, InvalidRequestError } from '../errors.ts';
import { type ApiPromise, addCallSite, CallPromise, type CallResult, reasonOf } from './api-promise.ts';
import { type AttemptLimits, type AttemptResult, type Previous, timeLeftMs } from './attempt.ts';
import {
  type CallOptions,
  callOptionRules,
  mergeCallOptions,
  type ResolvedCallOptions,
} from './call-options.ts';
import { type CallFailure, type FailureContext, toError } from './failure.ts';
import { type CallEvent, type CallHook, notWanted, type Observer, onDropped } from './hooks.ts';
import type { Permit, RateLimiter } from './rate-limiter.ts';
import { type CallTarget, maxRetryAfterMs, retryDelayMs } from './retries.ts';

/** Settings of a client, as each of its calls gets them. `withOptions` changes options, hooks and log only. */
export interface CallSettings {
  readonly redact: FailureContext['settings']['redact'];
  readonly copyError: FailureContext['settings']['copyError'];
  readonly maxResponseBytes: number;
  readonly options: ResolvedCallOptions;
  readonly hooks: readonly Observer[];
  readonly log?: Observer | undefined;
  /** Absent without a `throttle`. */
  readonly rateLimiter?: RateLimiter | undefined;
}

/** The part of a request that events show, and that decides if it is sent again. */
export interface CallRequest {
  /** Path, as it is sent. */
  readonly path: string;
  /** `true` if another call with the same input changes nothing. */
  readonly idempotent: boolean;
  /** `true` if the other end performs this call once, however many of its requests arrive. */
  readonly isPerformedOnce?: boolean;
  /** `true` if a function returns the key: after a 401, a call asks it once for another. */
  readonly renewsKey?: boolean;
}

/**
 * Starts a call. `perform` is its sequence: encode the input, make attempts until the call {@link Call.isDone}, and
 * parse. What it throws rejects the call, as an invalid input does.
 */
export function startCall<Data>(
  target: CallTarget,
  url: URL,
  settings: CallSettings,
  options: CallOptions | undefined,
  perform: (call: Call) => Promise<CallResult<Data> | CallFailure>,
): ApiPromise<Data> {
  const call = new Call(target, url, settings);
  const callSite = new Error();
  return new CallPromise(call.run(options, perform, callSite));
}

/** Creates the id of a call. Works in web pages that are not served over TLS, unlike `crypto.randomUUID`. */
function makeCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * One call: what became of its attempts, whether there is another, and what hooks and log hear of it. Only this file
 * writes to it.
 */
export class Call implements FailureContext {
  readonly target: CallTarget;
  readonly url: URL;
  readonly settings: CallSettings;
  options: ResolvedCallOptions;
  #id: string | undefined;
  readonly #startedAt = performance.now();
  readonly #attempts: Attempt[] = [];
  readonly #failures: CallFailure[] = [];
  #request: CallRequest | undefined;
  #permit: Permit | undefined;
  readonly #atEnd: (() => void)[] = [];
  /** Time since which nothing is sent, and the wait that has begun before a retry. */
  #idleSince = this.#startedAt;
  #waitMs = 0;

  constructor(target: CallTarget, url: URL, settings: CallSettings) {
    this.target = target;
    this.url = url;
    this.settings = settings;
    this.options = settings.options;
  }

  /** Id of this call, in its events and in what the browser client sends. Made when something asks for it. */
  get id(): string {
    this.#id ??= makeCallId();
    return this.#id;
  }

  /** Limits of every attempt of this call. */
  get limits(): AttemptLimits {
    const { signal, timeout, totalTimeout } = this.options;
    return { signal, timeout, endsAt: this.#startedAt + totalTimeout };
  }

  /** Performs the call, reports its end, and adds the caller's line to the stack of its error. */
  async run<Data>(
    options: CallOptions | undefined,
    perform: (call: Call) => Promise<CallResult<Data> | CallFailure>,
    callSite: Error,
  ): Promise<CallResult<Data>> {
    try {
      if (options !== undefined) {
        checkOptions(this.target.name, options, callOptionRules, this.settings.redact);
        this.options = mergeCallOptions(this.settings.options, options);
      }
      const result = await perform(this);
      if (!('data' in result)) throw this.#errorAfter(result);
      this.#report('onResponse', { outcome: 'done' });
      return result;
    } catch (error) {
      // The stack of an input that was refused here holds the caller's line already.
      const isRefusedHere = error instanceof InvalidRequestError && this.#attempts.length === 0;
      if (!isRefusedHere) addCallSite(error, callSite);
      const reason = reasonOf(error);
      const outcome = EmailMarketingError.isInstance(error) ? error.outcome : 'unknown';
      if (reason === notWanted) this.#report(onDropped, {});
      else this.#report('onError', { outcome, error: reason });
      throw error;
    } finally {
      this.#releasePermit();
      for (const release of this.#atEnd) release();
    }
  }

  /** Has a function called when this call has ended, and its error is made. */
  atEnd(release: () => void): void {
    this.#atEnd.push(release);
  }

  /** Stores the request that every attempt sends, once the input is valid, and returns it. */
  begin<Sent extends CallRequest>(request: Sent): Sent {
    this.#request = request;
    return request;
  }

  /** Waits until the rate limiter, if there is one, lets the next attempt start. */
  async takePermit(): Promise<void> {
    const permit = await this.settings.rateLimiter?.permitFor(this);
    if (permit && 'outcome' in permit) throw this.#errorAfter(permit);
    this.#permit = permit;
  }

  /** What is known from the attempts so far. */
  get previous(): Previous {
    return {
      mayHaveActed: this.#failures.some(({ outcome }) => outcome === 'unknown'),
      isKeyRefused: this.#failures.at(-1)?.errorClass === AuthenticationError,
    };
  }

  /** Returns `true` for data, and `false` if another attempt follows. Throws the error of the call if none may. */
  isDone(attempt: AttemptResult, result: CallResult<unknown> | CallFailure): result is CallResult<unknown> {
    this.#releasePermit('retryAfterMs' in result ? result.retryAfterMs : undefined);
    const isSent = attempt.phase === 'head' || attempt.phase === 'body';
    if (isSent) this.#attempts.push(attemptEntry(attempt, result, this.#idleSince));
    if ('data' in result) return true;
    this.#idleSince = attempt.endedAt;
    const waitMs = isSent ? this.#waitAfter(result) : undefined;
    if (waitMs === undefined) throw this.#errorAfter(result);
    this.#failures.push(result);
    this.#waitMs = waitMs;
    this.#report('onRetry', { ...this.#attempts.at(-1), waitMs: Math.round(waitMs) });
    return false;
  }

  /** Waits before the next attempt. An abort ends the wait, and then the attempt before anything is sent. */
  waitForRetry(): Promise<void> {
    return sleep(this.#waitMs, this.options.signal).catch(() => {});
  }

  #releasePermit(retryAfterMs?: number): void {
    this.#permit?.release(retryAfterMs);
    this.#permit = undefined;
  }

  /** Returns the milliseconds to wait before another attempt; `undefined` if this failure ends the call. */
  #waitAfter(failure: CallFailure): number | undefined {
    const failures = [...this.#failures, failure];
    const request = this.#request as CallRequest;
    return waitBeforeRetry(failures, request, this.options.maxRetries, timeLeftMs(this.limits));
  }

  #errorAfter(failure: CallFailure): EmailMarketingError {
    const failures = [...this.#failures, failure];
    return toError(this.target.name, failures, this.#attempts, this.#request?.idempotent === true);
  }

  reportRequest(): void {
    this.#report('onRequest', { attempt: this.#attempts.length + 1 });
  }

  /** Passes an event to the hooks and the log. It is made only if anyone receives it. */
  #report(hook: CallHook, details: Partial<CallEvent>): void {
    const { hooks, log } = this.settings;
    const receivers = hooks.filter(receiver => receiver[hook]);
    if (receivers.length === 0 && !log?.[hook]) return;
    const event = this.#event(details);
    for (const receiver of receivers)
      ignoreErrors(() => (receiver[hook] as (event: CallEvent) => unknown)(event));
    log?.[hook]?.(event as never, this.options.maxRetries + 1);
  }

  #event(details: Partial<CallEvent>): CallEvent {
    const { target, url, settings } = this;
    const path = this.#request?.path ?? target.path;
    return {
      operation: target.name,
      method: target.method,
      origin: url.origin,
      path: settings.redact(url.pathname + path),
      template: url.pathname + target.path,
      attempt: this.#attempts.length,
      callId: this.id,
      ...('outcome' in details && {
        durationMs: Math.round(performance.now() - this.#startedAt),
        status: this.#attempts.at(-1)?.status,
        attempts: this.#attempts,
      }),
      ...details,
    };
  }
}

/** Returns an attempt as events and errors list it. */
function attemptEntry(
  attempt: AttemptResult,
  result: CallResult<unknown> | CallFailure,
  idleSince: number,
): Attempt {
  const ofResponse = attempt.end === 'response' ? attempt.response.status : undefined;
  const { status = ofResponse, reason } = 'data' in result ? {} : result;
  const durationMs = Math.round(attempt.endedAt - attempt.sentAt);
  return { durationMs, waitMs: Math.round(attempt.sentAt - idleSince), status, reason };
}

/** Returns the milliseconds to wait before another attempt, after these failures; `undefined` if there is none. */
export function waitBeforeRetry(
  failures: readonly CallFailure[],
  { idempotent, isPerformedOnce, renewsKey }: Omit<CallRequest, 'path'>,
  maxRetries: number,
  timeLeftMs: number,
): number | undefined {
  const last = failures.at(-1);
  if (!last || failures.length > maxRetries) return undefined;
  const { outcome, isTransient, retryAfterMs } = last;
  const keyFailures = failures.filter(({ errorClass }) => errorClass === AuthenticationError);
  const isRenewed = renewsKey && keyFailures.length === 1 && keyFailures[0] === last;
  const mayRetry =
    isTransient &&
    outcome !== 'done' &&
    (idempotent || isPerformedOnce || outcome !== 'unknown') &&
    (retryAfterMs ?? 0) <= maxRetryAfterMs;
  if (!isRenewed && !mayRetry) return undefined;
  const waitMs = isRenewed ? 0 : retryDelayMs(failures.length, retryAfterMs);
  return waitMs < timeLeftMs ? waitMs : undefined;
}
