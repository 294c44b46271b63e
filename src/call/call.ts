import { ignoreErrors } from '../core/ignore-errors.ts';
import { checkOptions } from '../core/option-rules.ts';
import { sleep } from '../core/timers.ts';
import type { Attempt, Outcome } from '../error-details.ts';
import { AuthenticationError, EmailMarketingError, InvalidRequestError } from '../errors.ts';
import { type ApiPromise, addCallSite, CallPromise, type CallResult, reasonOf } from './api-promise.ts';
import {
  type AttemptContext,
  type AttemptLimits,
  type AttemptResult,
  attemptEntry,
  notWanted,
  type Previous,
  timeLeftMs,
  wasSent,
} from './attempt.ts';
import {
  type CallOptions,
  callOptionRules,
  mergeCallOptions,
  type ResolvedCallOptions,
} from './call-options.ts';
import { type CallFailure, type FailureContext, type FailureSettings, toError } from './failure.ts';
import type { CallAttemptEvent, CallSuccessEvent, EventOf, Hooks, Observer } from './hooks.ts';
import type { Permit, RateLimiter } from './rate-limiter.ts';
import { type CallTarget, maxRetryAfterMs, retryDelayMs } from './retries.ts';

/** Settings of a client, as each of its calls gets them. `withOptions` changes options, hooks and log only. */
export interface CallSettings extends FailureSettings {
  readonly options: ResolvedCallOptions;
  readonly hooks: readonly Observer[];
  /** Absent in a browser. */
  readonly log?: Observer<[maxAttempts: number]> | undefined;
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
 * Starts a call. `perform` is its sequence: encode the input, make attempts until one has data, and parse that. What it
 * throws rejects the call, as an invalid input does.
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
 * One call: what became of its attempts, whether there is another, and what hooks and log hear of it. The loops of both
 * clients call its public methods in the order in which they stand here.
 */
export class Call implements FailureContext {
  readonly target: CallTarget;
  readonly url: URL;
  readonly settings: CallSettings;
  #id: string | undefined;
  readonly #startedAt = performance.now();
  /** Those of the client, until those of the call are known to be valid. */
  #options: ResolvedCallOptions;
  #request: CallRequest | undefined;
  /** Requests that were sent, and the failures that were retried. */
  readonly #attempts: Attempt[] = [];
  readonly #failures: CallFailure[] = [];
  /** When the last attempt ended, or else the call began. */
  #idleSince = this.#startedAt;
  readonly #atEnd: (() => void)[] = [];

  constructor(target: CallTarget, url: URL, settings: CallSettings) {
    this.target = target;
    this.url = url;
    this.settings = settings;
    this.#options = settings.options;
  }

  get options(): ResolvedCallOptions {
    return this.#options;
  }

  /** Id of this call, in its events and in what the browser client sends. Made when something asks for it. */
  get id(): string {
    this.#id ??= makeCallId();
    return this.#id;
  }

