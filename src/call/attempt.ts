import { TimeLimitExceeded, withTimeout } from '../core/timers.ts';
import type { TimeoutPhase } from '../errors.ts';
import type { ResolvedCallOptions } from './call-options.ts';

/** A response that was read to its end. */
export interface HttpResponse {
  readonly status: number;
  readonly text: string;
  /** Returns the headers: a function, because most calls never read them. */
  readonly headers: () => Headers;
}

/** What became of one attempt: a value, which does not say what that means. */
export type AttemptResult = Received | Ended;

interface Made {
  /** How far it came: in the `queue`, nothing was sent. */
  readonly phase: TimeoutPhase;
  /** Times by `performance.now()`. */
  readonly sentAt: number;
  readonly endedAt: number;
}

/** An attempt with a response. */
interface Received extends Made {
  readonly end: 'response';
  readonly response: HttpResponse;
}

/** An attempt that ended before its response was read. */
export interface Ended extends Made {
  readonly end: 'abort' | 'timeout' | 'totalTimeout' | 'queue full' | 'error';
  readonly thrown?: unknown;
}

/** What an attempt is given, and what its meaning depends on. */
export interface Circumstances {
  /** Base URL of the interface. Its host names the service in messages. */
  readonly url: URL;
  readonly options: ResolvedCallOptions;
  readonly settings: {
    /** Removes secrets from a text. */
    readonly redact: (text: string) => string;
    /** Copies what a function of the user threw, without secrets. Absent if there are none. */
    readonly redactError?: ((thrown: unknown) => unknown) | undefined;
    /** Largest response that is read, in bytes. */
    readonly maxResponseBytes: number;
  };
  /** Time at which `totalTimeout` ends the call, by `performance.now()`. */
  readonly endsAt: number;
  /** `true` if an attempt before may have acted. */
  readonly mayHaveActed: boolean;
  /** `true` if the attempt before was refused because of its key. */
  readonly isKeyRefused: boolean;
  /** Is called right before the request is sent. */
  readonly onSend: () => void;
}

export const timeLeftMs = (endsAt: number): number => Math.max(0, endsAt - performance.now());

/** Runs a part of an attempt within its limits, even if the task ignores its signal. */
export const limited = <T>(
  { options, endsAt }: Pick<Circumstances, 'options' | 'endsAt'>,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> => withTimeout(Math.min(options.timeout, timeLeftMs(endsAt)), options.signal, task);

/** Returns the attempt that ended by what was thrown. In the queue, its time limit began at `sentAt`, too. */
export function ended(
  made: Pick<Ended, 'phase' | 'sentAt'>,
  thrown: unknown,
  { options, endsAt }: Pick<Circumstances, 'options' | 'endsAt'>,
): Ended {
  const limit = endsAt < made.sentAt + options.timeout ? 'totalTimeout' : 'timeout';
  const end = options.signal?.aborted ? 'abort' : thrown instanceof TimeLimitExceeded ? limit : 'error';
  return { ...made, endedAt: performance.now(), end, thrown };
}

/** The body of a response is larger than `maxResponseBytes`. Never leaves the library. */
export class BodyTooLarge extends Error {
  readonly status: number;

  constructor(status: number) {
    super();
    this.status = status;
  }
}
