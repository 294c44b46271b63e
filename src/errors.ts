import type {
  ApiErrorName,
  Attempt,
  ErrorDetails,
  ErrorName,
  Issue,
  Outcome,
  Scope,
  TimeoutPhase,
} from './error-details.ts';

const brand = Symbol.for('email-marketing-client.error');

/**
 * Returns `true` for an error of a class, also if another copy of this package made it, such as its CommonJS build beside
 * its ES modules. `instanceof` gives the same.
 */
function isInstanceOf({ prototype }: typeof EmailMarketingError, value: unknown): boolean {
  if (!(brand in Object(value))) return false;
  // A class of a user that has only inherited its name is in no other copy.
  const isNamed = Object.hasOwn(prototype, 'name');
  for (let link = Object.getPrototypeOf(value); link !== null; link = Object.getPrototypeOf(link))
    if (link === prototype || (isNamed && link.name === prototype.name)) return true;
  return false;
}

/** What happened, as any error says it. */
const summaryOf = ({ name, message, code }: EmailMarketingError) => ({ name, message, code });

/**
 * Base class of every error of this library. Only an abort rejects with the caller's own `signal.reason`.
 * No error contains a private key, an error of the HTTP layer, or a key or team id of 8 or more characters. Shorter ones could be
 * part of any word, and are not searched for.
 */
export class EmailMarketingError extends Error {
  /** Name of the class, as a literal type. */
  override get name(): ErrorName {
    return 'EmailMarketingError';
  }

  /** Operation that failed, such as `tags.create`; absent if a constructor threw the error. */
  declare readonly operation: string | undefined;
  /**
   * Whether any of the attempts may have taken effect.
   *
   * - `not-sent`: nothing was sent. Fix the cause, if there is one, and call again.
   * - `refused`: the service did nothing. Fix what the message names, and call again.
   * - `unknown`: it may have taken effect. Look whether it did, then decide.
   * - `done`: it took effect, and the response cannot be used. Do not call again.
   */
  declare readonly outcome: Outcome;
  /**
   * `true` if repeating the same call later is safe and may succeed, even if somebody has to fix the key or the account
   * first. {@link queueAction} says what a queue does with the job.
   */
  declare readonly retryable: boolean;
  /**
   * Whether other calls of this client fail in the same way.
   *
   * - `account`: they do, until somebody fixes the key, the base URL, the account, the network or an option.
   * - `call`: the failure concerns this call.
   */
  declare readonly scope: Scope;
  /** Requests of the call, first to last; empty if nothing was sent. */
  declare readonly attempts: readonly Attempt[];
  /**
   * Tells failures of one class apart: of a {@link ConnectionError} the code of the network failure, such as
   * `ECONNREFUSED`, absent if the runtime gives none; `QUEUE_FULL` if the queue of the throttle is full, and
   * `FUNCTION_FAILED` if your `apiKey` or `headers` function, limiter or schema threw (see `cause`).
   */
  declare readonly code: string | undefined;
  /** Milliseconds that the service asks to wait; only an {@link ApiError} can have it. */
  declare readonly retryAfterMs?: number | undefined;
  /** Position of a paginator that threw the error: pass it to `all(filter, { checkpoint })` to resume. */
  declare readonly checkpoint?: string | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.operation = details.operation;
    this.outcome = details.outcome ?? 'not-sent';
    this.retryable = details.retryable ?? false;
    this.scope = details.scope ?? 'call';
    this.attempts = details.attempts ?? [];
    this.code = details.code;
    // As the name of any error, it can be replaced.
    Object.defineProperty(this, 'name', { value: this.name, writable: true, configurable: true });
  }

  /**
   * Returns the members that are safe and useful to log: name, message, code, operation, outcome, scope, retryable,
   * retryAfterMs, status, attempts and issues, and of the cause its name, code and message.
   */
  toJSON(): Record<string, unknown> {
    // Some are members of some classes only.
    const { operation, outcome, scope, retryable, retryAfterMs, response, attempts, issues, cause } =
      Object(this);
    return {
      ...summaryOf(this),
      operation,
      outcome,
      scope,
      retryable,
      retryAfterMs,
      status: response?.status,
      attempts,
      issues,
      cause: cause && summaryOf(cause),
    };
  }

  /** @internal */
  get [brand](): true {
    return true;
  }

  /**
   * Returns `true` if `value` is an error of this class, also if another copy of this package made it. Narrows to the
   * classes that it can be, so that a `switch (error.name)` narrows further. Can be passed on:
   * `errors.filter(RateLimitError.isInstance)`.
   */
  static get isInstance(): (value: unknown) => value is AnyEmailMarketingError {
    return (value): value is AnyEmailMarketingError => isInstanceOf(this, value);
  }

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this.isInstance(value);
  }
}

