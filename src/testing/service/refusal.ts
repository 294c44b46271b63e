/** Kind of a refusal. */
export type RefusalKind =
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

/** Reason of a refusal, for people: shown in the journal and the log, never sent to the caller. */
export interface RefusalReason {
  /** Kind of the refusal, which decides the HTTP status. */
  readonly kind: RefusalKind;
  /** Sentence about the mistake in the request. */
  readonly reason: string;
  /** Section of the specification that has the rule. */
  readonly section: string;
}

/** A response of the service: a value to be written as JSON, or the JSON itself where a number would be rounded. */
export interface ServiceResponse {
  readonly status: number;
  readonly json: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set on refusals. */
  readonly refusal?: RefusalReason;
}

/** Details of a refusal; each has a default by kind. */
export interface RefusalDetails {
  /** Text sent to the caller. */
  readonly message?: string | undefined;
  /** Reason shown in the journal. */
  readonly reason?: string | undefined;
  /** Section of the specification that has the rule. */
  readonly section?: string | undefined;
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const errorTable = 'section 7, Errors';
const texts: Record<RefusalKind, { readonly message: string; readonly section: string }> = {
  unauthorized: { message: 'team id or API key not valid', section: 'section 5, Authentication' },
  nameUsed: { message: 'resource with this name already exists', section: errorTable },
  malformed: { message: 'request body not in proper format', section: errorTable },
  badQuery: { message: 'query parameter out of range', section: 'section 4, Query parameters' },
  unknown: { message: 'resource not found', section: errorTable },
  undeletable: { message: 'resource can not be deleted', section: 'section 4, Endpoint rules' },
  methodNotAllowed: { message: 'method not allowed', section: 'section 4, Endpoints' },
  tooLarge: { message: 'request body too large', section: 'section 8, Limits' },
  rateLimited: { message: 'too many requests', section: 'section 8, Limits' },
  serverFailure: { message: 'internal server error occurred', section: errorTable },
};

/** Thrown by a rule that refuses a request; becomes a response of the error table (section 7). */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: RefusalReason;

  constructor(kind: RefusalKind, details: RefusalDetails = {}) {
    const { message = texts[kind].message, reason = message, section = texts[kind].section } = details;
    super(message);
    this.kind = kind;
    this.headers = details.headers ?? {};
    this.reason = { kind, reason, section };
  }

  /** The error body: the number 401 for authentication failure, the string `error` for the others. */
  get body(): { readonly status: 401 | 'error'; readonly message: string } {
    return { status: this.kind === 'unauthorized' ? 401 : 'error', message: this.message };
  }
}
