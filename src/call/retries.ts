import { type AttemptEnd, wasSent } from './attempt.ts';
import type { CallFailure } from './failure.ts';

/** How a call changes the data of the service. Decides if it may be repeated. */
export interface Effect {
  /** A `read` changes nothing, a `create` makes a record with an id and a name, and a `write` changes anything else. */
  readonly kind: 'read' | 'create' | 'write' | 'delete';
  /**
   * `true`, also by a function of the input, if a second request changes nothing.
   * @defaultValue `true` for a `read` and a `delete`, otherwise `false`
   */
  readonly idempotent?: boolean | ((input: unknown) => boolean);
}

/** Returns `true` if a second request with the same input changes nothing: it is retried after an unknown outcome. */
export function isIdempotent(
  { kind, idempotent = kind === 'read' || kind === 'delete' }: Effect,
  input: unknown,
): boolean {
  return typeof idempotent === 'function' ? idempotent(input) : idempotent;
}

/** Operation of a call, as events and errors name it. */
export interface CallTarget extends Effect {
  /** Resource and method, such as `tags.create`. */
  readonly name: string;
  readonly method: string;
  /** Path with its parameters not replaced. */
  readonly path: string;
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

/** Upper bound of the random wait before the first retry, in milliseconds; it doubles with each further retry. */
const firstBackoffMs = 500;

/** Upper bound of every wait that the service did not ask for, in milliseconds: a short outage is over by then. */
const maxBackoffMs = 8_000;

/** Longest `Retry-After` that a call waits for, in milliseconds. A longer one is for the caller to plan. */
export const maxRetryAfterMs = 300_000;

/** Share of a `Retry-After` that is added at random at most, so that the retries do not all come at once. */
const retryAfterJitter = 1 / 4;

/** Returns the wait before a retry, from 1: exponential backoff with full jitter, or what the service asks for. */
export function retryDelayMs(retry: number, retryAfterMs: number | undefined): number {
  if (retryAfterMs === undefined)
    return Math.random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** (retry - 1));
  return retryAfterMs + Math.random() * Math.min(firstBackoffMs, retryAfterMs * retryAfterJitter);
}

/** Returns the milliseconds that `Retry-After` asks for, in seconds or as an HTTP date; `undefined` for anything else. */
export function requestedWaitMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  // `Date.parse` takes `-1` and `soon 5` for dates. An HTTP date has a time of day.
  const date = value.includes(':') ? Date.parse(value) : Number.NaN;
  const ms = /^\d/.test(value) ? Number(value) * 1000 : date - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Returns `true` if an attempt may have acted. */
export const hasUnknownOutcome = (failures: readonly CallFailure[]): boolean =>
  failures.some(({ outcome }) => outcome === 'unknown');

const isKeyRefused = ({ errorName }: CallFailure): boolean => errorName === 'AuthenticationError';

/** Returns `true` if the last attempt was refused because of its key. */
export const endedByKey = (failures: readonly CallFailure[]): boolean =>
  failures.slice(-1).some(isKeyRefused);

/** Returns the milliseconds to wait before another attempt, after these failures; `undefined` if there is none. */
export function waitBeforeRetry(
  attempt: Pick<AttemptEnd, 'phase'>,
  failures: readonly CallFailure[],
  { idempotent, isPerformedOnce, renewsKey }: Omit<CallRequest, 'path'>,
  maxRetries: number,
  timeLeftMs: number,
): number | undefined {
  const last = failures.at(-1);
  // If nothing was sent, a function of the options failed: it can retry what it does itself, and knows for how long.
  if (!last || failures.length > maxRetries || !wasSent(attempt)) return undefined;
  const { outcome, isTransient, retryAfterMs } = last;
  const keyFailures = failures.filter(isKeyRefused);
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
