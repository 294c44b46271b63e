import { ignoreErrors } from '../core/ignore-errors.ts';
import { checkOptions } from '../core/option-rules.ts';
import { sleep, withDeadline } from '../core/timers.ts';
import { type Attempt, AuthenticationError, EmailMarketingError, InvalidRequestError } from '../errors.ts';
import { type ApiPromise, addCallSite, CallPromise, type CallResult, reasonOf } from './api-promise.ts';
import { type AttemptResult, type Circumstances, type Ended, ended, timeLeftMs } from './attempt.ts';
import {
  type CallOptions,
  callOptionRules,
  mergeCallOptions,
  type ResolvedCallOptions,
} from './call-options.ts';
import { type Failure, toError } from './failure.ts';
import { type CallEvent, type CallHook, notWanted, type Observer, onDropped } from './hooks.ts';
import type { RateLimiter, Release } from './rate-limiter.ts';
import { maxRetryAfterMs, retryDelayMs, type Target } from './retries.ts';

/** What a client gives to each of its calls. Clients that are made from it share all but options, hooks and log. */
export type CallSettings = Circumstances['settings'] & {
  readonly options: ResolvedCallOptions;
  readonly hooks: readonly Observer[];
  readonly log?: Observer | undefined;
  /** Absent without a `throttle`. */
  readonly rateLimiter?: RateLimiter | undefined;
};

/** What every attempt of a call sends, and what decides if there is another. */
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

/** What a client does in a call: the full one speaks to the service, that of a web page to a handler. */
export interface Steps<Request extends CallRequest, Data> {
  readonly target: Target;
  readonly url: URL;
  readonly settings: CallSettings;
  /** Checks the input, and returns the request. Throws the error of an input that is not valid. */
  encode(): Request;
  /** Makes one request. Never throws. */
  attempt(request: Request, given: Circumstances): Promise<AttemptResult>;
  /** Says what an attempt means: what its response holds, or why it failed. */
  classify(made: AttemptResult, given: Circumstances): CallResult<unknown> | Failure;
  /** Makes data of what a response holds. */
  parse(
    received: CallResult<unknown>,
    request: Request,
    given: Circumstances,
  ): Promise<CallResult<Data> | Failure>;
}

/** Makes a call. Never throws: an invalid input is a rejection too. */
export function makeCall<Request extends CallRequest, Data>(
  options: CallOptions | undefined,
  steps: Steps<Request, Data>,
): ApiPromise<Data> {
  const call = new Call(steps);
  const callSite = new Error();
  return new CallPromise(call.reported(call.perform(options), callSite));
}

let callCount = 0;

/** One call: the loop of its attempts, and what hooks and log hear of it. */
class Call<Request extends CallRequest, Data> {
  readonly #steps: Steps<Request, Data>;
  readonly #id = ++callCount;
  readonly #startedAt = performance.now();
  readonly #attempts: Attempt[] = [];
  /** Time at which the last attempt ended, or the call began. */
  #idleSince = this.#startedAt;
  #path: string;
  #maxRetries: number;

  constructor(steps: Steps<Request, Data>) {
    this.#steps = steps;
    this.#path = steps.target.path;
    this.#maxRetries = steps.settings.options.maxRetries;
  }

  /** Checks and encodes the input, makes attempts until one succeeds or is the last, and parses the data. */
  async perform(callOptions: CallOptions | undefined): Promise<CallResult<Data>> {
    const { target, url, settings, ...steps } = this.#steps;
    const request = steps.encode();
    const options = this.#optionsOf(callOptions);
    this.#path = request.path;
    this.#maxRetries = options.maxRetries;
    const endsAt = this.#startedAt + options.totalTimeout;
    const failures: Failure[] = [];
    for (;;) {
      const given: Circumstances = {
        url,
        settings,
        options,
        endsAt,
        mayHaveActed: failures.some(({ outcome }) => outcome === 'unknown'),
        isKeyRefused: failures.at(-1)?.errorClass === AuthenticationError,
        onSend: () => this.#report('onRequest', { attempt: this.#attempts.length + 1 }),
      };
      const permit = settings.rateLimiter && (await acquire(settings.rateLimiter, given));
      let received: CallResult<unknown> | Failure | undefined;
      try {
        const made = permit?.ended ?? (await steps.attempt(request, given));
        received = steps.classify(made, given);
        this.#list(made, received);
      } finally {
        permit?.release?.(received && 'retryAfterMs' in received ? received.retryAfterMs : undefined);
      }
      const result = 'data' in received ? await steps.parse(received, request, given) : received;
      if ('data' in result) return result;
      failures.push(result);
      const waitMs = waitBeforeRetry(failures, request, options.maxRetries, timeLeftMs(endsAt));
      if (waitMs === undefined) throw toError(target.name, failures, this.#attempts, request.idempotent);
      this.#report('onRetry', { ...this.#attempts.at(-1), waitMs: Math.round(waitMs) });
      // An abort ends the wait, and the call before its next attempt.
      await sleep(waitMs, options.signal).catch(() => {});
    }
  }

  /** Checks the options that the caller passed, and merges them over those of the client. */
  #optionsOf(given: CallOptions | undefined): ResolvedCallOptions {
    const { target, settings } = this.#steps;
    if (given === undefined) return settings.options;
    checkOptions(target.name, given, callOptionRules, settings.redact);
    return mergeCallOptions(settings.options, given);
  }

