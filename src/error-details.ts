/**
 * Name of every error class of this library. A `switch` over it can be exhaustive: minor versions add a `code`, not a
 * class.
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

/** Name of {@link ApiError} and of each subclass. */
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
 * Whether a failed call may have taken effect. Later versions add no values.
 *
 * - `not-sent`: nothing reached the service (rejected here, or no connection was established).
 * - `refused`: the service responded that it did nothing.
 * - `unknown`: the call may have taken effect (reset or timed out after sending, or a 5xx response).
 * - `done`: the service responded with a 2xx status and JSON, but the JSON could not be used.
 */
export type Outcome = 'not-sent' | 'refused' | 'unknown' | 'done';

/**
 * Whether other calls of the same client fail in the same way. Later versions add no values.
 *
 * - `account`: they do, until something is fixed: the key, its permission, the base URL, an option, a certificate, a
 *   redirect, a login or maintenance page, or an unpaid account.
 * - `call`: the failure concerns only this call.
 */
export type Scope = 'call' | 'account';

/** One request that a call made. */
export interface Attempt {
  /** Milliseconds from sending to the end of the response, or to the failure. */
  readonly durationMs: number;
  /** Milliseconds waited before this request: backoff, `Retry-After` and queueing together. */
  readonly waitMs: number;
  /** HTTP status of the response; absent if there was none. */
  readonly status?: number | undefined;
  /** Reason of the failure, such as `ECONNRESET` or `timeout in body`; absent if `status` is the reason. */
  readonly reason?: string | undefined;
}

/**
 * Mismatch in an input or a response. Input values are shown unless they may be secret. Response values are shown as
 * types.
 */
export interface Issue {
  /** Path of the field, such as `email`, `customFields.age` or `[3].id`; empty for the whole value. */
  readonly path: string;
  /** Expected value, as part of a sentence: `text of 2 to 255 characters`. */
  readonly expected: string;
  /** Received value, such as `1000` or `"abc"` for an input; otherwise its type, such as `null`. */
  readonly received: string;
  /** Sentence to show to people: `email must be an email address (got "ada").` Always set in the issues of errors. */
  readonly message?: string | undefined;
}

/**
 * Phase in which a call ran out of time: queueing or waiting for the functions that return the key and headers, waiting
 * for a connection, waiting for the head of the response, or reading its body.
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
  /** Code that distinguishes failures of one class. */
  readonly code?: string | undefined;
  /** Whether repeating the call later is safe and may succeed. @defaultValue false; true for a `ConfigurationError` */
  readonly retryable?: boolean | undefined;
  /** Whether other calls fail in the same way. @defaultValue 'call'; 'account' for a {@link ConfigurationError} */
  readonly scope?: Scope | undefined;
  /** Cause of the error. Never an error of the HTTP layer. */
  readonly cause?: unknown;
}
