/** Kind of an error response, which decides its HTTP status. */
export type ErrorKind =
  | 'unauthorized'
  | 'nameUsed'
  | 'malformed'
  | 'badQuery'
  | 'unknown'
  | 'undeletable'
  | 'methodNotAllowed'
  | 'tooLarge'
  | 'rateLimited'
  | 'serverFailure';

/** Reason of an error response, for people: shown in the request log, never sent to the caller. */
export interface ErrorReason {
  /** Kind of the error response, which decides the HTTP status. */
  readonly kind: ErrorKind;
  /** Sentence about the mistake in the request. */
  readonly reason: string;
  /** Number of the rule in docs/service.md. */
  readonly rule: string;
}

/** A response of the service: a value to be written as JSON, or the JSON itself if a number would be rounded. */
export interface ServiceResponse {
  readonly status: number;
  readonly json: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set on error responses. */
  readonly error?: ErrorReason;
}

/** Details of an error response; each has a default by kind. */
export interface ErrorDetails {
  /** Text sent to the caller. */
  readonly message?: string;
  /** Reason shown in the request log. */
  readonly reason?: string;
  /** Number of the rule in docs/service.md. */
  readonly rule?: string;
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

const defaults: Record<ErrorKind, readonly [message: string, rule: string]> = {
  unauthorized: ['team id or API key not valid', '3.1'],
  nameUsed: ['resource with this name already exists', '3.2'],
  malformed: ['request body not in proper format', '3.2'],
  badQuery: ['query parameter out of range', '4.6'],
  unknown: ['resource not found', '3.2'],
  undeletable: ['resource can not be deleted', '3.6'],
  methodNotAllowed: ['method not allowed', '3.3'],
  tooLarge: ['request body too large', '1.7'],
  rateLimited: ['too many requests', '1.7'],
  serverFailure: ['internal server error occurred', '3.2'],
};

/** Thrown by a handler in place of a successful response. */
export class ErrorResponse extends Error {
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: ErrorReason;

  constructor(kind: ErrorKind, details: ErrorDetails = {}) {
    const [message, rule] = defaults[kind];
    super(details.message ?? message);
    this.headers = details.headers ?? {};
    this.reason = { kind, reason: details.reason ?? this.message, rule: details.rule ?? rule };
  }

  /** The error body: the number 401 for authentication failure, the string `error` for the others. */
  get body(): { readonly status: 401 | 'error'; readonly message: string } {
    return { status: this.reason.kind === 'unauthorized' ? 401 : 'error', message: this.message };
  }
}

/** Returns the error response for a malformed body, with what is wrong for the request log. */
export function malformed(reason: string): ErrorResponse {
  return new ErrorResponse('malformed', { reason });
}

/** Returns the error response for what does not exist. */
export function unknown(reason: string, rule?: string): ErrorResponse {
  return new ErrorResponse('unknown', rule === undefined ? { reason } : { reason, rule });
}