  /** Lists an attempt for the user, unless nothing was sent. */
  #list(made: AttemptResult, result: CallResult<unknown> | Failure): void {
    if (made.phase === 'queue') return;
    const ofResponse = made.end === 'response' ? made.response.status : undefined;
    const { status = ofResponse, reason } = 'data' in result ? {} : result;
    const durationMs = Math.round(made.endedAt - made.sentAt);
    const waitMs = Math.round(made.sentAt - this.#idleSince);
    this.#attempts.push({ durationMs, waitMs, status, reason });
    this.#idleSince = made.endedAt;
  }

  /** Reports the end of a call, and adds the caller's line to the stack of its error. */
  async reported(call: Promise<CallResult<Data>>, callSite: Error): Promise<CallResult<Data>> {
    try {
      const result = await call;
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
    }
  }

  /** Passes an event to the hooks and the log. It is made only if anyone receives it. */
  #report(hook: CallHook, details: Partial<CallEvent>): void {
    const { hooks, log } = this.#steps.settings;
    const receivers = hooks.filter(receiver => receiver[hook]);
    if (receivers.length === 0 && !log?.[hook]) return;
    const event = this.#event(details);
    for (const receiver of receivers)
      ignoreErrors(() => (receiver[hook] as (event: CallEvent) => unknown)(event));
    log?.[hook]?.(event as never, this.#maxRetries + 1);
  }

  #event(details: Partial<CallEvent>): CallEvent {
    const { target, url, settings } = this.#steps;
    return {
      operation: target.name,
      method: target.method,
      origin: url.origin,
      path: settings.redact(url.pathname + this.#path),
      template: url.pathname + target.path,
      attempt: this.#attempts.length,
      callId: this.#id,
      ...('outcome' in details && {
        durationMs: Math.round(performance.now() - this.#startedAt),
        status: this.#attempts.at(-1)?.status,
        attempts: this.#attempts,
      }),
      ...details,
    };
  }
}

/** How to give a permit back, or the attempt that ended without one. */
interface Permit {
  readonly release?: Release;
  readonly ended?: Ended;
}

/** Waits for a permit of the rate limiter. */
async function acquire(rateLimiter: RateLimiter, given: Circumstances): Promise<Permit> {
  // `timeout` begins with the permit: only `totalTimeout` ends the wait for it.
  const made = { phase: 'queue', sentAt: Number.POSITIVE_INFINITY } as const;
  if (rateLimiter.isFull) return { ended: { ...made, endedAt: made.sentAt, end: 'queue full' } };
  try {
    const ask = (signal: AbortSignal) => rateLimiter.acquire(signal);
    return { release: await withDeadline(timeLeftMs(given.endsAt), given.options.signal, ask) };
  } catch (error) {
    return { ended: ended(made, error, given) };
  }
}

/** Returns the milliseconds to wait before another attempt, after these failures; `undefined` if there is none. */
export function waitBeforeRetry(
  failures: readonly Failure[],
  { idempotent, isPerformedOnce, renewsKey }: Omit<CallRequest, 'path'>,
  maxRetries: number,
  timeLeftMs: number,
): number | undefined {
  const last = failures.at(-1);
  if (!last || failures.length > maxRetries) return undefined;
  const { outcome, isTransient, retryAfterMs } = last;
  const ofKey = failures.filter(({ errorClass }) => errorClass === AuthenticationError);
  const isRenewed = renewsKey && ofKey.length === 1 && ofKey[0] === last;
  const mayRetry =
    isTransient &&
    outcome !== 'done' &&
    (idempotent || isPerformedOnce || outcome !== 'unknown') &&
    (retryAfterMs ?? 0) <= maxRetryAfterMs;
  if (!isRenewed && !mayRetry) return undefined;
  const waitMs = isRenewed ? 0 : retryDelayMs(failures.length, retryAfterMs);
  return waitMs < timeLeftMs ? waitMs : undefined;
}
