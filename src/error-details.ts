/**
 * The `name` of every error class of this library: a closed set, so that a `switch` can be exhaustive. A new kind of
 * failure comes as a `code`; a new class comes in a major version only.
 */
export type ErrorName =
  | 'EmailMarketingError'
  | 'ConfigurationError'
  | 'InvalidRequestError'
  | 'InvalidResponseError'
  | 'ConnectionError'
  | 'TimeoutError'
  | 'CallAbortedError'
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
 * Whether a failed call may have taken effect: a closed set.
 *
 * - `not-sent`: nothing reached the service (rejected here, or no connection was established).
 * - `refused`: the service responded that it did nothing.
 * - `unknown`: the call may have taken effect (reset or timed out after sending, or a 5xx response).
 * - `done`: it responded with JSON under a 2xx status, an object or a list, and that could not be used.
 */
export type Outcome = 'not-sent' | 'refused' | 'unknown' | 'done';

/**
 * Whether other calls of the same client fail in the same way: a closed set.
 *
 * - `account`: they do, until somebody fixes something: the key, its permission, the base URL, a login or maintenance page
 *   in between, a certificate, a redirect, an unpaid account, an option.
 * - `call`: the failure concerns this call.
 */
export type Scope = 'call' | 'account';

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
  /** Sentence that can be shown as it is: `email must be an email address (got "ada").` Each issue of an error has one. */
  readonly message?: string | undefined;
}

/**
 * Phase in which a call ran out of time: queueing or waiting for the key, waiting for a connection, waiting for the head of
 * the response, or reading its body.
 */
export type TimeoutPhase = 'queue' | 'connection' | 'head' | 'body';

/** Details that an {@link EmailMarketingError} is constructed from. */
export interface ErrorDetails {
  /** Operation that failed, such as `tags.create`. */
  readonly operation?: string | undefined;
  /** Whether the call may have taken effect. @defaultValue 'not-sent' */
  readonly outcome?: Outcome | undefined;
  /** Requests that were made. @defaultValue none */
  readonly attempts?: readonly Attempt[] | undefined;
  /** Code that tells failures of one class apart. */
  readonly code?: string | undefined;
  /** Whether repeating the call later is safe and may succeed. @defaultValue false, of a `ConfigurationError` true */
  readonly retryable?: boolean | undefined;
  /** Whether other calls fail alike. @defaultValue 'call', of a {@link ConfigurationError} 'account' */
  readonly scope?: Scope | undefined;
  /** Cause of the error. Never an error of the HTTP layer. */
  readonly cause?: unknown;
}
