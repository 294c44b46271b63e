/**
 * Steps of a call, in order. `client/service-call.ts` and `browser/handler-call.ts` contain the whole sequence, with
 * their own steps: encode, send, read and parse. The browser client has no rate limiter and no secrets, so it leaves
 * out `takePermit` and `releaseAll`.
 */
import { checkOptions } from '../core/option-rules.ts';
import { sleep, withDeadline } from '../core/timers.ts';
import { InvalidRequestError } from '../errors.ts';
import { addCallSite } from './api-promise.ts';
import { reportFailure, reportRetry } from './call-events.ts';
import { type CallOptions, callOptionRules, mergeCallOptions } from './call-options.ts';
import type { Answer, Call, CallEndpoint, CallFailure, CallSettings } from './call-state.ts';
import { failure, noResponseFailure, toError } from './failure.ts';
import { waitBeforeRetry } from './retries.ts';
import { type SendResult, wasAttempted, withoutResponse } from './send-result.ts';
import { timeLeftMs } from './time-limits.ts';

/** Creates the state of a call. Its time limits start now. */
export function startCall<Endpoint extends CallEndpoint, Settings extends CallSettings>(
  endpoint: Endpoint,
  url: URL,
  settings: Settings,
): Call<Endpoint, Settings> {
  const startedAt = performance.now();
  return {
    endpoint,
    settings,
    url,
    id: undefined,
    startedAt,
    callSite: new Error(),
    options: settings.defaults,
    request: { path: endpoint.path, idempotent: false },
    releasePermit: undefined,
    attempts: [],
    failures: [],
    idleSince: startedAt,
    releases: [],
  };
}

/** Checks and sets the options of the call. Throws an `InvalidRequestError` if one is invalid. */
export function setOptions(call: Call, options: CallOptions | undefined): void {
  if (options === undefined) return;
  checkOptions(call.endpoint.name, options, callOptionRules(), call.settings.redact);
  call.options = mergeCallOptions(call.settings.defaults, options);
}

/** Waits for a permit if the client has a rate limiter. Throws the error of the call if it gets none. */
export async function takePermit(call: Call): Promise<void> {
  const { rateLimiter } = call.settings;
  if (!rateLimiter) return;
  // If the queue is full at a retry, the call fails with the failure that was to be retried.
  if (rateLimiter.isFull) throw toError(call, call.failures.at(-1) ?? queueFull);
  const acquire = (signal: AbortSignal) => rateLimiter.acquire(signal);
  try {
    call.releasePermit = await withDeadline(timeLeftMs(call), [call.options.signal], acquire, 'totalTimeout');
  } catch (error) {
    const progress = { phase: 'permit', sentAt: performance.now() } as const;
    throw toError(call, noResponseFailure(call, withoutResponse(call, progress, error)));
  }
}

const queueFull: CallFailure = /* @__PURE__ */ failure('EmailMarketingError', {
  summary: 'the queue of waiting calls is full (throttle.maxQueue)',
  outcome: 'not-sent',
  advice: 'Start fewer calls at once, for example with bulk.',
  code: 'QUEUE_FULL',
});

/** Ends an attempt: releases its permit, and records the attempt and its failure. */
export function endAttempt(call: Call, sent: SendResult, answer: Answer): void {
  const { phase, sentAt, endedAt } = sent;
  const { reason, retryAfterMs, ...failed }: Partial<CallFailure> = 'data' in answer ? {} : answer;
  const status = failed.status ?? (sent.end === 'response' ? sent.response.status : undefined);
  // If the service requests a wait, this pauses all calls before another starts.
  call.releasePermit?.(retryAfterMs);
  const durationMs = Math.round(endedAt - sentAt);
  const waitMs = Math.round(sentAt - call.idleSince);
  if (wasAttempted(phase)) call.attempts.push({ durationMs, waitMs, status, reason });
  if (!('data' in answer)) call.failures.push(answer);
  call.idleSince = endedAt;
}

/** Waits before the next attempt, or throws the error of the call if it is not retried. */
export async function retryOrThrow(call: Call, sent: SendResult): Promise<void> {
  const waitMs = waitBeforeRetry(call, sent);
  if (waitMs === undefined) throw toError(call);
  reportRetry(call, waitMs);
  // An abort ends the wait. The next attempt then fails before it sends anything.
  await sleep(waitMs, call.options.signal).catch(() => {});
}

/** Reports how the call failed, and adds the caller's line to the stack of its error. */
export function failCall(call: Call, error: unknown): void {
  // The stack of an `InvalidRequestError` already contains the caller's line if nothing was sent.
  if (!(error instanceof InvalidRequestError) || call.attempts.length > 0) addCallSite(error, call.callSite);
  reportFailure(call, error);
}

/** Releases the permit of the call, and its secrets in the redactor. */
export function releaseAll(call: Call): void {
  // If a step threw, other calls would otherwise wait forever. Releasing twice does no harm.
  call.releasePermit?.();
  for (const release of call.releases) release();
}
