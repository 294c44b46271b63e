import {
  BadRequestError,
  ConnectionError,
  type EmailMarketingError,
  type Issue,
  type Outcome,
  PermissionError,
  ServerError,
} from '../errors.ts';
import { invalidRequest } from '../http/invalid-request.ts';

/** Failure that the handler itself found. Its text is the handler's own, so that a page may read it. */
export class Refusal extends Error {
  readonly status: number;
  readonly error: EmailMarketingError;

  constructor(status: number, error: EmailMarketingError) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

const classes = { 403: PermissionError, 500: ServerError } as const;

/** Creates the refusal of a request, by HTTP status and reason. */
export function refusal(status: number, message: string, outcome: Outcome = 'not-sent'): Refusal {
  const details = { status, body: undefined, headers: new Headers(), outcome };
  const make = status === 403 || status === 500 ? classes[status] : BadRequestError;
  return new Refusal(status, new make(message, details));
}

/** Creates the refusal of an input whose fields are not valid. */
export const invalidInput = (operation: string, issues: readonly Issue[]): Refusal =>
  new Refusal(400, invalidRequest(operation, issues));

/** Creates the failure of a call that an earlier attempt may have performed. */
export function earlierAttempt(operation: string, outcome: 'unknown' | 'done', message: string): Refusal {
  return new Refusal(409, new ConnectionError(`${operation}: ${message}`, { operation, outcome }));
}
