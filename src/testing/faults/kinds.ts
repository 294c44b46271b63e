import type { AddedEndpoint, Endpoint, OperationName } from '../service/endpoints.ts';

/** The ways in which a request can go wrong. */
export type FaultKind = 'fail' | 'stall' | 'drop' | 'latency' | 'rateLimit';

/**
 * Which requests a fault applies to: those of an operation (`tags.create`), of an endpoint (`POST /tag`, or one that was
 * added), or all (`*`).
 */
export type FaultTarget = OperationName | Endpoint | '*' | AddedEndpoint;

/** How often a fault applies. */
export interface FaultLimits {
  /** Number of requests after which it is over. @defaultValue no limit */
  readonly times?: number | undefined;
  /** Chance that it applies to a request, from 0 to 1. @defaultValue 1 */
  readonly chance?: number | undefined;
}

/** A response in place of the real one. */
export interface Failure extends FaultLimits {
  /** HTTP status. @defaultValue 503 */
  readonly status?: number | undefined;
  /** Seconds, or an HTTP date, for the `Retry-After` header. @defaultValue no such header */
  readonly retryAfter?: number | string | undefined;
  /** Body: text as it is, anything else as JSON. @defaultValue an error body with a text for the status */
  readonly body?: unknown;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `true`: the service does what it is asked before it fails. @defaultValue false */
  readonly acted?: boolean | undefined;
}

/** A response that never ends, or a connection that is cut. */
export interface Interruption extends FaultLimits {
  /** Before the response's head, or half-way through its body. @defaultValue 'head' */
  readonly at?: 'head' | 'body' | undefined;
  /** `true`: the service does what it is asked first; in the body it always does. @defaultValue false */
  readonly acted?: boolean | undefined;
}

/** A wait before the service acts. */
export interface Latency extends FaultLimits {
  /** Milliseconds. */
  readonly ms: number;
  /** Further milliseconds at most, by chance. @defaultValue 0 */
  readonly jitterMs?: number | undefined;
}

/** A limit of requests in a time, beyond which the response is 429 with `Retry-After`. */
export interface RateLimit {
  /** Number of requests served in each span. */
  readonly requests: number;
  /** Length of the span in seconds. @defaultValue 1 */
  readonly perSeconds?: number | undefined;
}

/** A fault as data. */
export type FaultOrder =
  | ({ readonly kind: 'fail' } & Failure)
  | ({ readonly kind: 'stall' | 'drop' } & Interruption)
  | ({ readonly kind: 'latency' } & Latency)
  | ({ readonly kind: 'rateLimit' } & RateLimit);

/** A fault that is on, as plain data. */
export type ActiveFault = FaultOrder & {
  /** 1 for the first fault since the sandbox was made. */
  readonly number: number;
  /** Which requests it applies to, as it was given. */
  readonly operation: FaultTarget;
  /** Number of requests it has applied to. */
  readonly hits: number;
};

/** A fault that is switched on. */
export interface Fault {
  /** Kind of the fault. */
  readonly kind: FaultKind;
  /** Which requests it applies to, as it was given. */
  readonly operation: FaultTarget;
  /** Number of requests it has applied to. */
  readonly hits: number;
  /** Switches it off. */
  cancel(): void;
}
