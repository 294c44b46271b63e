import { TimeLimitExceeded } from '../core/timers.ts';
import type { HttpResponse } from '../transport/fetch.ts';
import type { Call } from './call-state.ts';

/** Result of sending a request once. Reading the response, or `noResponseFailure`, turns it into data or a failure. */
export type SendResult = ResponseRead | NoResponse;

/**
 * What a request was waiting for when it ended: a permit, a function of the options, a connection, or the head or
 * body of the response. Nothing is written before `head`. Only Node's dispatcher, and Bun for a request with a body,
 * report when `head` begins. With any other `fetch`, `head` follows the functions directly.
 */
export type SendPhase = 'permit' | 'headers function' | 'key function' | 'connection' | 'head' | 'body';

/** Progress of a request. */
export interface SendProgress {
  phase: SendPhase;
  /** When the transport got the request, by `performance.now()`; until then, when the attempt began. */
  sentAt: number;
}

interface Ended extends Readonly<SendProgress> {
  /** Time by `performance.now()`. */
  readonly endedAt: number;
}

/** The response was read. */
interface ResponseRead extends Ended {
  readonly end: 'response';
  readonly response: HttpResponse;
}

/** The request ended before a response was read. */
export interface NoResponse extends Ended {
  readonly end: 'abort' | 'timeout' | 'totalTimeout' | 'error';
  readonly thrown?: unknown;
}

/** Returns `true` if the request was passed to the transport, so that it counts as an attempt. */
export const wasAttempted = (phase: SendPhase): phase is 'connection' | 'head' | 'body' =>
  phase === 'connection' || startedSending(phase);

/** Returns `true` if any part of the request may have been written to a connection. */
export const startedSending = (phase: SendPhase): phase is 'head' | 'body' =>
  phase === 'head' || phase === 'body';

/** Returns the result of a request that ended by an abort, a time limit or any other error. */
export function withoutResponse(call: Call, { phase, sentAt }: SendProgress, thrown: unknown): NoResponse {
  const limit = thrown instanceof TimeLimitExceeded ? thrown.limit : 'error';
  const end = call.options.signal?.aborted ? 'abort' : limit;
  return { phase, sentAt, endedAt: performance.now(), end, thrown };
}
