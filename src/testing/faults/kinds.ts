import type { AddedEndpoint, Endpoint, OperationName } from '../service/router.ts';

/** Kind of a fault. */
export type FaultKind = 'fail' | 'stall' | 'drop' | 'latency' | 'rateLimit';

/**
 * Which requests a fault applies to: those of an operation (`tags.create`), of an endpoint (`POST /tag`, or one that was
 * added), or all (`*`).
 */
export type FaultTarget = OperationName | Endpoint | '*' | AddedEndpoint;

/** Limits on how often a fault applies. */
export interface FaultLimits {
  /** Number of requests that the fault applies to. @defaultValue no limit */
  readonly times?: number | undefined;
  /** Probability that the fault applies to a request, from 0 to 1. @defaultValue 1 */
  readonly chance?: number | undefined;
}

/** Fault that sends another response in place of the real one. */
export interface Failure extends FaultLimits {
  /** HTTP status. @defaultValue 503 */
  readonly status?: number | undefined;
  /** Seconds, or an HTTP date, for the `Retry-After` header. @defaultValue no such header */
  readonly retryAfter?: number | string | undefined;
  /** Body: text as it is, anything else as JSON. @defaultValue an error body with a text for the status */
  readonly body?: unknown;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `true`: the service performs the request before it fails. @defaultValue false */
  readonly acted?: boolean | undefined;
}

/** Fault of a response that never ends, or of a connection that is cut. */
export interface Interruption extends FaultLimits {
  /** Place of the interruption: before the response's head, or half-way through its body. @defaultValue 'head' */
  readonly at?: 'head' | 'body' | undefined;
  /** `true`: the service performs the request first, as it always does for `at: 'body'`. @defaultValue false */
  readonly acted?: boolean | undefined;
}

/** Fault that delays a request before the service performs it. */
export interface Latency extends FaultLimits {
  /** Delay in milliseconds. */
  readonly ms: number;
  /** Maximum random addition to the delay, in milliseconds. @defaultValue 0 */
  readonly jitterMs?: number | undefined;
}

/** Maximum number of requests per period; the response to further ones is 429 with `Retry-After`. */
export interface RateLimit {
  /** Number of requests that are served per period. */
  readonly requests: number;
  /** Length of the period in seconds. @defaultValue 1 */
  readonly perSeconds?: number | undefined;
}

/** A fault that is on, as plain data: which requests it applies to, and the options of its kind. */
export interface ActiveFault extends Failure, Interruption, Partial<Latency & RateLimit> {
  /** Kind of the fault. */
  readonly kind: FaultKind;
  /** Number of the fault: 1 for the first since the sandbox was created. */
  readonly number: number;
  /** Which requests it applies to, as it was given. */
  readonly operation: FaultTarget;
  /** Number of requests it has applied to. */
  readonly hits: number;
}

/** A fault that is switched on. */
export interface Fault {
  /** Kind of the fault. */
  readonly kind: FaultKind;
  /** Which requests it applies to, as it was given. */
  readonly operation: FaultTarget;
  /** Number of requests it has applied to. */
  readonly hits: number;
  /** Switches the fault off. */
  cancel(): void;
}
