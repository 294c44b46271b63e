import type { ErrorName, Issue, Outcome, Scope, TimeoutPhase } from '../error-details.ts';

/*
 * Protocol between the browser client of a web page and the handler on the user's server: one POST per attempt, with a
 * JSON body of `operation` (a name such as `tags.create`) and `input` (the first argument of the method), and a JSON
 * response of `WireResponse`.
 */

/**
 * Request header with the id of a call, the same for all its attempts and in its events: the handler performs once what
 * is not a read.
 */
export const callIdHeader = 'x-call-id';

/**
 * Request header that says, by the value `1`, that an earlier attempt of this call ended with an unknown outcome. The
 * handler repeats such a call if it is idempotent; to others it responds with what it remembers, or that it does not know.
 */
export const retryHeader = 'x-call-retry';
export const retryValue = '1';

/** Returns `true` if a header value is the id of a call. */
export const isCallId = (value: string): boolean => /^[0-9a-f]{32}$/.test(value);

/** Error as it travels from the handler to the web page. Holds no stack, cause, header, response body or attempts. */
export interface WireError {
  readonly name: ErrorName;
  /** Text of the library. */
  readonly message: string;
  readonly operation?: string | undefined;
  readonly outcome: Outcome;
  /** `true` if the same call may be made again later. */
  readonly retryable?: true | undefined;
  /** Absent of an error that concerns its call. */
  readonly scope?: Scope | undefined;
  /** HTTP status of the service's response, or of the handler's own rejection. */
  readonly status?: number | undefined;
  /** Of the service's own errors, its form without its words. Absent of what a gateway in between said. */
  readonly body?: { readonly status: 'error' } | undefined;
  /** `true` if the service itself said that it has no such resource. */
  readonly notFound?: true | undefined;
  /** Of an `InvalidRequestError`, at most 100. */
  readonly issues?: readonly Issue[] | undefined;
  /** Of a `RateLimitError` or a `ServerError`. */
  readonly retryAfterMs?: number | undefined;
  readonly limit?: 'timeout' | 'totalTimeout' | undefined;
  readonly phase?: TimeoutPhase | undefined;
}

/** Body of the handler's response: `data` under the status 200, `error` under any other. */
export type WireResponse = { readonly data: unknown } | { readonly error: WireError };
