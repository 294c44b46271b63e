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
 * Returns `true` for an instance of a class, even one from another copy of this package, such as its CommonJS build.
 * `instanceof` uses it too.
 */
function isInstanceOf({ prototype }: typeof EmailMarketingError, value: unknown): boolean {
  if (!(brand in Object(value))) return false;
  // A user's subclass inherits its name, so names are compared only for classes of this library.
  const isNamed = Object.hasOwn(prototype, 'name');
  for (let link = Object.getPrototypeOf(value); link !== null; link = Object.getPrototypeOf(link))
    if (link === prototype || (isNamed && link.name === prototype.name)) return true;
  return false;
}

/** Fields that every error has. */
const summaryOf = ({ name, message, code }: EmailMarketingError) => ({ name, message, code });

/**
 * Base class of every error of this library. An aborted call rejects with the caller's own `signal.reason` instead.
 * Errors contain no private keys, no errors of the HTTP layer, and no keys or team ids of 8 or more characters. Shorter
 * secrets are not redacted, because they could be part of any word.
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
   * - `unknown`: it may have taken effect. Check whether it did before you repeat it.
   * - `done`: it took effect, but the response cannot be used. Do not repeat it.
   */
  declare readonly outcome: Outcome;
  /**
   * `true` if repeating the call later is safe and may succeed, possibly after a fix to the key or the account.
   * {@link queueAction} returns what to do with a queued job.
   */
  declare readonly retryable: boolean;
  /**
   * Whether other calls of this client fail in the same way.
   *
   * - `account`: they do, until the key, the base URL, the account, the network or an option is fixed.
   * - `call`: the failure concerns only this call.
   */
  declare readonly scope: Scope;
  /** Requests of the call, first to last; empty if nothing was sent. */
  declare readonly attempts: readonly Attempt[];
  /**
   * Distinguishes failures of one class. `QUEUE_FULL`: the queue of the throttle is full. `FUNCTION_FAILED`: your
   * `apiKey` or `headers` function, limiter or schema threw (see `cause`). A {@link ConnectionError} has the code of
   * the network failure, such as `ECONNREFUSED`, if the runtime reports one.
   */
  declare readonly code: string | undefined;
  /** Milliseconds to wait, as the service requests; only an {@link ApiError} can have it. */
  declare readonly retryAfterMs?: number | undefined;
  /** Position of the paginator that threw the error: pass it to `all(filter, { checkpoint })` to resume. */
  declare readonly checkpoint?: string | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details);
    this.operation = details.operation;
    this.outcome = details.outcome ?? 'not-sent';
    this.retryable = details.retryable ?? false;
    this.scope = details.scope ?? 'call';
    this.attempts = details.attempts ?? [];
    this.code = details.code;
    // Writable, like the name of other errors.
    Object.defineProperty(this, 'name', { value: this.name, writable: true, configurable: true });
  }

  /**
   * Returns the fields that are safe to log: name, message, code, operation, outcome, scope, retryable, retryAfterMs,
   * status, attempts and issues, and the name, code and message of the cause.
   */
  toJSON(): Record<string, unknown> {
    // Only some classes have `response` and `issues`.
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
   * Returns `true` if `value` is an error of this class, even one from another copy of this package. Narrows the type,
   * so that `switch (error.name)` can narrow it further. Works as a callback:
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
 * What a queue should do with a failed job. Later versions add no values.
 *
 * - `retry`: run the job again later, with backoff and a limit.
 * - `pause`: keep the job, pause the queue until a read succeeds, and do not count the attempt.
 * - `review`: set the job aside for a person, because it may have taken effect.
 * - `drop`: discard the job, because it can never succeed or has already taken effect.
 */
export type QueueAction = 'retry' | 'pause' | 'review' | 'drop';

/**
 * Returns what a queue should do with a job that failed with this error.
 *
 * @param error - What the call threw. Errors from elsewhere return `review`.
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

  /** Name of the option, such as `baseUrl`; absent if the error does not concern one option. */
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

  /** Invalid fields, and what was expected. */
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

  /** Fields that differ, and what was expected. */
  declare readonly issues: readonly Issue[];

  constructor(message: string, details: ErrorDetails & { readonly issues: readonly Issue[] }) {
    super(message, details);
    this.issues = details.issues;
  }
}

/**
 * Thrown when the response was incomplete or missing: the name did not resolve, or the connection was refused, reset or
 * cut. Check `outcome`: the call may have taken effect.
 */
export class ConnectionError extends EmailMarketingError {
  declare static readonly isInstance: (value: unknown) => value is ConnectionError;

  override get name(): 'ConnectionError' {
    return 'ConnectionError';
  }
}

/**
 * Error of an aborted call, as `.safe()` returns it; `cause` is your `signal.reason`. Without `.safe()`, the call
 * rejects with that reason, as `fetch` does.
 */
export class CallAbortedError extends EmailMarketingError {
  declare static readonly isInstance: (value: unknown) => value is CallAbortedError;

  override get name(): 'CallAbortedError' {
    return 'CallAbortedError';
  }
}

/** Thrown when a time limit is exceeded. */
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

/** Thrown when the service responds with an error. Base class of more specific errors. */
export class ApiError extends EmailMarketingError {
  declare static readonly isInstance: (value: unknown) => value is Extract<AnyEmailMarketingError, ApiError>;

  override get name(): ApiErrorName {
    return 'ApiError';
  }

  /** Body of the response: parsed if it is JSON, otherwise its text. */
  declare readonly body: unknown;
  /**
   * HTTP status and headers of the response, without secrets. If the HTTP status is a success, `status` is the numeric
   * `status` of the body, if it has one. They are not properties of the error itself, because web frameworks would
   * respond to visitors with them.
   */
  declare readonly response: { readonly status: number; readonly headers: Headers };
  /** Milliseconds to wait, as a 429 or 503 requests; otherwise absent. */
  declare readonly retryAfterMs?: number | undefined;

  constructor(message: string, details: ApiErrorDetails) {
    super(message, details);
    this.body = details.body;
    this.retryAfterMs = details.retryAfterMs;
    // Not enumerable, because printed headers fill a screen.
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

/** Thrown when the service rejects the request as malformed or invalid (400, 422). */
export class BadRequestError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is BadRequestError;

  override get name(): 'BadRequestError' {
    return 'BadRequestError';
  }
}

/** Thrown when the name or email is already in use (the service's message, or 409 when creating). */
export class ConflictError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is ConflictError;

  override get name(): 'ConflictError' {
    return 'ConflictError';
  }
}

/** Thrown when the resource does not exist (404, or the service's message). */
export class NotFoundError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is NotFoundError;

  override get name(): 'NotFoundError' {
    return 'NotFoundError';
  }
}

/** Thrown when your key lacks permission, or the resource is protected (403). */
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

/** Thrown when the service or a gateway failed (5xx). The call may have taken effect: `outcome` is `unknown`. */
export class ServerError extends ApiError {
  declare static readonly isInstance: (value: unknown) => value is ServerError;

  override get name(): 'ServerError' {
    return 'ServerError';
  }
}
