import type { ApiErrorName, Outcome, Scope } from '../error-details.ts';
import type { Effect } from './call-state.ts';

/**
 * Form of the body of a failed response. Only the service itself responds in its own form. JSON in another form can be of the
 * service or of a gateway, and what is not JSON is never of the service.
 */
export type BodyForm = 'service' | 'other JSON' | 'not JSON';

/** What a failed response means for the call. */
export interface StatusMeaning {
  readonly errorName: ApiErrorName;
  readonly outcome: Outcome;
  readonly scope: Scope;
  /** `true` if the same request can succeed soon, so that the client retries it. */
  readonly isTransient: boolean;
  /** `true` if the same request will always be refused. */
  readonly isPermanent: boolean;
}

/** Classes by status. 500 stands for every 5xx. */
const errorNames: Readonly<Record<number, ApiErrorName>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionError',
  404: 'NotFoundError',
  409: 'ConflictError',
  422: 'BadRequestError',
  429: 'RateLimitError',
  500: 'ServerError',
};

const transient: readonly number[] = [408, 421, 425, 429];

/** Statuses about the key or the account, whoever sends them. A proxy sends 407. */
const aboutAccount: readonly number[] = [401, 402, 403, 407];

/** Statuses about the size or the fields of one request, whoever sends them: other calls can succeed. */
const aboutRequest: readonly number[] = [409, 413, 414, 422, 431];

/** Statuses that a server sends before it acts. A gateway can send any other after the service has acted. */
const sentBeforeActing: readonly number[] = [
  400, 401, 402, 409, 411, 413, 414, 415, 417, 421, 422, 426, 428, 431,
];

/** Returns what a failed status means: by who sent it, as far as its form tells, and by what the call does. */
export function meaningOf(status: number, form: BodyForm, kind: Effect['kind']): StatusMeaning {
  const isService = form === 'service' && !isRedirectStatus(status);
  const isTransient = isTransientStatus(status);
  const isAccount = isService
    ? // Some resources may never be deleted, whoever asks.
      aboutAccount.includes(status) && status !== 407 && !(status === 403 && kind === 'delete')
    : !isTransient &&
      (aboutAccount.includes(status) || (form === 'not JSON' && !aboutRequest.includes(status)));
  const outcome = outcomeOf(status, isService, kind);
  return {
    errorName: errorNames[Math.min(status, 500)] ?? 'ApiError',
    outcome,
    scope: isAccount || isRedirectStatus(status) ? 'account' : 'call',
    isTransient,
    isPermanent:
      aboutRequest.includes(status) ||
      (status === 400 && form === 'other JSON') ||
      (isService && outcome === 'refused' && !isTransient && !isAccount),
  };
}

function outcomeOf(status: number, isService: boolean, kind: Effect['kind']): Outcome {
  if (status >= 500 || status === 408) return 'unknown';
  // A read acts on nothing.
  const isRefusedRead = kind === 'read' && (status === 0 || status >= 300);
  return status === 429 || isService || isRefusedRead || sentBeforeActing.includes(status)
    ? 'refused'
    : 'unknown';
}

/** Returns `true` if the same request can succeed soon, whoever sent the status. */
export const isTransientStatus = (status: number): boolean => status >= 500 || transient.includes(status);

/** Returns `true` for a redirect, whose status browsers hide: it is 0 there. A 304 leads nowhere. */
export const isRedirectStatus = (status: number): boolean =>
  status === 0 || (status >= 300 && status < 400 && status !== 304);
