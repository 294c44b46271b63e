import type { ApiErrorName, Outcome, Scope } from '../error-details.ts';
import type { Effect } from './call-state.ts';

/** Meaning of a failed status, sent by the service or by a gateway. */
export interface StatusMeaning {
  readonly errorName: ApiErrorName;
  /** Outcome of a write, unless the body is an error in the form of the service, which says that it refused. */
  readonly outcome: Outcome;
  /** `true` if the same request can succeed later. */
  readonly isTransient: boolean;
  /** `true` if no message of the service changes the meaning. */
  readonly isDecisive: boolean;
  /** Scope of an error that the service itself sends. */
  readonly scope: Scope;
}

const meaning = (
  errorName: ApiErrorName,
  outcome: Outcome,
  isTransient = false,
  isDecisive = false,
  scope: Scope = 'call',
): StatusMeaning => ({ errorName, outcome, isTransient, isDecisive, scope });

/**
 * Statuses with a meaning of their own. 500 stands for every failure of a server or a gateway, which sends 5xx after the
 * service has acted too.
 */
const meanings: Readonly<Record<number, StatusMeaning>> = {
  400: /* @__PURE__ */ meaning('BadRequestError', 'refused'),
  401: /* @__PURE__ */ meaning('AuthenticationError', 'refused', false, true, 'account'),
  402: /* @__PURE__ */ meaning('ApiError', 'refused', false, false, 'account'),
  403: /* @__PURE__ */ meaning('PermissionError', 'unknown', false, false, 'account'),
  404: /* @__PURE__ */ meaning('NotFoundError', 'unknown', false, true),
  408: /* @__PURE__ */ meaning('ApiError', 'unknown', true, true),
  409: /* @__PURE__ */ meaning('ConflictError', 'refused'),
  421: /* @__PURE__ */ meaning('ApiError', 'refused', true),
  422: /* @__PURE__ */ meaning('BadRequestError', 'refused'),
  425: /* @__PURE__ */ meaning('ApiError', 'unknown', true),
  429: /* @__PURE__ */ meaning('RateLimitError', 'refused', true, true),
  500: /* @__PURE__ */ meaning('ServerError', 'unknown', true, true),
};

/** Other statuses that a server sends, by their nature, before it acts. */
const refused: readonly number[] = [411, 413, 414, 415, 417, 426, 428, 431];

/** Any other can be sent by a gateway after the service has acted: by a filter, an error page or a time limit. */
export const meaningOf = (status: number): StatusMeaning =>
  meanings[Math.min(status, 500)] ?? meaning('ApiError', refused.includes(status) ? 'refused' : 'unknown');

/** Returns the outcome of a call that failed with a status, unless the service's own form says more. A read acts on nothing. */
export const outcomeOfStatus = (status: number, kind: Effect['kind']): Outcome =>
  kind === 'read' && (status === 0 || (status >= 300 && status < 500 && status !== 408))
    ? 'refused'
    : meaningOf(status).outcome;

/** Statuses about the size or the fields of one request, in whatever form they come: other calls can succeed. */
const aboutRequest: readonly number[] = [409, 413, 414, 422, 431];

/**
 * Returns the scope of an error with a status. `isServiceError` is true in the form of the service. Any other form comes from
 * something else, such as a login page or a firewall, which responds to other calls in the same way.
 */
export function scopeOfStatus(status: number, isServiceError: boolean): Scope {
  const { scope, isTransient } = meaningOf(status);
  const isForeign = !isServiceError && status >= 300 && !isTransient && !aboutRequest.includes(status);
  return isForeign || isRedirectStatus(status) ? 'account' : scope;
}

/** Returns `true` for a redirect, whose status browsers hide: it is 0 there. A 304 leads nowhere. */
export const isRedirectStatus = (status: number): boolean =>
  status === 0 || (status >= 300 && status < 400 && status !== 304);
