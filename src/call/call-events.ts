import { ignoreErrors } from '../core/ignore-errors.ts';
import type { Attempt, Outcome } from '../error-details.ts';
import { EmailMarketingError } from '../errors.ts';
import { reasonOf } from './api-promise.ts';
import { notWanted } from './attempt.ts';
import type { ResolvedCallOptions } from './call-options.ts';
import type { CallSettings } from './call-settings.ts';
import type { CallAttemptEvent, CallSuccessEvent, EventOf, Hooks } from './hooks.ts';
import type { CallTarget } from './retries.ts';

/** What events say of a call. */
export interface ObservedCall {
  readonly target: CallTarget;
  readonly url: URL;
  readonly settings: CallSettings;
  /** Returns the id of the call, in its events and in what the browser client sends. */
  readonly id: () => string;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** Path, as it is sent: the template, until the input is known to be valid. */
  readonly path: string;
  /** Those of the client, until those of the call are known to be valid. */
  readonly options: ResolvedCallOptions;
  /** Requests that were sent, so far. */
  readonly attempts: Attempt[];
}

/** Returns a function that makes the id of a call when it is first asked for it, which costs a call 2 %. */
export function lazyCallId(): () => string {
  let id: string | undefined;
  return () => (id ??= makeCallId());
}

/** Works in web pages that are not served over TLS, unlike `crypto.randomUUID`. */
const makeCallId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');

export const reportRequest = (call: ObservedCall): void =>
  report(call, 'onRequest', () => attemptEvent(call, call.attempts.length + 1));

export const reportRetry = (call: ObservedCall, attempt: Attempt, waitMs: number): void =>
  report(call, 'onRetry', () => ({ ...attemptEvent(call), ...attempt, retryInMs: Math.round(waitMs) }));

export const reportSuccess = (call: ObservedCall): void =>
  report(call, 'onSuccess', () => endEvent(call, 'done'));

/** Reports that the call failed, or that it is a page that nobody wants any more, if anything was said of it before. */
export function reportFailure(call: ObservedCall, thrown: unknown): void {
  const error = reasonOf(thrown);
  const outcome = EmailMarketingError.isInstance(thrown) ? thrown.outcome : 'unknown';
  if (error !== notWanted) report(call, 'onError', () => ({ ...endEvent(call, outcome), error }));
  else if (call.attempts.length > 0) report(call, 'onCancel', () => attemptEvent(call));
}

/** Passes an event to the hooks and the log. It is made only if anyone receives it. */
function report<Hook extends keyof Hooks>(
  { settings: { hooks, log }, options }: ObservedCall,
  hook: Hook,
  makeEvent: () => EventOf<Hook>,
): void {
  if (!hooks.some(receiver => receiver[hook]) && !log?.[hook]) return;
  const event = makeEvent();
  for (const receiver of hooks) ignoreErrors(() => receiver[hook]?.(event));
  log?.[hook]?.(event, options.maxRetries + 1);
}

const attemptEvent = (
  { target, url, settings, id, path, attempts }: ObservedCall,
  attempt = attempts.length,
): CallAttemptEvent => ({
  operation: target.name,
  method: target.method,
  origin: url.origin,
  path: settings.redact(url.pathname + path),
  template: url.pathname + target.path,
  attempt,
  callId: id(),
});

const endEvent = (call: ObservedCall, outcome: Outcome): CallSuccessEvent => ({
  ...attemptEvent(call),
  durationMs: Math.round(performance.now() - call.startedAt),
  status: call.attempts.at(-1)?.status,
  attempts: call.attempts,
  outcome,
});
