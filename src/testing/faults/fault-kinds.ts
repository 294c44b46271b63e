import type { AddedEndpoint, Endpoint, OperationName } from '../service/router.ts';

/** Kind of a fault. */
export type FaultKind = 'fail' | 'stall' | 'drop' | 'latency' | 'hold';

/**
 * Requests that a fault applies to: those to an operation (`tags.create`) or an endpoint (`POST /tag`, or one that you
 * added), or all (`*`).
 */
export type FaultTarget = OperationName | Endpoint | '*' | AddedEndpoint;

/** Request as it arrived. */
export interface ReceivedRequest {
  /** Sequence number, from 1; restarts after `reset()`. */
  readonly number: number;
  /** Time of arrival, in ISO 8601. */
  readonly time: string;
  /** Endpoint, such as `POST /tag`; absent if the path or method is unknown. */
  readonly endpoint?: Endpoint | AddedEndpoint | undefined;
  /** Operation, such as `tags.create`; absent for unknown paths, and for endpoints that you added. */
  readonly operation?: OperationName | undefined;
  /** HTTP method. */
  readonly method: string;
  /** Path without the query, as sent. */
  readonly path: string;
  /** Decoded query; if a name is repeated, its first value. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name, including API keys. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or text if it is not JSON; absent without a body. Each access parses it again. */
  readonly body?: unknown;
}

/** Which requests a fault applies to, to how many, and when. */
export interface FaultLimits {
  /** Members to match, as in `requests.matching`, or a function that selects requests. @defaultValue every request */
  readonly when?: Partial<ReceivedRequest> | ((request: ReceivedRequest) => boolean) | undefined;
  /** Number of selected requests that the fault lets through first. @defaultValue 0 */
  readonly after?: number | undefined;
  /** Number of requests after which the fault ends. @defaultValue no limit */
  readonly times?: number | undefined;
  /** Whether the service performs the request before it fails or waits. @defaultValue false */
  readonly acted?: boolean | undefined;
}

/** Fault that replaces the response. */
export interface Failure extends FaultLimits {
  /** HTTP status. @defaultValue 503 */
  readonly status?: number | undefined;
  /** `Retry-After` header: seconds or an HTTP date. @defaultValue no such header */
  readonly retryAfter?: number | string | undefined;
  /** Body: a string is sent as text, anything else as JSON. @defaultValue the service's error body */
  readonly body?: unknown;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Fault that stalls the response or cuts the connection. */
export interface Interruption extends FaultLimits {
  /** When it happens: before the response, or halfway through its body, after the service has acted. @defaultValue 'head' */
  readonly at?: 'head' | 'body' | undefined;
}

/** Fault that delays requests. */
export interface Latency extends FaultLimits {
  /** Delay in milliseconds. */
  readonly ms: number;
}

/** Active fault as plain data: its target, and the options of its kind. */
export interface ActiveFault extends Failure, Interruption, Partial<Latency> {
  /** Kind of the fault. */
  readonly kind: FaultKind;
  /** Sequence number, from 1. */
  readonly number: number;
  /** Requests that it applies to. */
  readonly operation: FaultTarget;
  /** Number of requests affected so far. */
  readonly hits: number;
}

/** Fault that you added; `cancel()` removes it. */
export interface Fault extends Pick<ActiveFault, 'number' | 'kind' | 'operation' | 'hits'> {
  /** Removes the fault. */
  cancel(): void;
}

/** Hold that you added. */
export interface Hold extends Fault {
  /** Resolves when the first request is held, or the hold has ended without one. */
  readonly arrived: Promise<void>;
  /** Lets the held requests continue, and holds no others, like `cancel()`. */
  release(): void;
}