/**
 * What a queue does with a job that failed: a closed set.
 *
 * - `retry`: run the job again later, with backoff and a limit.
 * - `pause`: keep the job, pause the queue until a read succeeds, and do not count the attempt.
 * - `review`: set the job aside for a person, because it may have taken effect.
 * - `drop`: give the job up, because it failed for good or has taken effect.
 */
export type QueueAction = 'retry' | 'pause' | 'review' | 'drop';

/**
 * Returns what a queue does with a job that failed with this error.
 *
 * @param error - What the call threw. An error of anything else than this library is for a person to review.
 * @example
 * ```ts
 * import { EmailMarketingClient, queueAction } from 'email-marketing-client';
 *
 * const client = new EmailMarketingClient();
 * const { error } = await client.tags.create({ name: '' }).safe();
 * console.log(queueAction(error)); // drop
 * ```
 */
export function queueAction(error: unknown): QueueAction {
  if (!EmailMarketingError.isInstance(error)) return 'review';
  if (error.retryable) return error.scope === 'account' ? 'pause' : 'retry';
  return error.outcome === 'unknown' ? 'review' : 'drop';
}

/** Every error of this library, each with a literal `name`. */
export type AnyEmailMarketingError =
  | (EmailMarketingError & { readonly name: 'EmailMarketingError' })
  | ConfigurationError
  | InvalidRequestError
  | InvalidResponseError
  | ConnectionError
  | TimeoutError
  | CallAbortedError
  | (ApiError & { readonly name: 'ApiError' })
  | AuthenticationError
  | BadRequestError
  | ConflictError
  | NotFoundError
  | PermissionError
  | RateLimitError
  | ServerError;

/**
 * Thrown when an option of the client is missing, unknown or unusable: by the constructor, by a legacy call without
 * `teamId`, and by a call whose key function returned no key.
 */
export class ConfigurationError extends EmailMarketingError {
  declare static readonly isInstance: (value: unknown) => value is ConfigurationError;

  override get name(): 'ConfigurationError' {
    return 'ConfigurationError';
  }

  /** Name of the option, such as `baseUrl`; absent when the error concerns no single one. */
  declare readonly option: string | undefined;

  constructor(message: string, details: ErrorDetails & { readonly option?: string | undefined } = {}) {
    super(message, { scope: 'account', retryable: true, ...details });
    this.option = details.option;
  }
}

/** Thrown when the input breaks a rule of the service; nothing was sent. `issues` names each field. */
export class InvalidRequestError extends EmailMarketingError {
  declare static readonly isInstance: (value: unknown) => value is InvalidRequestError;

  override get name(): 'InvalidRequestError' {
    return 'InvalidRequestError';
  }

  /** Fields that are invalid, and what was expected. */
  declare readonly issues: readonly Issue[];

  constructor(message: string, details: ErrorDetails & { readonly issues: readonly Issue[] }) {
    super(message, details);
    this.issues = details.issues;
  }
}

/** Thrown when a response cannot be used: not JSON, larger than `maxResponseBytes`, or a record without its `id`. */
export class InvalidResponseError extends EmailMarketingError {
  declare static readonly isInstance: (value: unknown) => value is InvalidResponseError;

  override get name(): 'InvalidResponseError' {
    return 'InvalidResponseError';
  }

  /** Places that differ, and what was expected. */
  declare readonly issues: readonly Issue[];

  constructor(message: string, details: ErrorDetails & { readonly issues: readonly Issue[] }) {
    super(message, details);
    this.issues = details.issues;
  }
}

