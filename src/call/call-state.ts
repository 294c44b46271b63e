import type { ApiErrorName, Attempt, ErrorDetails, ErrorName, Outcome } from '../error-details.ts';
import type { ApiErrorDetails, InvalidRequestError, TimeoutError } from '../errors.ts';
import type { ResolvedCallOptions } from './call-options.ts';
import type { Observer } from './hooks.ts';
import type { Permit, RateLimiter } from './rate-limiter.ts';

/**
 * State of one call, from start to end: what it was given, what was sent so far, and how that failed. The sequence of its client
 * sets `request`, `client/send.ts` adds to `releases`, and the functions in `call.ts` change the rest. Other functions only read
 * it.
 */
export interface Call<
  Endpoint extends CallEndpoint = CallEndpoint,
  Settings extends CallSettings = CallSettings,
> {
  readonly endpoint: Endpoint;
  readonly settings: Settings;
  /** Base URL of the service, or address of the handler. Messages name its host. */
  readonly url: URL;
  /** Returns the id of the call, which its events and the requests of the browser client contain. */
  readonly id: () => string;
  /** When the call started, by `performance.now()`. */
  readonly startedAt: number;
  /** Its stack contains the caller's line. */
  readonly callSite: Error;
  /** Options of the client; once they are checked, merged with the options of the call. */
  options: ResolvedCallOptions;
  /** Request to send. Until the input is checked, it has only the path of the endpoint. */
  request: CallRequest;
  /** Permit of the rate limiter for the current attempt. */
  permit: Permit | undefined;
  /** Attempts that were passed to the transport. */
  readonly attempts: Attempt[];
  /** Why attempts failed, and at last why the call did. */
  readonly failures: CallFailure[];
  /** When the last attempt ended, or the call started. The time since then is a wait. */
  idleSince: number;
  /** Functions that release the secrets of the call. Called when it has ended, and its error is made. */
  readonly releases: (() => void)[];
}

/** Settings of a client, which all its calls share. */
export interface CallSettings {
  readonly options: ResolvedCallOptions;
  /** Hooks of the user, and hooks that log. */
  readonly hooks: readonly Observer[];
  /** Absent without a `throttle`. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
  /** Copies what a user's function threw, without secrets. */
  readonly copyError: (thrown: unknown) => unknown;
  /** Largest response that is read, in bytes. */
  readonly maxResponseBytes: number;
}

/** How a call changes the data of the service. It decides whether the call may be retried. */
export interface Effect {
  /** A `read` changes nothing. A `create` makes a record with an id and a name. A `write` is any other change. */
  readonly kind: 'read' | 'create' | 'write' | 'delete';
  /**
   * `true`, also by a function of the input, if a second request changes nothing.
   * @defaultValue `true` for a `read` and a `delete`, otherwise `false`
   */
  readonly idempotent?: boolean | ((input: unknown) => boolean);
}

/** What is called: the operation of the service, as events and errors name it. */
export interface CallEndpoint extends Effect {
  /** Resource and method, such as `tags.create`. */
  readonly name: string;
  readonly method: string;
  /** Path whose parameters are not filled in. */
  readonly path: string;
}

/** What each attempt of a call sends, and whether it may be sent again. */
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
  /** `true` if the receiver performs the call only once, even if several requests for it arrive. */
  readonly isPerformedOnce?: boolean;
  /** `true` if a function returns the key. After a 401, a call asks it once for another key. */
  readonly renewsKey?: boolean;
}

/**
 * Why an attempt failed, as data: the class of its error, and the details that are known so far. If the call is not retried,
 * `toError` makes the error from all failures of the call.
 */
export type CallFailure<Name extends ErrorName = ErrorName> = FailureFacts &
  DetailsByName[Name] & {
    /** Class of the error. */
    readonly errorName: Name;
    readonly isTransient: boolean;
  };

/** What decides whether a call is retried, and what its message contains. */
export interface FailureFacts {
  /** What happened: the first sentence of the message, without the operation. */
  readonly summary: string;
  /** Outcome of this attempt only. */
  readonly outcome: Outcome;
  /**
   * `true` if the same request can succeed soon, so that the client retries it.
   * @defaultValue `false`
   */
  readonly isTransient?: boolean;
  /**
   * `true` if the same request will always be rejected. A failure can be neither transient nor permanent: a wrong key fails until
   * somebody replaces it.
   * @defaultValue `false`
   */
  readonly isPermanent?: boolean;
  /** `true` if the service rejected the key. */
  readonly isKeyRefused?: boolean;
  /** Sentence about what to do next. */
  readonly advice?: string | undefined;
  /** Why the attempt failed, in a few words for `attempts`. Absent if the status says it. */
  readonly reason?: string | undefined;
  /** Milliseconds that a 429 or a 503 asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Status for `attempts`, if it is not the status of the response: the handler reports the status of the service. */
  readonly status?: number | undefined;
  /** The whole message, and `retryable`, if the handler has decided both. */
  readonly message?: string | undefined;
  readonly retryable?: boolean | undefined;
}

/** The details that the constructor of each error class takes. */
export interface DetailsByName extends Readonly<Record<ApiErrorName, ApiErrorDetails>> {
  readonly EmailMarketingError: ErrorDetails;
  readonly ConfigurationError: ErrorDetails & { readonly option?: string | undefined };
  readonly InvalidRequestError: ErrorDetails & Pick<InvalidRequestError, 'issues'>;
  readonly InvalidResponseError: ErrorDetails & Pick<InvalidRequestError, 'issues'>;
  readonly ConnectionError: ErrorDetails;
  readonly TimeoutError: ErrorDetails & Pick<TimeoutError, 'limit' | 'phase'>;
  readonly CallAbortedError: ErrorDetails;
}
