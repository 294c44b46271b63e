import type { ActiveFault, FaultKind } from './faults/kinds.ts';
import type { AddedEndpoint, Endpoint, OperationName } from './service/endpoints.ts';
import type { RefusalReason } from './service/refusal.ts';

/** The response to a request, as the sandbox sent it. */
export interface RecordedResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as text; a fault in the body sent only its first half. */
  readonly text: string;
}

/** One request that reached the sandbox. */
export interface RecordedRequest {
  /** Number of the request: 1 for the first since the sandbox was created or reset. */
  readonly number: number;
  /** Time of arrival, as ISO 8601. */
  readonly time: string;
  /** Endpoint of the request, such as `POST /tag`; absent for an unknown path or method. */
  readonly endpoint?: Endpoint | AddedEndpoint | undefined;
  /** Operation of the request, such as `tags.create`; absent for endpoints that are not in the specification. */
  readonly operation?: OperationName | undefined;
  /** HTTP method. */
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Query, decoded; of a repeated name, the last value. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name, including keys. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body: parsed when it is JSON, else its text; absent when there was none. */
  readonly body?: unknown;
  /** HTTP status of the response; absent while there is none, and when the connection was dropped. */
  readonly status?: number | undefined;
  /** The response; absent while there is none, and when the connection was dropped. */
  readonly response?: RecordedResponse | undefined;
  /** Reason why the sandbox refused the request. */
  readonly refusal?: RefusalReason | undefined;
  /** Kind of the fault that applied to it. */
  readonly fault?: FaultKind | undefined;
  /** The fault that applied to it, with its options. */
  readonly appliedFault?: ActiveFault | undefined;
  /** Milliseconds from the request to the response, waits of faults included. */
  readonly durationMs?: number | undefined;
}

/** Members of a request to search for. An object matches if it contains at least the given members. */
export type RequestPattern = Partial<Omit<RecordedRequest, 'number' | 'time'>>;

/** A request in a form that is the same on every run: without times, numbers, headers and keys. */
export interface StableRequest {
  /** Method and path, such as `POST /api/v1/rest/tag`. */
  readonly request: string;
  /** Query without the team id; absent when it is empty. */
  readonly query?: Readonly<Record<string, string>>;
  /** Body: parsed when it is JSON, else its text; absent when there was none. */
  readonly body?: unknown;
  /** HTTP status of the response. */
  readonly status: number | 'no response';
  /** Reason why the sandbox refused the request. */
  readonly refusal?: string;
  /** Kind of the fault that applied to it. */
  readonly fault?: FaultKind;
}

/** Every request that reached the sandbox, oldest first: an array with methods to search it. */
export class Journal extends Array<RecordedRequest> {
  /** Lets `filter`, `map` and the like return a plain array. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** Returns the requests for one operation (`tags.create`) or endpoint (`POST /tag`). */
  to(target: OperationName | Endpoint | AddedEndpoint): RecordedRequest[] {
    return this.filter(request => isFor(request, target));
  }

  /** Returns the requests that have all of these members: `matching({ operation: 'tags.create', body: { name: 'vip' } })`. */
  matching(pattern: RequestPattern): RecordedRequest[] {
    return this.filter(request => holds(request, pattern));
  }

  /** Returns the number of requests: of one operation or endpoint, or of all. */
  count(target?: OperationName | Endpoint | AddedEndpoint): number {
    return target === undefined ? this.length : this.to(target).length;
  }

  /** Returns the last request: of one operation or endpoint, or of all. */
  last(target?: OperationName | Endpoint | AddedEndpoint): RecordedRequest | undefined {
    return this.findLast(request => target === undefined || isFor(request, target));
  }

  /** Returns the requests in a form that can be compared with a stored snapshot: `toMatchSnapshot()`. */
  stable(): StableRequest[] {
    return Array.from(this, stableForm);
  }
}

function isFor(request: RecordedRequest, target: string): boolean {
  return request.operation === target || request.endpoint === target;
}

function stableForm({ method, path, query, body, status, refusal, fault }: RecordedRequest): StableRequest {
  const { team_id: _, ...shown } = query;
  return {
    request: `${method} ${path}`,
    ...(Object.keys(shown).length === 0 ? {} : { query: shown }),
    ...(body === undefined ? {} : { body }),
    status: status ?? 'no response',
    ...(refusal === undefined ? {} : { refusal: refusal.reason }),
    ...(fault === undefined ? {} : { fault }),
  };
}

function holds(value: unknown, pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return Object.is(value, pattern);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(pattern))
    return false;
  if (Array.isArray(pattern) && (value as unknown[]).length !== pattern.length) return false;
  return Object.entries(pattern).every(([key, part]) => holds((value as Record<string, unknown>)[key], part));
}
