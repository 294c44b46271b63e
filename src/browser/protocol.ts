import type { ErrorName, Issue, Outcome, Scope, TimeoutPhase } from '../error-details.ts';

/*
 * Protocol between the browser client of a web page and the handler on the user's server: one POST per attempt, with a
 * JSON body of `operation` (a name such as `tags.create`) and `input` (the first argument of the method), and a JSON
 * response of `WireResponse`.
 */

/**
 * Request header with the id of a call, which is the same for all its attempts and events. The handler performs each id
 * only once, except reads.
 */
export const callIdHeader = 'x-call-id';

/**
 * Request header with the value `1` if an earlier attempt of the call ended with an unknown outcome. The handler
 * repeats the call if it is idempotent; otherwise it responds with the stored result, or an error if there is none.
 */
export const retryHeader = 'x-call-retry';
export const retryValue = '1';

/** Returns `true` if a header value is the id of a call. */
export const isCallId = (value: string): boolean => /^[0-9a-f]{32}$/.test(value);

/** Error that the handler sends to the web page, without stack, cause, headers, response body and attempts. */
export interface WireError {
  readonly name: ErrorName;
  /** Text of the library, not of the service. */
  readonly message: string;
  readonly operation?: string | undefined;
  readonly outcome: Outcome;
  /** `true` if repeating the call later is safe and may succeed. */
  readonly retryable?: true | undefined;
  /** Absent if the error concerns only its call. */
  readonly scope?: Scope | undefined;
  /** HTTP status of the service's response, or of the handler's own rejection. */
  readonly status?: number | undefined;
  /** The service's own form without its text, if the service itself sent the error; absent for errors of a gateway. */
  readonly body?: { readonly status: 'error'; readonly message: '' } | undefined;
  /** `true` if the service itself reported that the resource does not exist. */
  readonly notFound?: true | undefined;
  /** Set for an `InvalidRequestError`; at most 100. */
  readonly issues?: readonly Issue[] | undefined;
  /** Set for a `RateLimitError` or `ServerError`. */
  readonly retryAfterMs?: number | undefined;
  readonly limit?: 'timeout' | 'totalTimeout' | undefined;
  readonly phase?: TimeoutPhase | undefined;
}

/** Body of the handler's response: `data` with status 200, `error` with any other. */
export type WireResponse = { readonly data: unknown } | { readonly error: WireError };