  /** Limits of every attempt of this call. */
  get limits(): AttemptLimits {
    const { signal, timeout, totalTimeout } = this.#options;
    return { signal, timeout, endsAt: this.#startedAt + totalTimeout };
  }

  /** What is known from the attempts so far. */
  get previous(): Previous {
    return {
      hasUnknownOutcome: this.#failures.some(({ outcome }) => outcome === 'unknown'),
      isKeyRefused: this.#failures.at(-1)?.errorClass === AuthenticationError,
    };
  }

  /** Performs the call, reports its end, and adds the caller's line to the stack of its error. */
  async run<Data>(
    options: CallOptions | undefined,
    perform: (call: Call) => Promise<CallResult<Data> | CallFailure>,
    callSite: Error,
  ): Promise<CallResult<Data>> {
    try {
      if (options !== undefined) {
        checkOptions(this.target.name, options, callOptionRules(), this.settings.redact);
        this.#options = mergeCallOptions(this.settings.options, options);
      }
      const result = await perform(this);
      if (!('data' in result)) throw this.#errorAfter(result);
      this.#report('onSuccess', () => this.#endEvent('done'));
      return result;
    } catch (error) {
      // The stack of an input that was refused here holds the caller's line already.
      const isRefusedHere = error instanceof InvalidRequestError && this.#attempts.length === 0;
      if (!isRefusedHere) addCallSite(error, callSite);
      this.#reportFailure(error);
      throw error;
    } finally {
      for (const release of this.#atEnd) release();
    }
  }

  /** Stores the request that every attempt sends, once the input is valid, and returns it. */
  begin<Sent extends CallRequest>(request: Sent): Sent {
    this.#request = request;
    return request;
  }

  /** Waits until the rate limiter, if there is one, lets the next attempt start. */
  async takePermit(): Promise<Permit | undefined> {
    const permit = await this.settings.rateLimiter?.permitFor(this);
    if (typeof permit === 'object') throw this.#errorAfter(permit);
    // Nothing that is thrown until then may keep it: other calls would wait for it for ever.
    if (permit) this.#atEnd.push(permit);
    return permit;
  }

  /** Returns what the next attempt gets. */
  nextAttempt(): AttemptContext {
    return {
      limits: this.limits,
      headers: this.#options.headers,
      previous: this.previous,
      reportStart: () => this.#report('onRequest', () => this.#event(this.#attempts.length + 1)),
      atEnd: release => this.#atEnd.push(release),
    };
  }

  /** Gives the permit back, and lists the attempt if it was sent. */
  endAttempt(attempt: AttemptResult, result: CallResult<unknown> | CallFailure, permit?: Permit): void {
    permit?.('retryAfterMs' in result ? result.retryAfterMs : undefined);
    const entry = attemptEntry(attempt, result, this.#idleSince);
    if (entry) this.#attempts.push(entry);
    this.#idleSince = attempt.endedAt;
  }

  /** Reports a retry, and waits for it. Throws the error of the call if there is none. */
  async waitOrThrow(attempt: AttemptResult, failure: CallFailure): Promise<void> {
    const failures = [...this.#failures, failure];
    const request = this.#request as CallRequest;
    const timeMs = timeLeftMs(this.limits);
    const waitMs = waitBeforeRetry(attempt, failures, request, this.#options.maxRetries, timeMs);
    const entry = this.#attempts.at(-1);
    if (waitMs === undefined || !entry) throw this.#errorAfter(failure);
    this.#failures.push(failure);
    this.#report('onRetry', () => ({ ...this.#event(), ...entry, retryInMs: Math.round(waitMs) }));
    // An abort ends the wait, and then the next attempt before it sends anything.
    await sleep(waitMs, this.#options.signal).catch(() => {});
  }

  #errorAfter(failure: CallFailure): EmailMarketingError {
    const failures = [...this.#failures, failure];
    return toError(this.target.name, failures, this.#attempts, this.#request?.idempotent === true);
  }

  /** Reports that the call failed, or that it is a page that nobody wants any more, if anything was said of it before. */
  #reportFailure(thrown: unknown): void {
    const error = reasonOf(thrown);
    const outcome = EmailMarketingError.isInstance(thrown) ? thrown.outcome : 'unknown';
    if (error !== notWanted) this.#report('onError', () => ({ ...this.#endEvent(outcome), error }));
    else if (this.#attempts.length > 0) this.#report('onCancel', () => this.#event());
  }

  /** Passes an event to the hooks and the log. It is made only if anyone receives it. */
  #report<Hook extends keyof Hooks>(hook: Hook, makeEvent: () => EventOf<Hook>): void {
    const { hooks, log } = this.settings;
    if (!hooks.some(receiver => receiver[hook]) && !log?.[hook]) return;
    const event = makeEvent();
    for (const receiver of hooks) ignoreErrors(() => receiver[hook]?.(event));
    log?.[hook]?.(event, this.#options.maxRetries + 1);
  }

  #event(attempt = this.#attempts.length): CallAttemptEvent {
    const { target, url, settings } = this;
    const path = this.#request?.path ?? target.path;
    return {
      operation: target.name,
      method: target.method,
      origin: url.origin,
      path: settings.redact(url.pathname + path),
      template: url.pathname + target.path,
      attempt,
      callId: this.id,
    };
  }

  #endEvent(outcome: Outcome): CallSuccessEvent {
    return {
      ...this.#event(),
      durationMs: Math.round(performance.now() - this.#startedAt),
      status: this.#attempts.at(-1)?.status,
      attempts: this.#attempts,
      outcome,
    };
  }
}

/** Returns the milliseconds to wait before another attempt, after these failures; `undefined` if there is none. */
export function waitBeforeRetry(
  attempt: Pick<AttemptResult, 'phase'>,
  failures: readonly CallFailure[],
  { idempotent, isPerformedOnce, renewsKey }: Omit<CallRequest, 'path'>,
  maxRetries: number,
  timeLeftMs: number,
): number | undefined {
  const last = failures.at(-1);
  // If nothing was sent, a function of the options failed: it can retry what it does itself, and knows for how long.
  if (!last || failures.length > maxRetries || !wasSent(attempt)) return undefined;
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
