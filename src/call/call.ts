/**
 * The steps that the calls of both clients have in common, in their order. `client/service-call.ts` and
 * `browser/handler-call.ts` call them between their own steps: encode, send, read, parse.
 */
import { checkOptions } from '../core/option-rules.ts';
import { sleep, withDeadline } from '../core/timers.ts';
import { type EmailMarketingError, InvalidRequestError } from '../errors.ts';
import { addCallSite, type CallResult } from './api-promise.ts';
import { lazyCallId, reportFailure, reportRetry } from './call-events.ts';
import { type CallOptions, callOptionRules, mergeCallOptions } from './call-options.ts';
import type { Call, CallEndpoint, CallFailure, CallSettings } from './call-state.ts';
import { failure, noResponseFailure, toError } from './failure.ts';
import { waitBeforeRetry } from './retries.ts';
import { type SendResult, timeLeftMs, wasAttempted, withoutResponse } from './send-result.ts';

/** Starts a call: its time runs from now. */
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
    id: lazyCallId(),
    startedAt,
    callSite: new Error(),
    options: settings.options,
    request: { path: endpoint.path, idempotent: false },
    permit: undefined,
    attempts: [],
    failures: [],
    idleSince: startedAt,
    releases: [],
  };
}

/** Sets the options of the call. Throws the error of those that are not valid. */
export function setOptions(call: Call, options: CallOptions | undefined): void {
  if (options === undefined) return;
  checkOptions(call.endpoint.name, options, callOptionRules(), call.settings.redact);
  call.options = mergeCallOptions(call.settings.options, options);
}

/** Waits until the rate limiter, if there is one, lets the next attempt start. Throws the error of the call if it does not. */
export async function takePermit(call: Call): Promise<void> {
  const { rateLimiter } = call.settings;
  if (!rateLimiter) return;
  // A retry that finds the queue full ends with the failure of the attempt before it.
  if (rateLimiter.isFull) throw call.failures.length > 0 ? toError(call) : errorAfter(call, queueFull);
  const acquire = (signal: AbortSignal) => rateLimiter.acquire(signal);
  try {
    call.permit = await withDeadline(timeLeftMs(call), [call.options.signal], acquire, 'totalTimeout');
  } catch (error) {
    const progress = { phase: 'permit', sentAt: performance.now() } as const;
    throw errorAfter(call, noResponseFailure(call, withoutResponse(call, progress, error)));
  }
}

const queueFull: CallFailure = /* @__PURE__ */ failure('EmailMarketingError', {
  summary: 'the queue of waiting calls is full (throttle.maxQueue)',
  outcome: 'not-sent',
  isTransient: true,
  advice: 'Start fewer calls at once, for example with bulk.',
  code: 'QUEUE_FULL',
});

/** Lists an attempt, if it was sent, and why it failed. Gives its permit back. */
export function endAttempt(call: Call, sent: SendResult, received: CallResult<unknown> | CallFailure): void {
  const { phase, sentAt, endedAt } = sent;
  const { reason, retryAfterMs, ...failed }: Partial<CallFailure> = 'data' in received ? {} : received;
  const status = failed.status ?? (sent.end === 'response' ? sent.response.status : undefined);
  // Before another call starts, the limiter learns how long the service asks all of them to wait.
  call.permit?.(retryAfterMs);
  const durationMs = Math.round(endedAt - sentAt);
  const waitMs = Math.round(sentAt - call.idleSince);
  if (wasAttempted({ phase })) call.attempts.push({ durationMs, waitMs, status, reason });
  if (!('data' in received)) call.failures.push(received);
  call.idleSince = endedAt;
}

/** Reports that the attempt is retried, and waits. Throws the error of the call if there is no other attempt. */
export async function retryOrThrow(call: Call, sent: SendResult): Promise<void> {
  const waitMs = waitBeforeRetry(call, sent);
  const attempt = call.attempts.at(-1);
  if (waitMs === undefined || !attempt) throw toError(call);
  reportRetry(call, attempt, waitMs);
  // An abort ends the wait, and then the next attempt before it sends anything.
  await sleep(waitMs, call.options.signal).catch(() => {});
}

/** Returns the error of a call that ends with a failure outside of its attempts. */
export function errorAfter(call: Call, failure: CallFailure): EmailMarketingError {
  call.failures.push(failure);
  return toError(call);
}

/** Reports how the call failed, and adds the caller's line to the stack of its error. */
export function failCall(call: Call, error: unknown): void {
  // The stack of an input that was refused here holds the caller's line already.
  if (!(error instanceof InvalidRequestError) || call.attempts.length > 0) addCallSite(error, call.callSite);
  reportFailure(call, error);
}

/** Gives back what the call holds, however it ended: its permit, and the secrets that messages of others may not show. */
export function releaseAll(call: Call): void {
  // Whatever was thrown, other calls must not wait for this permit for ever. One that was given back is given back once.
  call.permit?.();
  for (const release of call.releases) release();
}
