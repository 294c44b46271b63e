import { TimeLimitExceeded, withTimeout } from '../core/timers.ts';
import type { TimeoutError } from '../errors.ts';
import type { HttpResponse } from '../transport/fetch.ts';
import type { ResolvedCallOptions } from './call-options.ts';

/** What became of one attempt: a value, which does not say what that means. */
export type AttemptResult = Responded | NoResponse;

/** How far an attempt has come: to wait for a permit, for the user's functions, for the head or for the body. */
export type AttemptPhase = 'permit' | 'functions' | 'head' | 'body';

interface Timed {
  readonly phase: AttemptPhase;
  /** Times by `performance.now()`. */
  readonly sentAt: number;
  readonly endedAt: number;
}

interface Responded extends Timed {
  readonly end: 'response';
  readonly response: HttpResponse;
}

/** An attempt that ended before a response was read. */
export interface NoResponse extends Timed {
  readonly end: 'abort' | 'timeout' | 'totalTimeout' | 'error';
  readonly thrown?: unknown;
}

/** The limits of a call. */
export interface CallLimits {
  readonly options: Pick<ResolvedCallOptions, 'signal' | 'timeout'>;
  /** Time at which `totalTimeout` ends the call, by `performance.now()`. */
  readonly endsAt: number;
}

/** What the attempts before mean for the next one. */
export interface Previous {
  /** `true` if one of them may have acted. */
  readonly mayHaveActed: boolean;
  /** `true` if the last one was refused because of its key. */
  readonly isKeyRefused: boolean;
}

export const timeLeftMs = (endsAt: number): number => Math.max(0, endsAt - performance.now());

/** Returns the limit that ends a wait which begins now. */
export function nextLimit({ options, endsAt }: CallLimits): { ms: number; name: TimeoutError['limit'] } {
  const leftMs = timeLeftMs(endsAt);
  return leftMs < options.timeout
    ? { ms: leftMs, name: 'totalTimeout' }
    : { ms: options.timeout, name: 'timeout' };
}

/** Runs a part of an attempt within its limits, even if the task ignores its signal. */
export function limited<T>(call: CallLimits, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { ms, name } = nextLimit(call);
  return withTimeout(ms, [call.options.signal], task, name);
}

/** Returns the attempt that ended by what was thrown. */
export function withoutResponse(
  progress: Pick<NoResponse, 'phase' | 'sentAt'>,
  thrown: unknown,
  { options }: Pick<CallLimits, 'options'>,
): NoResponse {
  const limit = thrown instanceof TimeLimitExceeded ? thrown.limit : 'error';
  const end = options.signal?.aborted ? 'abort' : limit;
  return { ...progress, endedAt: performance.now(), end, thrown };
}
