import type { ApiErrorName, Attempt, ErrorDetails, ErrorName, Outcome } from '../error-details.ts';
import type { ApiErrorDetails, InvalidRequestError, InvalidResponseError, TimeoutError } from '../errors.ts';
import type { CallResult } from './api-promise.ts';
import type { ResolvedCallOptions } from './call-options.ts';
import type { Observer } from './hooks.ts';
import type { RateLimiter, ReleasePermit } from './rate-limiter.ts';

/**
 * State of one call: its endpoint and settings, its attempts, and their failures. Each client's call sequence sets
 * `request`, `callIdOf` sets `id`, `client/send.ts` adds to `releases`, and `call.ts` changes the rest. Other functions
 * only read it.
 */
export interface Call<
  Endpoint extends CallEndpoint = CallEndpoint,
  Settings extends CallSettings = CallSettings,
> {
  readonly endpoint: Endpoint;
  readonly settings: Settings;
  /** Base URL of the service, or address of the handler. Messages contain its host. */
  readonly url: URL;
  /** Id that events and the requests of the browser client contain. `callIdOf` makes it on first use. */
  id: string | undefined;
  /** When the call started, by `performance.now()`. */
  readonly startedAt: number;
  /** Its stack contains the caller's line. */
  readonly callSite: Error;
  /** Options of the client, merged with the options of the call once these are checked. */
  options: ResolvedCallOptions;
  /** Request to send. Until the input is validated, it contains only the path of the endpoint. */
  request: CallRequest;
  /** Releases the rate limiter's permit for the current attempt. */
  releasePermit: ReleasePermit | undefined;
  /** Attempts that were passed to the transport. */
  readonly attempts: Attempt[];
  /** Failures of the attempts. A failure outside an attempt ends the call: `toError` gets it as an argument. */
  readonly failures: CallFailure[];
  /** When the last attempt ended, or the call started. The time since then is a wait. */
  idleSince: number;
  /** Functions that release the secrets of the call, called at its end. */
  readonly releases: (() => void)[];
}

/** Settings of a client, which all its calls share. */
export interface CallSettings {
  /** Call options of the client. Each call can override them. */
  readonly defaults: ResolvedCallOptions;
  /** Hooks of the user, and hooks that log. */
  readonly hooks: readonly Observer[];
  /** Absent without a `throttle`. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Removes secrets from text. */
  readonly redact: (text: string) => string;
  /** Copies what a user's function threw, without secrets. */
  readonly copyError: (thrown: unknown) => unknown;
}

/** How a call changes the data of the service. It decides whether the call may be retried. */
export interface Effect {
  /** A `read` changes nothing. A `create` makes a record with an id and a name. A `write` is any other change. */
  readonly kind: 'read' | 'create' | 'write' | 'delete';
  /**
   * Whether a second request changes nothing, or a function that derives it from the input.
   * @defaultValue `true` for a `read` and a `delete`, otherwise `false`
   */
  readonly idempotent?: boolean | ((input: unknown) => boolean);
}

/** Operation that is called, as events and errors name it. */
export interface CallEndpoint extends Effect {
  /** Resource and method, such as `tags.create`. */
  readonly name: string;
  readonly method: string;
  /** Path with placeholders for parameters. */
  readonly path: string;
}

/** What each attempt of a call sends, and whether it may be sent again. */
export interface CallRequest {
  /** Path with its parameters filled in. */
  readonly path: string;
  /** Query without `?`; empty for none. */
  readonly query?: string;
  /** JSON text, if the request has a body. */
  readonly body?: string | undefined;
  /** Input after validation. */
  readonly input?: unknown;
  /** `true` if another call with the same input changes nothing. */
  readonly idempotent: boolean;
  /** `true` if the receiver performs the call only once, even if several requests for it arrive. */
  readonly isPerformedOnce?: boolean;
  /** `true` if a function returns the key. After a 401, a call asks it once for another key. */
  readonly renewsKey?: boolean;
}

/** Result of an attempt: the data of the response, or the failure. */
export type Answer = CallResult<unknown> | CallFailure;

/**
 * Failure of an attempt, as data: the class of its error, and the details known so far. If the call is not retried,
 * `toError` makes the error from all failures of the call.
 */
export type CallFailure<Name extends ErrorName = ErrorName> = FailureFacts &
  DetailsByName[Name] & {
    /** Class of the error. */
    readonly errorName: Name;
    readonly isTransient: boolean;
  };

/** Facts that decide whether a call is retried and what its message contains. */
export interface FailureFacts {
  /** What happened: the first sentence of the message, without the operation. */
  readonly summary: string;
  /** Outcome of this attempt only. */
  readonly outcome: Outcome;
  /**
   * `true` if the same request can succeed soon. The client retries it if the transport got it and `waitBeforeRetry`
   * allows it.
   * @defaultValue `false`
   */
  readonly isTransient?: boolean;
  /**
   * `true` if the same request will always be rejected. A wrong key, which fails until it is replaced, is not transient
   * and not permanent.
   * @defaultValue `false`
   */
  readonly isPermanent?: boolean;
  /** `true` if the service rejected the key. */
  readonly isKeyRefused?: boolean;
  /** Sentence about what to do next. */
  readonly advice?: string | undefined;
  /** Short reason for `attempts`; absent if the status is the reason. */
  readonly reason?: string | undefined;
  /** Milliseconds to wait, as a 429 or 503 requests. */
  readonly retryAfterMs?: number | undefined;
  /** Status for `attempts`, if other than the status of the response: the handler reports the status of the service. */
  readonly status?: number | undefined;
  /** The whole message, and `retryable`, if the handler has decided both. */
  readonly message?: string | undefined;
  readonly retryable?: boolean | undefined;
}

/** Constructor details of each error class. */
export interface DetailsByName extends Readonly<Record<ApiErrorName, ApiErrorDetails>> {
  readonly EmailMarketingError: ErrorDetails;
  readonly ConfigurationError: ErrorDetails & { readonly option?: string | undefined };
  readonly InvalidRequestError: ErrorDetails & Pick<InvalidRequestError, 'issues'>;
  readonly InvalidResponseError: ErrorDetails & Pick<InvalidResponseError, 'issues'>;
  readonly ConnectionError: ErrorDetails;
  readonly TimeoutError: ErrorDetails & Pick<TimeoutError, 'limit' | 'phase'>;
  readonly CallAbortedError: ErrorDetails;
}
