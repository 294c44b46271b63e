import {
  ApiError,
  type EmailMarketingError,
  type ErrorName,
  InvalidRequestError,
  InvalidResponseError,
  RateLimitError,
  TimeoutError,
} from '../errors.ts';
import type { WireError, WireResponse } from '../protocol.ts';
import type { Refusal } from './refusal.ts';

/** HTTP status and JSON text of a response to a page. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

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

/** Creates the reply with a failure that the handler found. */
export const refusalReply = ({ status, error }: Refusal): Reply => reply(status, { error: members(error) });

/** Creates the reply with the error of a call. `exposeDetails` adds the service's text and the server's own details. */
export function errorReply(error: EmailMarketingError, exposeDetails: boolean): Reply {
  const { name, operation } = error;
  const hidden = {
    message: operation === undefined ? publicMessages[name] : `${operation}: ${publicMessages[name]}`,
  };
  const shown = InvalidResponseError.isInstance(error) ? { issues: error.issues } : {};
  return reply(statusOf(error), { error: { ...members(error), ...(exposeDetails ? shown : hidden) } });
}

/** Members of an error that a page sees by default, chosen one by one. */
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

/** Returns the service's own status, save where the failure is the server's alone. */
function statusOf(error: EmailMarketingError): number {
  if (TimeoutError.isInstance(error)) return 504;
  if (error.name === 'ConfigurationError') return 500;
  const status = ApiError.isInstance(error) ? error.status : 0;
  return status >= 400 && status < 600 && status !== 401 ? status : 502;
}
