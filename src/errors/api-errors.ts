import { type ApiErrorName, EmailMarketingError, type ErrorDetails } from './base.ts';

/** Details that an {@link ApiError} is constructed from. */
export interface ApiErrorDetails extends ErrorDetails {
  /** HTTP status, or the one in the body. */
  readonly status: number;
  /** Body of the response: parsed if it is JSON, otherwise its text. */
  readonly body: unknown;
  /** Headers of the response, without secrets. */
  readonly headers: Headers;
}

/** Thrown when the service responds with an error: base class of those below, and by itself if none of them fits. */
export class ApiError extends EmailMarketingError {
  /** HTTP status, or the numeric `status` of the body if the HTTP status says success. */
  readonly status: number;
  /** Body of the response: parsed if it is JSON, otherwise its text. */
  readonly body: unknown;
  /** Headers of the response, without secrets. */
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

/** Thrown when the key or the team id is missing or not valid (401). */
export class AuthenticationError extends ApiError {
  override get name(): 'AuthenticationError' {
    return 'AuthenticationError';
  }
}

/** Thrown when the service could not read the request (400, 422, malformed body). */
export class BadRequestError extends ApiError {
  override get name(): 'BadRequestError' {
    return 'BadRequestError';
  }
}

/** Thrown when the name or email is already used, under nearly any status. */
export class ConflictError extends ApiError {
  override get name(): 'ConflictError' {
    return 'ConflictError';
  }
}

/** Thrown when there is no such resource (404). */
export class NotFoundError extends ApiError {
  override get name(): 'NotFoundError' {
    return 'NotFoundError';
  }
}

/** Thrown when the key may not do this (403). */
export class PermissionError extends ApiError {
  override get name(): 'PermissionError' {
    return 'PermissionError';
  }
}

/** Thrown when the service accepts no more requests for now (429). */
export class RateLimitError extends ApiError {
  /** Seconds that the service asks to wait; absent if it does not say. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: ApiErrorDetails & { readonly retryAfter?: number | undefined }) {
    super(message, details);
    this.retryAfter = details.retryAfter;
  }

  override get name(): 'RateLimitError' {
    return 'RateLimitError';
  }
}

/** Thrown when the service failed (5xx). It may have acted: `outcome` is `unknown`, unless a 503 of the service itself has `Retry-After`. */
export class ServerError extends ApiError {
  override get name(): 'ServerError' {
    return 'ServerError';
  }
}
