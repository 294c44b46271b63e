import type { RefusalKind } from '../options.ts';

/** What a rule answers: a value to be written as JSON, or the JSON itself where a number would be rounded. */
export interface Answer {
  readonly status: number;
  readonly json: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const messages: Record<RefusalKind, string> = {
  unauthorized: 'team id or API key not valid',
  nameUsed: 'resource with this name already exists',
  malformed: 'request body not in proper format',
  badQuery: 'query parameter out of range',
  unknown: 'resource not found',
  undeletable: 'resource can not be deleted',
  methodNotAllowed: 'method not allowed',
  tooLarge: 'request body too large',
  rateLimited: 'too many requests',
  serverFailure: 'internal server error occurred',
};

/** Thrown by a rule that does not do what was asked; becomes an answer from the error table (section 7). */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: RefusalKind, message = messages[kind], headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.kind = kind;
    this.headers = headers;
  }

  /** The error body: the number 401 for authentication failure, the string `error` for the others. */
  get body(): { readonly status: 401 | 'error'; readonly message: string } {
    return { status: this.kind === 'unauthorized' ? 401 : 'error', message: this.message };
  }
}
