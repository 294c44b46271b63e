import { isObject } from '../core/json.ts';
import type { ApiErrorName, Outcome, Scope } from '../error-details.ts';
import type { Effect } from './call-state.ts';

/**
 * Form of the body of a failed response. Only the service uses the form `service`. Other JSON can come from the service
 * or a gateway. Anything else never comes from the service.
 */
export type BodyForm = 'service' | 'other JSON' | 'not JSON';

/** Returns `true` for the body of an error in the service's own form (rule 3.1), which gateways do not use. */
export const isServiceBody = (
  body: unknown,
): body is { readonly status: 'error' | 401; readonly message: string } =>
  isObject(body) && (body.status === 'error' || body.status === 401) && typeof body.message === 'string';

/** What a failed response means for the call. */
export interface StatusMeaning {
  readonly errorName: ApiErrorName;
  readonly outcome: Outcome;
  readonly scope: Scope;
  /** `true` if the same request can succeed soon; the client retries it. */
  readonly isTransient: boolean;
  /** `true` if the same request will always be rejected. */
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

/** Statuses about the key or the account, from the service or a gateway. A proxy sends 407. */
const aboutAccount: readonly number[] = [401, 402, 403, 407];

/** Statuses about the size or fields of one request, from the service or a gateway. Other calls can succeed. */
const aboutRequest: readonly number[] = [409, 413, 414, 422, 431];

/** Statuses that servers send before they act. A gateway can send any other status after the service has acted. */
const sentBeforeActing: readonly number[] = [
  400, 401, 402, 409, 411, 413, 414, 415, 417, 421, 422, 426, 428, 431,
];

/** Returns what a failed status means, depending on the form of the body and the kind of operation. */
export function meaningOf(status: number, form: BodyForm, kind: Effect['kind']): StatusMeaning {
  const isService = form === 'service' && !isRedirectStatus(status);
  const isTransient = isTransientStatus(status);
  const isAccount = isService
    ? // Some resources can never be deleted, with any key.
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
  // A read changes nothing.
  const isRefusedRead = kind === 'read' && (status === 0 || status >= 300);
  return status === 429 || isService || isRefusedRead || sentBeforeActing.includes(status)
    ? 'refused'
    : 'unknown';
}

/** Returns `true` if the same request can succeed soon, after a status from the service or a gateway. */
export const isTransientStatus = (status: number): boolean => status >= 500 || transient.includes(status);

/** Returns `true` for a redirect. Browsers hide its status and report 0. A 304 is not a redirect. */
export const isRedirectStatus = (status: number): boolean =>
  status === 0 || (status >= 300 && status < 400 && status !== 304);
