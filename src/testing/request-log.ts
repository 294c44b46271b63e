import { checkTarget } from './faults/check.ts';
import type { ActiveFault, FaultKind } from './faults/kinds.ts';
import type { ErrorReason } from './service/error-response.ts';
import { type AddedEndpoint, type Endpoint, type OperationName, operationNames } from './service/router.ts';
import type { ReadRequest } from './service/service.ts';

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
  /** Operation of the request, such as `tags.create`; absent for endpoints that the service does not document. */
  readonly operation?: OperationName | undefined;
  /** HTTP method. */
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Query, decoded; of a repeated name, the last value. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name, including keys. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body: parsed if it is JSON, else its text; absent if there was none. It is parsed each time it is read. */
  readonly body?: unknown;
  /** HTTP status of the response; absent while there is none, and if the connection was dropped. */
  readonly status?: number | undefined;
  /** The response; absent while there is none, and if the connection was dropped. */
  readonly response?: RecordedResponse | undefined;
  /** Reason of an error response of the service; absent for the response of a fault. */
  readonly error?: ErrorReason | undefined;
  /** Kind of the fault that applied to it. */
  readonly fault?: FaultKind | undefined;
  /** The fault that applied to it, with its options. */
  readonly appliedFault?: ActiveFault | undefined;
  /** Milliseconds from the request to the response, waits of faults included. */
  readonly durationMs?: number | undefined;
}

/** Members of a request to search for. An object matches if it contains at least the given members. */
export type RequestPattern = Partial<Omit<RecordedRequest, 'number' | 'time'>>;

/** Every request that reached the sandbox, oldest first: an array with methods to search it. */
export class RequestLog extends Array<RecordedRequest> {
  /** Lets `filter`, `map` and the like return a plain array. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  readonly #endpoints: () => readonly string[];

  /** @internal */
  constructor(endpoints: () => readonly string[]) {
    super();
    this.#endpoints = endpoints;
  }

  /**
   * Returns the requests for one operation (`tags.create`) or endpoint (`POST /tag`). Throws a `RangeError` for a name
   * that does not exist, here and in `count` and `last`.
   */
  to(target: OperationName | Endpoint | AddedEndpoint): RecordedRequest[] {
    const found = this.filter(({ operation, endpoint }) => operation === target || endpoint === target);
    // An endpoint that was removed may still have requests.
    if (found.length === 0) checkTarget(target, [...operationNames, ...this.#endpoints()]);
    return found;
  }

  /** Returns the requests that have all of these members: `matching({ operation: 'tags.create', body: { name: 'vip' } })`. */
  matching(pattern: RequestPattern): RecordedRequest[] {
    return this.filter(request => contains(request, pattern));
  }

  /** Returns the number of requests: of one operation or endpoint, or of all. */
  count(target?: OperationName | Endpoint | AddedEndpoint): number {
    return target === undefined ? this.length : this.to(target).length;
  }

  /** Returns the last request: of one operation or endpoint, or of all. */
  last(target?: OperationName | Endpoint | AddedEndpoint): RecordedRequest | undefined {
    return target === undefined ? this.at(-1) : this.to(target).at(-1);
  }
}

function contains(value: unknown, pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return Object.is(value, pattern);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(pattern))
    return false;
  if (Array.isArray(pattern) && (value as unknown[]).length !== pattern.length) return false;
  return Object.entries(pattern).every(([key, part]) =>
    contains((value as Record<string, unknown>)[key], part),
  );
}

/** A request that is being recorded. */
export type OpenRequest = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/** Approximate size of a request besides its texts, in bytes. */
const requestBytes = 4000;

/** Adds requests to a log and keeps it within its size: the oldest requests are removed first. */
export class Recorder {
  /** The log. */
  readonly log: RequestLog;
  readonly #maxBytes: number;
  /** The requests in the log as they came, and the size of each in bytes. */
  #sources = new WeakMap<RecordedRequest, { readonly request: ReadRequest; bytes: number }>();
  readonly #listeners = new Set<(request: RecordedRequest) => void>();
  #bytes = 0;
  #count = 0;
  #revision = 0;
  #clears = 0;

  /**
   * @param maxBytes Approximate size of the log, in bytes.
   * @param endpoints Returns the endpoints that can be named.
   */
  constructor(maxBytes: number, endpoints: () => readonly string[]) {
    this.#maxBytes = maxBytes;
    this.log = new RequestLog(endpoints);
  }

  /** Number of the next request. */
  get nextNumber(): number {
    return this.#count + 1;
  }

  /** Increases whenever records may have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** Number of times that the log was cleared. */
  get clears(): number {
    return this.#clears;
  }

  /** Notes that records may have changed. */
  touch(): void {
    this.#revision += 1;
  }

  /** Returns a request as it came. */
  source(recorded: RecordedRequest): ReadRequest | undefined {
    return this.#sources.get(recorded)?.request;
  }

  /** Records a request. */
  open(recorded: OpenRequest, request: ReadRequest): void {
    this.#count += 1;
    this.#sources.set(recorded, { request, bytes: 0 });
    this.log.push(recorded);
    this.#addBytes(recorded, sizeOf(request));
    this.#notify(recorded);
  }

  /** Records that a request has ended. */
  close(recorded: OpenRequest): void {
    if (recorded.method !== 'GET') this.touch();
    this.#addBytes(recorded, recorded.response?.text.length ?? 0);
    this.#notify(recorded);
  }

  /** Calls a listener with each request when it starts and when it ends; returns a function that removes the listener. */
  listen(listener: (request: RecordedRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Removes every request; the next one has the next number. */
  clear(): void {
    this.log.length = 0;
    this.#sources = new WeakMap();
    this.#bytes = 0;
    this.#clears += 1;
    this.touch();
  }

  /** Removes every request; the next one has the number 1. */
  reset(): void {
    this.clear();
    this.#count = 0;
  }

  #addBytes(recorded: RecordedRequest, bytes: number): void {
    const source = this.#sources.get(recorded);
    if (source === undefined) return;
    source.bytes += bytes;
    this.#bytes += bytes;
    let surplus = 0;
    for (const old of this.log) {
      if (this.#bytes <= this.#maxBytes || surplus === this.log.length - 1) break;
      this.#bytes -= this.#sources.get(old)?.bytes ?? 0;
      this.#sources.delete(old);
      surplus += 1;
    }
    if (surplus > 0) this.log.splice(0, surplus);
  }

  #notify(recorded: RecordedRequest): void {
    for (const listener of this.#listeners) listener(recorded);
  }
}

function sizeOf({ url, headers, body = '' }: ReadRequest): number {
  let size = requestBytes + url.href.length + body.length;
  for (const [name, value] of headers) size += name.length + value.length;
  return size;
}
