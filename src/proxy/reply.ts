import {
  ApiError,
  BadRequestError,
  ConnectionError,
  EmailMarketingError,
  type ErrorName,
  InvalidRequestError,
  InvalidResponseError,
  type Issue,
  type Outcome,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../errors.ts';
import { quietly } from '../http/call/telemetry.ts';
import { invalidRequest } from '../http/issues.ts';
import type { WireError, WireResponse } from '../protocol.ts';
import type { ProxySettings } from './options.ts';

/** HTTP status and JSON text of a response to a web page. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Failure that the handler itself found. Its text is the library's own, so that a web page may read it. */
class Rejection extends Error {
  readonly status: number;
  readonly error: EmailMarketingError;

  constructor(status: number, error: EmailMarketingError) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

/** Failure of a function of the server. No part of what it threw reaches a web page. */
class FunctionError extends Error {
  readonly thrown: unknown;
  readonly outcome: Outcome;

  constructor(thrown: unknown, outcome: Outcome) {
    super();
    this.thrown = thrown;
    this.outcome = outcome;
  }
}

/** Calls a function of the server. `outcome` is reported to the web page if it fails. */
export async function callFunction<T>(outcome: Outcome, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw new FunctionError(thrown, outcome);
  }
}

/** Creates the rejection of a request, by HTTP status and reason. */
export function rejection(status: number, message: string, outcome: Outcome = 'not-sent'): Rejection {
  const details = { status, body: undefined, headers: new Headers(), outcome };
  const classes = { 403: PermissionError, 500: ServerError } as const;
  const make = status === 403 || status === 500 ? classes[status] : BadRequestError;
  return new Rejection(status, new make(message, details));
}

/** Creates the rejection of an input whose fields are not valid. */
export const invalidInput = (operation: string, issues: readonly Issue[]): Error =>
  new Rejection(400, invalidRequest(operation, issues));

/** Creates the failure of a call that an earlier attempt may have performed. */
export const earlierAttempt = (operation: string, message: string): Error =>
  new Rejection(409, new ConnectionError(`${operation}: ${message}`, { operation, outcome: 'unknown' }));

/** Creates the HTTP response of a reply. */
export function toResponse({ status, body }: Reply, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}

const reply = (status: number, body: WireResponse): Reply => ({ status, body: JSON.stringify(body) });

/** Creates the reply with a result. */
export const dataReply = (data: unknown): Reply => reply(200, { data: data ?? null });

/** Creates the reply with the failure that the handler found. */
export const rejectionReply = ({ status, error }: Rejection): Reply =>
  reply(status, { error: members(error) });

/** Creates the reply with an error. What the server's functions threw, and what its client lacks, goes to `onError`. */
export function errorReply(error: unknown, operation: string, settings: ProxySettings): Reply {
  if (error instanceof Rejection) return rejectionReply(error);
  const isCallError = EmailMarketingError.isInstance(error);
  const { thrown, outcome } =
    error instanceof FunctionError ? error : { thrown: error, outcome: 'unknown' as const };
  if (!isCallError || error.name === 'ConfigurationError') quietly(() => settings.onError(thrown, operation));
  if (isCallError) return callErrorReply(error, settings.exposeErrorDetails);
  return rejectionReply(rejection(500, 'The server failed.', outcome));
}

function callErrorReply(error: EmailMarketingError, exposeDetails: boolean): Reply {
  const message = [error.operation, publicMessages[error.name]].filter(Boolean).join(': ');
  const shown = InvalidResponseError.isInstance(error) ? { issues: error.issues } : {};
  return reply(statusOf(error), { error: { ...members(error), ...(exposeDetails ? shown : { message }) } });
}

/** Members of an error that a web page sees by default, chosen one by one. */
function members(error: EmailMarketingError): WireError {
  const { name, message, operation, outcome } = error;
  const timeout = TimeoutError.isInstance(error) ? error : undefined;
  return {
    ...{ name, message, operation, outcome },
    status: ApiError.isInstance(error) ? error.status : undefined,
    issues: InvalidRequestError.isInstance(error) ? error.issues : undefined,
    retryAfter: RateLimitError.isInstance(error) ? error.retryAfter : undefined,
    limit: timeout?.limit,
    phase: timeout?.phase,
  };
}

/** Texts in place of an error's own, which may hold text of the service, or of the server's network. */
const publicMessages: Readonly<Record<ErrorName, string>> = {
  EmailMarketingError: 'the call failed.',
  ConfigurationError: 'the server is not configured for this call.',
  InvalidRequestError: 'the input is not valid.',
  InvalidResponseError: 'the response of the service cannot be used.',
  ConnectionError: 'the connection from the server to the service failed.',
  TimeoutError: 'the service did not respond in time.',
  ApiError: 'the service responded with an error.',
  AuthenticationError: 'the service rejected the credentials of the server.',
  BadRequestError: 'the service rejected the request.',
  ConflictError: 'the name or the email is already used.',
  NotFoundError: 'there is no such resource.',
  PermissionError: 'the service does not allow this call.',
  RateLimitError: 'the service allows no more requests for now.',
  ServerError: 'the service failed.',
};

/** Returns the service's own status, except for failures that only the server is responsible for. */
function statusOf(error: EmailMarketingError): number {
  if (TimeoutError.isInstance(error)) return 504;
  if (error.name === 'ConfigurationError') return 500;
  const status = ApiError.isInstance(error) ? error.status : 0;
  return status >= 400 && status < 600 && status !== 401 ? status : 502;
}
