/** Default HTTP status, message and rule of each kind of error. */
export const errorKinds = {
  unauthorized: [401, 'team id or API key not valid', '3.1'],
  nameUsed: [409, 'resource with this name already exists', '3.2'],
  malformed: [400, 'request body not in proper format', '3.2'],
  badQuery: [400, 'query parameter out of range', '4.6'],
  unknown: [404, 'resource not found', '3.2'],
  undeletable: [403, 'resource can not be deleted', '3.6'],
  tooLarge: [413, 'request body larger than 1 MB', '13.2'],
  methodNotAllowed: [405, 'method not allowed', '3.3'],
  serverFailure: [500, 'internal server error occurred', '3.2'],
} satisfies Record<string, readonly [status: number, message: string, rule: string]>;

/** Kind of an error response; decides its HTTP status. */
export type ErrorKind = keyof typeof errorKinds;

/** Explains an error response in the request log; never sent to the caller. */
export interface ErrorReason {
  /** Kind of the error; decides the HTTP status. */
  readonly kind: ErrorKind;
  /** What is wrong with the request. */
  readonly reason: string;
  /** Rule in docs/service-rules.md that explains the error. */
  readonly rule: string;
}

/** Response of the service. `text` is its JSON if writing `json` would round a number. */
export interface ServiceResponse {
  readonly status: number;
  readonly json: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Present on error responses. */
  readonly error?: ErrorReason;
}

/** Details of an error response. The defaults depend on the kind. */
export interface ErrorDetails extends Partial<Omit<ErrorReason, 'kind'>> {
  /** Message sent to the caller. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by a handler to respond with an error. */
export class ErrorResponse extends Error {
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: ErrorReason;

  constructor(kind: ErrorKind, details: ErrorDetails = {}) {
    const [, message, rule] = errorKinds[kind];
    super(details.message ?? message);
    this.headers = details.headers ?? {};
    this.reason = { kind, reason: details.reason ?? this.message, rule: details.rule ?? rule };
  }

  /** Error body. Its `status` is the number 401 if authentication failed, otherwise the string `error`. */
  get body(): { readonly status: 401 | 'error'; readonly message: string } {
    return { status: this.reason.kind === 'unauthorized' ? 401 : 'error', message: this.message };
  }
}

/** Creates the error response for a malformed body; `reason` is for the request log. */
export function malformed(reason: string): ErrorResponse {
  return new ErrorResponse('malformed', { reason });
}

/** Creates the error response for something that does not exist. */
export function unknown(reason: string, rule?: string): ErrorResponse {
  return new ErrorResponse('unknown', rule === undefined ? { reason } : { reason, rule });
}
