import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  type Outcome,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../errors.ts';
import type { Effect } from './retries.ts';

/** Error class of each status that has its own. 500 stands for every failure of the server. */
export const classByStatus: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: BadRequestError,
  429: RateLimitError,
  500: ServerError,
};

export const classOfStatus = (status: number): typeof ApiError =>
  classByStatus[Math.min(status, 500)] ?? ApiError;

/**
 * Statuses below 500 by which a server refuses a request before it acts, whoever sends them. A filter in between sends
 * others, such as 403, 406 and 451, in place of a response: the service has acted then.
 */
const refusing: ReadonlySet<number> = new Set([
  400, 401, 402, 404, 405, 409, 410, 411, 413, 414, 415, 417, 421, 422, 423, 424, 425, 426, 428, 429, 431,
]);

/**
 * Returns the outcome of a call that failed with a status of 300 or more, or 0, whoever sent it. That of a read which was
 * not performed is `refused`. A server or a gateway sends 408 and 5xx, with `Retry-After` too, after the service has acted.
 */
export function outcomeOfStatus(status: number, kind: Effect['kind']): Outcome {
  if (status >= 500 || status === 408) return 'unknown';
  return kind === 'read' || refusing.has(status) ? 'refused' : 'unknown';
}

/**
 * Returns `true` for a status after which the same request can succeed. A server or a gateway sends 408 after the service
 * has acted, too, and 421 and 425 before.
 */
export const isTransientStatus = (status: number): boolean =>
  status >= 500 || [408, 421, 425, 429].includes(status);

/** Returns `true` for a redirect, whose status browsers hide: it is 0 there. A 304 leads nowhere. */
export const isRedirectStatus = (status: number): boolean =>
  status === 0 || (status >= 300 && status < 400 && status !== 304);
