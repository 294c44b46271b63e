import type { Checkpoint } from './checkpoint.ts';

/** The `name` of every error class of this library: a closed set, so that a `switch` can be exhaustive. */
export type ErrorName =
  | 'EmailMarketingError'
  | 'ConfigurationError'
  | 'InvalidRequestError'
  | 'InvalidResponseError'
  | 'ConnectionError'
  | 'TimeoutError'
  | ApiErrorName;

/** The `name` of {@link ApiError} and of each of its subclasses. */
export type ApiErrorName =
  | 'ApiError'
  | 'AuthenticationError'
  | 'BadRequestError'
  | 'ConflictError'
  | 'NotFoundError'
  | 'PermissionError'
  | 'RateLimitError'
  | 'ServerError';

/**
 * Says if the service may have acted on a call that failed.
 *
 * - `not-sent`: nothing reached the service (rejected here, name not resolved, connection refused).
 * - `refused`: the service responded that it did not act.
 * - `unknown`: it may have acted (reset or timed out after sending, or a 5xx response).
 * - `done`: it responded with a 2xx status, and the response could not be used.
 */
export type Outcome = 'not-sent' | 'refused' | 'unknown' | 'done';

/** One request that a call made. */
export interface Attempt {
  /** Milliseconds from sending to the end of the response, or to the failure. */
  readonly durationMs: number;
  /** Milliseconds waited before this request: backoff, `Retry-After` and queueing together. */
  readonly waitMs: number;
  /** HTTP status of the response; absent if none came. */
  readonly status?: number | undefined;
  /** Reason of the failure, in a few words such as `ECONNRESET` or `timeout in body`; absent when a status says it. */
  readonly reason?: string | undefined;
}

/**
 * Mismatch in an input or a response. Shows the given value of an input, unless it can be secret, and only the type of a
 * value in a response.
 */
export interface Issue {
  /** Place, such as `email`, `customFields.age` or `[3].id`; empty for the whole value. */
  readonly path: string;
  /** Expected value, as a part of a sentence: `text of 2 to 255 characters`. */
  readonly expected: string;
  /** Received value: of an input a short value such as `1000` or `"abc"`, otherwise a type name such as `null`. */
  readonly received: string;
  /** Whole sentence, if it is not "path must be expected (got received)": `unknown field "firstname"`. */
  readonly message?: string | undefined;
}

/** Details that an {@link EmailMarketingError} is constructed from. */
export interface ErrorDetails {
  /** Operation that failed, such as `tags.create`. */
  readonly operation?: string | undefined;
  /** Says if the service may have acted. @defaultValue 'not-sent' */
  readonly outcome?: Outcome | undefined;
  /** Requests that were made. @defaultValue none */
  readonly attempts?: readonly Attempt[] | undefined;
  /** Cause of the error. Never an error of the HTTP layer. */
  readonly cause?: unknown;
}

const brand = Symbol.for('email-marketing-client.error');

/**
 * Base class of every error that this library throws. Only an abort rethrows the caller's own `signal.reason`.
 * No error holds a key, a team id or a private key, and none holds an error of the HTTP layer.
 */
export class EmailMarketingError extends Error {
  /** Operation that failed, such as `tags.create`; absent for errors of the client's configuration. */
  readonly operation: string | undefined;
  /** Says if the service may have acted, over all attempts together. */
  readonly outcome: Outcome;
  /** Requests of the call, first to last; empty if nothing was sent. */
  readonly attempts: readonly Attempt[];
  /** Position of a paginator that threw the error: pass it to `all(filter, { checkpoint })` to resume. */
  declare checkpoint?: Checkpoint | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.operation = details.operation;
    this.outcome = details.outcome ?? 'not-sent';
    this.attempts = details.attempts ?? [];
  }

  /** Name of the class, as a literal type. */
  override get name(): ErrorName {
    return 'EmailMarketingError';
  }

  /** Returns the members that are safe and useful to log: name, message, operation, outcome, status and attempts. */
  toJSON(): Record<string, unknown> {
    const { name, message, operation, outcome, attempts } = this;
    return { name, message, operation, outcome, attempts };
  }

  /** @internal */
  get [brand](): true {
    return true;
  }

  /** Returns `true` if `value` is an error of this class, also if another copy of this package made it. */
  static isInstance<C extends abstract new (...args: never[]) => EmailMarketingError>(
    this: C,
    value: unknown,
  ): value is InstanceType<C> {
    if (typeof value !== 'object' || value === null || !(brand in value)) return false;
    for (let link = Object.getPrototypeOf(value); link !== null; link = Object.getPrototypeOf(link))
      if (Object.hasOwn(link, 'name') && link.name === this.prototype.name) return true;
    return false;
  }
}
