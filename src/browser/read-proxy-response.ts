import * as errors from '../errors.ts';
import type { Failure } from '../http/response/failure.ts';
import {
  type BodyConventions,
  type ReadOptions,
  readResponse,
  type Success,
} from '../http/response/read-response.ts';
import type { HttpResponse } from '../http/transport/transport.ts';
import type { WireError } from '../protocol.ts';

/** Constructor of an error class, with the members that travel. */
type ErrorFromWire = new (
  message: string,
  details: errors.ApiErrorDetails & {
    readonly issues: readonly errors.Issue[];
    readonly retryAfter: number | undefined;
    readonly limit: 'timeout' | 'totalTimeout';
    readonly phase: errors.TimeoutPhase;
  },
) => errors.EmailMarketingError;

/** Class of each name that a handler can send. */
const errorClasses: Readonly<Record<errors.ErrorName, ErrorFromWire>> = {
  EmailMarketingError: errors.EmailMarketingError,
  ConfigurationError: errors.ConfigurationError,
  InvalidRequestError: errors.InvalidRequestError,
  InvalidResponseError: errors.InvalidResponseError,
  ConnectionError: errors.ConnectionError,
  TimeoutError: errors.TimeoutError,
  ApiError: errors.ApiError,
  AuthenticationError: errors.AuthenticationError,
  BadRequestError: errors.BadRequestError,
  ConflictError: errors.ConflictError,
  NotFoundError: errors.NotFoundError,
  PermissionError: errors.PermissionError,
  RateLimitError: errors.RateLimitError,
  ServerError: errors.ServerError,
};

/** What stands in between has no conventions for bodies. */
const noConventions: BodyConventions = {
  reportedStatus: () => undefined,
  messageOf: () => undefined,
  kindOf: () => undefined,
  advice: {},
};

/** Reads a response of the handler: its errors as they are, and others as those of whatever stands in between. */
export function readProxyResponse(response: HttpResponse, options: ReadOptions): Success | Failure {
  const error = response.status === 200 ? undefined : parseWireError(response.text);
  return error ? toFailure(error) : readResponse(response, options, noConventions);
}

/** Returns `undefined` for the error of another sender, which may have a name of the same kind. */
function parseWireError(text: string): WireError | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error: WireError };
    const { name, message, outcome } = error;
    const isWhole = typeof message === 'string' && typeof outcome === 'string';
    return isWhole && Object.hasOwn(errorClasses, name) ? error : undefined;
  } catch {
    return undefined;
  }
}

/** The handler's own client has retried the call as often as it may, so the page does not. */
function toFailure(error: WireError): Failure {
  const { name, message, outcome, status = 0, issues = [], retryAfter } = error;
  const { limit = 'timeout', phase = 'head' } = error;
  return {
    ok: false,
    outcome,
    status,
    reason: name,
    transient: false,
    notFound: name === 'NotFoundError',
    message: () => message,
    toError: (_message, details) =>
      new errorClasses[name](message, {
        ...details,
        status,
        body: undefined,
        headers: new Headers(),
        issues,
        retryAfter,
        limit,
        phase,
      }),
  };
}
