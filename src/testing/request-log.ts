import { anArray, anObject, anything, type OptionRules } from '../core/option-rules.ts';
import type { ActiveFault, ReceivedRequest } from './faults/fault-kinds.ts';
import { checkTarget, requestRules } from './faults/fault-rules.ts';
import { checkMembers, contains, httpStatus } from './rules.ts';
import type { ErrorReason } from './service/error-response.ts';
import { type AddedEndpoint, type Endpoint, type OperationName, operationNames } from './service/router.ts';

/** Response that the sandbox sent. */
export interface RecordedResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole body as text, even if a fault cut it halfway. */
  readonly text: string;
}

/** Request that the sandbox received, and its response. */
export interface RecordedRequest extends ReceivedRequest {
  /** HTTP status; absent while the request runs, or if the connection was dropped. */
  readonly status?: number | undefined;
  /** Response; absent while the request runs, or if the connection was dropped. */
  readonly response?: RecordedResponse | undefined;
  /** Why the service responded with an error; absent if a fault caused it. */
  readonly error?: ErrorReason | undefined;
  /** Every fault that was applied, with its options; the last one can have decided the response. */
  readonly appliedFaults?: readonly ActiveFault[] | undefined;
  /** Time to the response in milliseconds, including delays by faults. */
  readonly durationMs?: number | undefined;
}

/** Members to match. A nested object matches if it contains at least these members. */
export type RequestPattern = Partial<Omit<RecordedRequest, 'number' | 'time'>>;

const patternRules: OptionRules<keyof RecordedRequest> = {
  ...requestRules,
  status: httpStatus,
  response: anObject,
  error: anObject,
  appliedFaults: anArray,
  durationMs: anything,
};

/** Array of every request that the sandbox received, oldest first, with methods to search it. */
export interface RequestLog extends RequestArray {}

/** Class of {@link RequestLog}, whose instances only a sandbox creates. */
class RequestArray extends Array<RecordedRequest> {
  /** Makes `filter`, `map` and the like return a plain array. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** @internal */
  declare readonly endpoints: () => readonly string[];

  /** @internal */
  constructor(endpoints: () => readonly string[]) {
    super();
    // Not printed with the requests.
    Object.defineProperty(this, 'endpoints', { value: endpoints });
  }

  /**
   * Returns the requests to an operation (`tags.create`) or endpoint (`POST /tag`). Like `count` and `last`, throws a
   * `RangeError` if the operation or endpoint is unknown.
   */
  to(target: OperationName | Endpoint | AddedEndpoint): RecordedRequest[] {
    const found = this.filter(({ operation, endpoint }) => operation === target || endpoint === target);
    // The log can still contain requests to an endpoint that was removed.
    if (found.length === 0) checkTarget(target, [...operationNames, ...this.endpoints()]);
    return found;
  }

  /**
   * Returns the requests that match a pattern: `matching({ operation: 'tags.create', body: { name: 'vip' } })`. Throws a
   * `RangeError` for a pattern that no request can match.
   */
  matching(pattern: RequestPattern): RecordedRequest[] {
    checkMembers('member of a request', pattern, patternRules, 'matching: ');
    return this.filter(request => contains(request, pattern));
  }

  /** Returns the number of requests: all, or those to one operation or endpoint. */
  count(target?: OperationName | Endpoint | AddedEndpoint): number {
    return target === undefined ? this.length : this.to(target).length;
  }

  /** Returns the last request: of all, or of those to one operation or endpoint. */
  last(target?: OperationName | Endpoint | AddedEndpoint): RecordedRequest | undefined {
    return target === undefined ? this.at(-1) : this.to(target).at(-1);
  }
}

/** A request that is being recorded. */
export type OpenRequest = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/** Maximum length of all requests and responses in the log, in characters, because long pages of contacts add up. */
const maxLoggedCharacters = 100_000_000;

/** Writes the request log, and removes the oldest requests when it gets too long. */
export class Recorder {
  readonly log: RequestLog;
  /** Number of requests since the last reset. */
  count = 0;
  /** Increases with each change of the log, and with each change by a control. */
  revision = 0;
  readonly #max: number;
  /** Number of characters of each request and its response. */
  readonly #lengths = new WeakMap<RecordedRequest, number>();
  /** Number of characters of all requests and responses; at least as many as the log contains. */
  #characters = 0;

  /**
   * @param max Maximum number of requests in the log.
   * @param endpoints Returns the endpoints that exist.
   */
  constructor(max: number, endpoints: () => readonly string[]) {
    this.#max = max;
    this.log = new RequestArray(endpoints);
  }

  /** Makes the web page load requests and records again. */
  touch(): void {
    this.revision += 1;
  }

  /**
   * Records a request.
   * @param length Number of its characters.
   */
  open(recorded: OpenRequest, length: number): void {
    this.count += 1;
    this.log.push(recorded);
    this.#grow(recorded, length);
  }

  /** Notes that a request has its response, or will get none. */
  close(recorded: OpenRequest): void {
    this.#grow(recorded, recorded.response?.text.length ?? 0);
  }

  /** Adds to the length of a request. While the log is too long, removes its oldest tenth, but never the newest request. */
  #grow(recorded: RecordedRequest, length: number): void {
    const { log } = this;
    this.#lengths.set(recorded, (this.#lengths.get(recorded) ?? 0) + length);
    this.#characters += length;
    while (log.length > 1 && (log.length > this.#max || this.#characters > maxLoggedCharacters)) {
      log.splice(0, Math.ceil(log.length / 10));
      this.#characters = log.reduce((sum, request) => sum + (this.#lengths.get(request) ?? 0), 0);
    }
    this.touch();
  }

  /** Removes every request; numbering continues. */
  clear(): void {
    this.log.length = 0;
    this.touch();
  }

  /** Removes every request; numbering restarts at 1. */
  reset(): void {
    this.clear();
    this.count = 0;
  }
}
