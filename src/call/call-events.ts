import { ignoreErrors } from '../core/ignore-errors.ts';
import type { Attempt, Outcome } from '../error-details.ts';
import { EmailMarketingError } from '../errors.ts';
import { reasonOf } from './api-promise.ts';
import type { Call } from './call-state.ts';
import type { CallAttemptEvent, CallSuccessEvent, EventOf, Hooks } from './hooks.ts';

/** Returns the id of a call. It is made on first use: it takes 2 % of the time of a call, and most calls do not use it. */
export const callIdOf = (call: Call): string => (call.id ??= makeCallId());

/** Works in web pages that are not served over TLS, unlike `crypto.randomUUID`. */
const makeCallId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

export const reportRequest = (call: Call): void =>
  callHooks(call, 'onRequest', () => attemptEvent(call, call.attempts.length + 1));

/** Reports that the last attempt is retried. */
export const reportRetry = (call: Call, waitMs: number): void =>
  callHooks(call, 'onRetry', () => {
    const attempt = call.attempts.at(-1) as Attempt;
    return { ...attemptEvent(call), ...attempt, retryInMs: Math.round(waitMs) };
  });

export const reportSuccess = (call: Call): void => callHooks(call, 'onSuccess', () => endEvent(call, 'done'));

/**
 * Abort reason of a page that its iteration no longer needs, which is not a failure. It is not an `Error`, because
 * making a stack takes time.
 */
export const pageNoLongerNeeded: unknown = { reason: 'not needed' };

/** Reports that the call failed, or that its page is no longer needed, if an event reported its request. */
export function reportFailure(call: Call, thrown: unknown): void {
  const error = reasonOf(thrown);
  const outcome = EmailMarketingError.isInstance(thrown) ? thrown.outcome : 'unknown';
  if (error !== pageNoLongerNeeded) callHooks(call, 'onError', () => ({ ...endEvent(call, outcome), error }));
  else if (call.attempts.length > 0) callHooks(call, 'onCancel', () => attemptEvent(call));
}

/** Calls a hook of each receiver. The event is created only if there is a receiver. */
function callHooks<Hook extends keyof Hooks>(
  { settings: { hooks } }: Call,
  hook: Hook,
  makeEvent: () => EventOf<Hook>,
): void {
  if (!hooks.some(receiver => receiver[hook])) return;
  const event = makeEvent();
  for (const receiver of hooks) ignoreErrors(() => receiver[hook]?.(event));
}

const attemptEvent = (call: Call, attempt = call.attempts.length): CallAttemptEvent => ({
  operation: call.endpoint.name,
  method: call.endpoint.method,
  origin: call.url.origin,
  path: call.settings.redact(call.url.pathname + call.request.path),
  template: call.settings.redact(call.url.pathname + call.endpoint.path),
  attempt,
  callId: callIdOf(call),
});

const endEvent = (call: Call, outcome: Outcome): CallSuccessEvent => ({
  ...attemptEvent(call),
  durationMs: Math.round(performance.now() - call.startedAt),
  status: call.attempts.at(-1)?.status,
  attempts: call.attempts,
  outcome,
});
