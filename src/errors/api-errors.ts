import { type ApiErrorName, EmailMarketingError, type ErrorDetails } from './base.ts';

/** What an {@link ApiError} is made from. */
export interface ApiErrorDetails extends ErrorDetails {
  /** HTTP status, or the one that the body tells. */
  readonly status: number;
  /** The body: parsed when it is JSON, else its text. */
  readonly body: unknown;
  /** The answer's headers. */
  readonly headers: Headers;
}

/** The service answered that it failed or refused (specification, section 7). */
export class ApiError extends EmailMarketingError {
  /** HTTP status, or the body's own numeric `status` where the HTTP status says success. */
  readonly status: number;
  /** The body: parsed when it is JSON, else its text. */
  readonly body: unknown;
  /** The answer's headers. */
  readonly headers: Headers;

  constructor(message: string, details: ApiErrorDetails) {
    super(message, details);
    this.status = details.status;
    this.body = details.body;
    this.headers = details.headers;
  }

  override get name(): ApiErrorName {
    return 'ApiError';
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status };
  }
}

/** The key or the team id is missing or not valid (401). */
export class AuthenticationError extends ApiError {
  override get name(): 'AuthenticationError' {
    return 'AuthenticationError';
  }
}

/** The service could not make sense of the request (400, 422, malformed body). */
export class BadRequestError extends ApiError {
  override get name(): 'BadRequestError' {
    return 'BadRequestError';
  }
}

/** The name or email is already used, whatever the status. */
export class ConflictError extends ApiError {
  override get name(): 'ConflictError' {
    return 'ConflictError';
  }
}

/** No such resource (404). */
export class NotFoundError extends ApiError {
  override get name(): 'NotFoundError' {
    return 'NotFoundError';
  }
}

/** The key may not do this (403). */
export class PermissionError extends ApiError {
  override get name(): 'PermissionError' {
    return 'PermissionError';
  }
}

/** Too many requests (429). */
export class RateLimitError extends ApiError {
  /** Seconds the service asked to wait; absent when it did not say. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: ApiErrorDetails & { readonly retryAfter?: number | undefined }) {
    super(message, details);
    this.retryAfter = details.retryAfter;
  }

  override get name(): 'RateLimitError' {
    return 'RateLimitError';
  }
}

/** The service failed (5xx), so it may have acted: `outcome` is `unknown` unless it asked to be tried later. */
export class ServerError extends ApiError {
  override get name(): 'ServerError' {
    return 'ServerError';
  }
}
