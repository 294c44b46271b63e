import type { Fault } from '../core/fault.ts';
import { isObject } from '../core/json.ts';
import * as errors from '../errors.ts';
import type { WireError } from '../protocol.ts';

type Revived = new (
  message: string,
  details: errors.ApiErrorDetails & {
    readonly issues: readonly errors.Issue[];
    readonly retryAfter: number | undefined;
    readonly limit: 'timeout' | 'totalTimeout';
    readonly phase: errors.TimeoutPhase;
  },
) => errors.EmailMarketingError;

/** The class of each name that can come. */
const classes: Readonly<Record<errors.ErrorName, Revived>> = {
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

/** Whether this is an error that the proxy tells of. */
export const isWireError = (value: unknown): value is WireError =>
  isObject(value) && Object.hasOwn(classes, String(value.name));

/**
 * The fault of an error that the proxy tells of. It is not tried again from here: the proxy's own client has repeated
 * the call as often as it may.
 */
export function revivedFault(error: WireError): Fault {
  const { name, message, outcome, status = 0, issues = [], retryAfter, limit, phase } = error;
  return {
    fault: true,
    outcome,
    status,
    reason: name,
    retryAfterMs: retryAfter === undefined ? undefined : retryAfter * 1000,
    transient: false,
    gone: name === 'NotFoundError',
    message,
    toError: (_text, details) =>
      new classes[name](message, {
        ...details,
        ...{ status, body: undefined, headers: new Headers() },
        ...{ issues, retryAfter, limit: limit ?? 'timeout', phase: phase ?? 'head' },
      }),
  };
}
