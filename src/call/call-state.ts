import type { ApiErrorName, Attempt, ErrorDetails, ErrorName, Outcome } from '../error-details.ts';
import type { ApiErrorDetails, InvalidRequestError, TimeoutError } from '../errors.ts';
import type { ResolvedCallOptions } from './call-options.ts';
import type { Observer } from './hooks.ts';
import type { Permit, RateLimiter } from './rate-limiter.ts';

/**
 * State of one call. The client's own sequence sets `request`, `send` adds to `releases`, and the functions in `call.ts` change
 * the rest. Other functions only read it.
 */
export interface Call<
  Endpoint extends CallEndpoint = CallEndpoint,
  Settings extends CallSettings = CallSettings,
> {
  readonly endpoint: Endpoint;
  readonly settings: Settings;
  /** Base URL of the service, or address of the handler. Messages name its host. */
  readonly url: URL;
  /** Returns the id of the call, in its events and in what the browser client sends. */
  readonly id: () => string;
  /** Time of the start, by `performance.now()`. */
  readonly startedAt: number;
  /** Holds the caller's line in its stack. */
  readonly callSite: Error;
  /** Options of the client, until those of the call are known to be valid. */
  options: ResolvedCallOptions;
  /** Has only the path of the endpoint until the input is known to be valid. */
  request: CallRequest;
  /** Permit of the current attempt, if the client has a rate limiter. */
  permit: Permit | undefined;
  /** Requests that were sent. */
  readonly attempts: Attempt[];
  /** Why attempts failed. */
  readonly failures: CallFailure[];
  /** Time when the last attempt ended; at first, that of the start. */
  idleSince: number;
  /** Functions that release the secrets of the call. Called when it has ended, and its error is made. */
  readonly releases: (() => void)[];
}

/** Settings of a client, as each of its calls gets them. `withOptions` changes options and hooks only. */
export interface CallSettings {
  readonly options: ResolvedCallOptions;
  /** Those of the user, and those that log. */
  readonly hooks: readonly Observer[];
  /** Absent without a `throttle`. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
  /** Copies what a function of the user threw, without secrets. */
  readonly copyError: (thrown: unknown) => unknown;
  /** Largest response that is read, in bytes. */
  readonly maxResponseBytes: number;
}

/** How a call changes the data of the service. Decides if it may be repeated. */
export interface Effect {
  /** A `read` changes nothing, a `create` makes a record with an id and a name, and a `write` changes anything else. */
  readonly kind: 'read' | 'create' | 'write' | 'delete';
  /**
   * `true`, also by a function of the input, if a second request changes nothing.
   * @defaultValue `true` for a `read` and a `delete`, otherwise `false`
   */
  readonly idempotent?: boolean | ((input: unknown) => boolean);
}

/** What a call reaches, as events and errors name it. */
export interface CallEndpoint extends Effect {
  /** Resource and method, such as `tags.create`. */
  readonly name: string;
  readonly method: string;
  /** Path with its parameters not replaced. */
  readonly path: string;
}

/** What each attempt of a call sends, and what decides if it is sent again. */
export interface CallRequest {
  /** Path, as it is sent. */
  readonly path: string;
  /** Query without `?`; empty for none. */
  readonly query?: string;
  /** JSON text, if the request has a body. */
  readonly body?: string | undefined;
  /** The input as it was checked. */
  readonly input?: unknown;
  /** `true` if another call with the same input changes nothing. */
  readonly idempotent: boolean;
  /** `true` if the other end performs this call once, however many of its requests arrive. */
  readonly isPerformedOnce?: boolean;
  /** `true` if a function returns the key: after a 401, a call asks it once for another. */
  readonly renewsKey?: boolean;
}

/**
 * Why an attempt failed, or why its data cannot be used, with the details of its error that are known now. The error is made
 * when the call has ended, from all its failures.
 */
export type CallFailure<Name extends ErrorName = ErrorName> = FailureFacts &
  DetailsByName[Name] & {
    /** Class of the error. */
    readonly errorName: Name;
    readonly isTransient: boolean;
  };

/** What decides about retries, and what messages say. */
export interface FailureFacts {
  /** What happened: the first sentence of the message. */
  readonly summary: string;
  /** Outcome of this attempt only. */
  readonly outcome: Outcome;
  /**
   * `true` if the same request can succeed soon, so that the client retries it.
   * @defaultValue `false`
   */
  readonly isTransient?: boolean;
  /**
   * `true` if the same request will always be refused. A failure can be neither transient nor permanent: a wrong key fails until
   * somebody replaces it.
   * @defaultValue `false`
   */
  readonly isPermanent?: boolean;
  /** `true` if the service refused the key. */
  readonly isKeyRefused?: boolean;
  /** Sentence about what to do next. */
  readonly advice?: string | undefined;
  /** A few words for the list of attempts; absent when the status says it. */
  readonly reason?: string | undefined;
  /** Milliseconds that a 429 or a 503 asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Status in the list of attempts, in place of that of the response. */
  readonly status?: number | undefined;
  /** The whole message, and whether the call may be made again, if another program says so. */
  readonly message?: string | undefined;
  readonly retryable?: boolean | undefined;
}

/** What the constructor of each error class takes. */
export interface DetailsByName extends Readonly<Record<ApiErrorName, ApiErrorDetails>> {
  readonly EmailMarketingError: ErrorDetails;
  readonly ConfigurationError: ErrorDetails & { readonly option?: string | undefined };
  readonly InvalidRequestError: ErrorDetails & Pick<InvalidRequestError, 'issues'>;
  readonly InvalidResponseError: ErrorDetails & Pick<InvalidRequestError, 'issues'>;
  readonly ConnectionError: ErrorDetails;
  readonly TimeoutError: ErrorDetails & Pick<TimeoutError, 'limit' | 'phase'>;
  readonly CallAbortedError: ErrorDetails;
}
