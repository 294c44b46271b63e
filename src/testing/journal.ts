import type { FaultKind } from './faults/faults.ts';
import type { OperationName } from './service/router.ts';

/** One request that reached the sandbox. */
export interface RecordedRequest {
  /** 1 for the first request since the sandbox was made or reset. */
  readonly number: number;
  /** When it came, as ISO 8601. */
  readonly time: string;
  /** The operation it asked for; absent for an unknown path or method. */
  readonly operation?: OperationName | undefined;
  /** HTTP method. */
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** The query, decoded; of a repeated name, the last value. */
  readonly query: Readonly<Record<string, string>>;
  /** The headers by lower-case name, keys and all. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body: parsed when it is JSON, else its text; absent when there was none. */
  readonly body?: unknown;
  /** HTTP status of the answer; absent while there is none, and when the connection was dropped. */
  readonly status?: number | undefined;
  /** The fault that struck it. */
  readonly fault?: FaultKind | undefined;
}

/** What a request is looked for by: any of its members; objects match when they hold at least what is given. */
export type RequestPattern = Partial<Omit<RecordedRequest, 'number' | 'time'>>;

/** Every request that reached the sandbox, oldest first: an array with a few questions to ask it. */
export class Journal extends Array<RecordedRequest> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** The requests for one operation, such as `POST /tag`. */
  to(operation: OperationName): RecordedRequest[] {
    return this.filter(request => request.operation === operation);
  }

  /** The requests that have all of these members: `matching({ operation: 'POST /tag', body: { name: 'vip' } })`. */
  matching(pattern: RequestPattern): RecordedRequest[] {
    return this.filter(request => holds(request, pattern));
  }

  /** How many requests were made, for one operation or in all. */
  count(operation?: OperationName): number {
    return operation === undefined ? this.length : this.to(operation).length;
  }

  /** The last request, for one operation or of all. */
  last(operation?: OperationName): RecordedRequest | undefined {
    return this.findLast(request => operation === undefined || request.operation === operation);
  }
}

function holds(value: unknown, pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return Object.is(value, pattern);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(pattern))
    return false;
  if (Array.isArray(pattern) && (value as unknown[]).length !== pattern.length) return false;
  return Object.entries(pattern).every(([key, part]) => holds((value as Record<string, unknown>)[key], part));
}
