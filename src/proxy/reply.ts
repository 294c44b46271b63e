import type { WireError, WireResponse } from '../browser/protocol.ts';
import { isServiceBody } from '../call/status.ts';
import { statusFromMessage } from '../client/read-response.ts';
import { ignoreErrors } from '../core/ignore-errors.ts';
import { invalidRequestError } from '../core/issues.ts';
import { TimeLimitExceeded, withTimeout } from '../core/timers.ts';
import type { ErrorName, Issue, Outcome } from '../error-details.ts';
import { ApiError, EmailMarketingError, TimeoutError } from '../errors.ts';
import type { ProxySettings } from './handler-options.ts';

/** HTTP status and JSON text of a response to a web page. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Failure in the handler itself. Its reply contains only text of the library. */
class Rejection extends Error {
  readonly reply: Reply;
  /** What a function of the server threw, if anything. Only `onError` receives it. */
  readonly thrown: readonly unknown[];

  constructor(status: number, error: WireError, ...thrown: unknown[]) {
    super(error.message);
    this.reply = reply(status, { error });
    this.thrown = thrown;
  }
}

export function rejection(
  status: number,
  message: string,
  outcome: Outcome = 'not-sent',
  ...thrown: unknown[]
): Rejection {
  const name = ({ 403: 'PermissionError', 500: 'ServerError' } as const)[status] ?? 'BadRequestError';
  return new Rejection(status, { name, message, outcome, status }, ...thrown);
}

export const invalidInput = (operation: string, issues: readonly Issue[]): Error =>
  new Rejection(400, wireErrorOf(invalidRequestError(operation, issues)));

/** Creates the failure of a call that an earlier attempt may have performed. */
export const earlierAttempt = (operation: string, message: string): Error =>
  new Rejection(409, {
    name: 'ConnectionError',
    message: `${operation}: ${message}`,
    operation,
    outcome: 'unknown',
  });

export const serverFailed = (outcome: Outcome, thrown: unknown): Rejection =>
  rejection(500, 'The server failed.', outcome, thrown);

/** Calls a function of the server. `outcome` is reported to the web page if it fails. */
export async function callFunction<T>(outcome: Outcome, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    throw serverFailed(outcome, thrown);
  }
}

/** Runs a task with a time limit. If it takes longer, rejects with what `tooLate` returns. */
export const within = <T>(ms: number, task: () => Promise<T>, tooLate: () => Error): Promise<T> =>
  withTimeout(ms, [], task).catch(error => {
    throw error instanceof TimeLimitExceeded ? tooLate() : error;
  });

export function toResponse({ status, body }: Reply, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(status === 405 && { allow: 'POST' }),
      ...headers,
    },
  });
}

const reply = (status: number, body: WireResponse): Reply => ({ status, body: JSON.stringify(body) });

export const dataReply = (data: unknown): Reply => reply(200, { data: data ?? null });

/** Creates the reply for an error. `onError` is called unless a visitor caused the error. */
export function errorReply(error: unknown, operation: string, { onError }: ProxySettings): Reply {
  if (EmailMarketingError.isInstance(error)) {
    const status = statusOf(error);
    if (error.scope === 'account' || status >= 500) ignoreErrors(() => onError(error, operation));
    const message = `${operation}: ${publicMessages[error.name] ?? 'the call failed on the server.'}`;
    return reply(status, { error: { ...wireErrorOf(error), message } });
  }
  const found = error instanceof Rejection ? error : serverFailed('unknown', error);
  for (const thrown of found.thrown) ignoreErrors(() => onError(thrown, operation));
  return found.reply;
}

/**
 * Messages for web pages, by class. The error's own message may contain text of the service, or details of the server's
 * network.
 */
const publicMessages: Readonly<Partial<Record<ErrorName, string>>> = {
  ConfigurationError: 'the server is not configured for this call.',
  InvalidResponseError: "the service's response cannot be used.",
  ConnectionError: 'the connection from the server to the service failed.',
  TimeoutError: 'the service did not respond in time.',
  ApiError: 'the service responded with an error.',
  AuthenticationError: "the service rejected the server's credentials.",
  BadRequestError: 'the service rejected the request.',
  ConflictError: 'the name is already in use.',
  NotFoundError: 'the service did not find the resource.',
  PermissionError: 'the service does not allow this call.',
  RateLimitError: 'the service accepts no more requests for now.',
  ServerError: 'the service failed.',
};

/**
 * Returns the members of an error that a web page may see. Issues of a response are omitted: they contain text of the
 * service.
 */
function wireErrorOf(error: EmailMarketingError): WireError {
  const { name, message, operation, outcome, retryable, scope, issues, retryAfterMs, limit, phase } =
    error as WireError;
  const isServiceError = ApiError.isInstance(error) && isServiceBody(error.body);
  const isNotFound = isServiceError && name === 'NotFoundError' && statusFromMessage(error.body) === 404;
  return {
    name,
    message,
    operation,
    outcome,
    retryable: retryable || undefined,
    scope: scope === 'account' ? scope : undefined,
    status: ApiError.isInstance(error) ? error.response.status : undefined,
    retryAfterMs,
    limit,
    phase,
    body: isServiceError ? { status: 'error', message: '' } : undefined,
    notFound: isNotFound || undefined,
    issues: name === 'InvalidRequestError' ? issues : undefined,
  };
}

/** Returns the service's own status, except for failures that only the server is responsible for. */
function statusOf(error: EmailMarketingError): number {
  if (TimeoutError.isInstance(error)) return 504;
  if (error.name === 'ConfigurationError') return 500;
  const status = ApiError.isInstance(error) ? error.response.status : 0;
  return status >= 400 && status < 600 && status !== 401 ? status : 502;
}
