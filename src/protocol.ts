import type { ErrorName, Issue, Outcome, TimeoutPhase } from './errors.ts';
import type { HttpMethod } from './http/call/operation.ts';

/*
 * Protocol between the keyless client of a page and the handler on the user's own server: one POST per attempt, with a
 * JSON body of `WireCall` and a JSON response of `WireResponse`.
 */

/**
 * Request header with the id of a call: 128 random bits as 32 lower-case hexadecimal digits. The client makes one id
 * per call of its user and sends it with every attempt of that call, so that the handler performs the call once, also
 * where the runtime sends a request twice. A request without an id is performed each time that it arrives.
 */
export const callIdHeader = 'x-call-id';

/**
 * Request header that says, by the value `1`, that an earlier attempt of this call ended with an unknown outcome. If
 * the handler does not remember the id of such a call, it performs idempotent operations alone; for others it responds
 * with an error of outcome `unknown`. So the client may retry every operation without knowing which are idempotent.
 */
export const retryHeader = 'x-call-retry';

/** Value of {@link retryHeader}. */
export const isRetry = '1';

const callIdBytes = 16;

/** Creates the id of a call. Works in pages that are not served over TLS, unlike `crypto.randomUUID`. */
export function makeCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(callIdBytes));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns `true` if a header value is the id of a call. */
export const isCallId = (value: string): boolean => /^[0-9a-f]{32}$/.test(value);

/** Name in place of an operation's for a call of an endpoint that the library does not know. */
export const requestOperation = 'request';

/** Body of a request to the handler. No other member is accepted. */
export interface WireCall {
  /** Name of an operation, such as `tags.create`, or `request`. */
  readonly operation: string;
  /** First argument of the method; for `request`, a {@link WireEndpointRequest}. */
  readonly input?: unknown;
}

/** Input of a call of `request`. `idempotent` and `schema` do not travel: the server decides on one, the page on the other. */
export interface WireEndpointRequest {
  /** Interface that has the endpoint. */
  readonly api: 'rest' | 'legacy';
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Path as the server allows it, such as `/contact/{id}`, with its parameters not yet replaced. */
  readonly path: string;
  /** Values of the parameters in the path. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  /** Query; an `undefined` value is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** JSON value of the body. */
  readonly body?: unknown;
}

/** Error as it travels from the handler to the page. Holds no stack, cause, header, response body or attempts. */
export interface WireError {
  readonly name: ErrorName;
  /** Text of the library; the service's own text only if the server exposes error details. */
  readonly message: string;
  readonly operation: string | undefined;
  readonly outcome: Outcome;
  /** HTTP status of the service's response, or of the handler's own refusal. */
  readonly status: number | undefined;
  /** Of an `InvalidRequestError`, at most 100. Of an `InvalidResponseError` only if the server exposes error details. */
  readonly issues: readonly Issue[] | undefined;
  /** Seconds to wait, of a `RateLimitError`. */
  readonly retryAfter: number | undefined;
  readonly limit: 'timeout' | 'totalTimeout' | undefined;
  readonly phase: TimeoutPhase | undefined;
}

/** Body of the handler's response: `data` under the status 200, `error` under any other. */
export type WireResponse = { readonly data: unknown } | { readonly error: WireError };