/**
 * Thrown when the response was incomplete or missing: the name did not resolve, or the connection was refused, reset or
 * cut. `outcome` says whether the call may have taken effect.
 */
export class ConnectionError extends EmailMarketingError {
  declare static readonly isInstance: (value: unknown) => value is ConnectionError;

  override get name(): 'ConnectionError' {
    return 'ConnectionError';
  }
}

/**
 * Error of a call that you aborted, as `.safe()` returns it; `cause` is your own `signal.reason`. The call itself rejects
 * with that reason, as `fetch` does.
 */
export class CallAbortedError extends EmailMarketingError {
  declare static readonly isInstance: (value: unknown) => value is CallAbortedError;

  override get name(): 'CallAbortedError' {
    return 'CallAbortedError';
  }
}

/** Thrown when a time limit ran out. */
export class TimeoutError extends EmailMarketingError {
  declare static readonly isInstance: (value: unknown) => value is TimeoutError;

  override get name(): 'TimeoutError' {
    return 'TimeoutError';
  }

  /** Option that ended the call. */
  declare readonly limit: 'timeout' | 'totalTimeout';
  /** Phase that the call was in. */
  declare readonly phase: TimeoutPhase;

  constructor(message: string, details: ErrorDetails & Pick<TimeoutError, 'limit' | 'phase'>) {
    super(message, details);
    this.limit = details.limit;
    this.phase = details.phase;
  }
}

/** Details that an {@link ApiError} is constructed from. */
export interface ApiErrorDetails extends ErrorDetails, Pick<ApiError, 'body' | 'response' | 'retryAfterMs'> {}

/** Thrown when the service responds with an error: base class of those below, and by itself if none of them fits. */
export class ApiError extends EmailMarketingError {
  declare static readonly isInstance: (value: unknown) => value is Extract<AnyEmailMarketingError, ApiError>;

  override get name(): ApiErrorName {
    return 'ApiError';
  }

  /** Body of the response: parsed if it is JSON, otherwise its text. */
  declare readonly body: unknown;
  /**
   * HTTP status of the response, or the numeric `status` of its body if the HTTP status says success; and its headers,
   * without secrets. Not printed with the error, and not members of the error itself: web frameworks respond to their visitor
   * with the `status` and `headers` of an error.
   */
  declare readonly response: { readonly status: number; readonly headers: Headers };
  /** Milliseconds that a 429 or a 503 asks to wait; absent if it does not say, and of any other response. */
  declare readonly retryAfterMs?: number | undefined;

  constructor(message: string, details: ApiErrorDetails) {
    super(message, details);
    this.body = details.body;
    this.retryAfterMs = details.retryAfterMs;
    // Printed, they fill a screen, or show as an empty object.
    Object.defineProperty(this, 'response', { value: details.response });
  }
}

/** Thrown when the key or the team id is missing or not valid (401). */
export class AuthenticationError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is AuthenticationError;

  override get name(): 'AuthenticationError' {
    return 'AuthenticationError';
  }
}

/** Thrown when the service could not read the request (400, 422, malformed body). */
export class BadRequestError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is BadRequestError;

  override get name(): 'BadRequestError' {
    return 'BadRequestError';
  }
}

/** Thrown when the name or email is already used: the service says so, or responds to what creates with 409. */
export class ConflictError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is ConflictError;

  override get name(): 'ConflictError' {
    return 'ConflictError';
  }
}

/** Thrown when there is no such resource (404, or the service's message). */
export class NotFoundError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is NotFoundError;

  override get name(): 'NotFoundError' {
    return 'NotFoundError';
  }
}

/** Thrown when your key lacks permission (403). */
export class PermissionError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is PermissionError;

  override get name(): 'PermissionError' {
    return 'PermissionError';
  }
}

/** Thrown when the service accepts no more requests for now (429). */
export class RateLimitError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is RateLimitError;

  override get name(): 'RateLimitError' {
    return 'RateLimitError';
  }
}

/** Thrown when the service failed (5xx). The call may have taken effect: `outcome` is `unknown`. */
export class ServerError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is ServerError;

  override get name(): 'ServerError' {
    return 'ServerError';
  }
}
