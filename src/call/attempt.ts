import { TimeLimitExceeded, withTimeout } from '../core/timers.ts';
import type { TimeoutError } from '../errors.ts';
import type { HttpResponse } from '../transport/fetch.ts';

/** How one attempt ended. What that means for the call is decided by who reads the response, and by `noResponseFailure`. */
export type AttemptEnd = ResponseRead | NoResponse;

/** What an attempt was waiting for when it ended: a permit, a function of the options, the head or the body. */
export type AttemptPhase = 'permit' | 'headers' | 'key' | 'head' | 'body';

interface Timed {
  readonly phase: AttemptPhase;
  /** Times by `performance.now()`. */
  readonly sentAt: number;
  readonly endedAt: number;
}

/** An attempt whose response was read. */
interface ResponseRead extends Timed {
  readonly end: 'response';
  readonly response: HttpResponse;
}

/** An attempt that ended before a response was read. */
export interface NoResponse extends Timed {
  readonly end: 'abort' | 'timeout' | 'totalTimeout' | 'error';
  readonly thrown?: unknown;
}

/** Returns `true` if the request began to be sent. */
export const wasSent = ({ phase }: Pick<AttemptEnd, 'phase'>): boolean =>
  phase === 'head' || phase === 'body';

/**
 * Abort reason of a page that its iteration no longer needs, which is no failure. It is no error, which would take time to
 * make its stack.
 */
export const notWanted: unknown = { reason: 'not wanted' };

/** What ends an attempt: the caller's signal, the time for one attempt, or the end of the call's time. */
export interface AttemptLimits {
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  /** Time at which `totalTimeout` ends the call, by `performance.now()`. */
  readonly endsAt: number;
}

/** Returns the milliseconds until `totalTimeout` ends the call. */
export const timeLeftMs = ({ endsAt }: AttemptLimits): number => Math.max(0, endsAt - performance.now());

/** Returns the limit that ends a wait which begins now. */
function nextLimit(limits: AttemptLimits): { ms: number; name: TimeoutError['limit'] } {
  const leftMs = timeLeftMs(limits);
  const { timeout } = limits;
  return leftMs < timeout ? { ms: leftMs, name: 'totalTimeout' } : { ms: timeout, name: 'timeout' };
}

/** Runs a part of an attempt within its limits, even if the task ignores its signal. */
export function limited<T>(limits: AttemptLimits, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { ms, name } = nextLimit(limits);
  return withTimeout(ms, [limits.signal], task, name);
}

/** Returns the result of an attempt that threw: by an abort, a time limit or any other error. */
export function withoutResponse(
  { phase, sentAt }: Pick<NoResponse, 'phase' | 'sentAt'>,
  thrown: unknown,
  { signal }: AttemptLimits,
): NoResponse {
  const limit = thrown instanceof TimeLimitExceeded ? thrown.limit : 'error';
  return { phase, sentAt, endedAt: performance.now(), end: signal?.aborted ? 'abort' : limit, thrown };
}
