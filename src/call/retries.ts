import type { Call, CallFailure, Effect } from './call-state.ts';
import { maxRetryAfterMs } from './rate-limiter.ts';
import { type SendResult, wasAttempted } from './send-result.ts';
import { timeLeftMs } from './time-limits.ts';

/**
 * Returns `true` if a second request with the same input changes nothing, so that it is retried after an unknown
 * outcome.
 */
export function isIdempotent(
  { kind, idempotent = kind === 'read' || kind === 'delete' }: Effect,
  input: unknown,
): boolean {
  return typeof idempotent === 'function' ? idempotent(input) : idempotent;
}

/** Upper bound of the random wait before the first retry, in milliseconds; it doubles with each further retry. */
const firstBackoffMs = 500;

/** Upper bound of every wait that the service did not request, in milliseconds. */
const maxBackoffMs = 8_000;

/** Maximum random addition to a `Retry-After`, as a share of it, so that retries do not all arrive at once. */
const retryAfterJitter = 1 / 4;

/**
 * Returns the wait before a retry, counted from 1: exponential backoff with full jitter, or what the service requests.
 */
function retryDelayMs(retry: number, retryAfterMs: number | undefined): number {
  if (retryAfterMs === undefined)
    return Math.random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** (retry - 1));
  return retryAfterMs + Math.random() * Math.min(firstBackoffMs, retryAfterMs * retryAfterJitter);
}

/** Converts `Retry-After`, in seconds or as an HTTP date, to milliseconds; `undefined` for anything else. */
export function requestedWaitMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  // `Date.parse` accepts `-1` and `soon 5`, so a time of day is required.
  const date = value.includes(':') ? Date.parse(value) : Number.NaN;
  const ms = /^\d/.test(value) ? Number(value) * 1000 : date - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Returns `true` if an attempt may have acted. */
export const hasUnknownOutcome = (failures: readonly CallFailure[]): boolean =>
  failures.some(({ outcome }) => outcome === 'unknown');

/** Returns the milliseconds to wait before another attempt; `undefined` if the call is not retried. */
export function waitBeforeRetry(call: Call, sent: Pick<SendResult, 'phase'>): number | undefined {
  const { failures } = call;
  const { idempotent, isPerformedOnce, renewsKey } = call.request;
  const last = failures.at(-1);
  // If no attempt was made, a function of the options failed. That function can do its own retrying.
  if (!last || failures.length > call.options.maxRetries || !wasAttempted(sent.phase)) return undefined;
  const { outcome, isTransient, isKeyRefused, retryAfterMs } = last;
  const isRenewed = renewsKey && isKeyRefused && failures.filter(each => each.isKeyRefused).length === 1;
  const mayRetry =
    isTransient &&
    outcome !== 'done' &&
    (idempotent || isPerformedOnce || outcome !== 'unknown') &&
    (retryAfterMs ?? 0) <= maxRetryAfterMs;
  if (!isRenewed && !mayRetry) return undefined;
  const waitMs = isRenewed ? 0 : retryDelayMs(failures.length, retryAfterMs);
  return waitMs < timeLeftMs(call) ? waitMs : undefined;
}
