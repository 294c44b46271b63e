import type { Failure } from './kinds.ts';

/** A response that a fault gives, ready to send. */
export interface FailureResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Status of a failure when none is given: the service is unavailable. */
const defaultStatus = 503;
/** Statuses whose responses have no body. */
const bodiless = new Set([204, 205, 304]);

/** Messages of failures by HTTP status: those of section 7 where it has one. */
const messages: Readonly<Record<number, string>> = {
  400: 'request body not in proper format',
  401: 'team id or API key not valid',
  403: 'permission denied',
  404: 'resource not found',
  405: 'method not allowed',
  408: 'request timed out',
  409: 'resource with this name already exists',
  413: 'request body too large',
  422: 'request body not in proper format',
  429: 'too many requests',
  500: 'internal server error occurred',
  501: 'not implemented',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timed out',
};

/** Returns the response of a `fail` fault. */
export function failureResponse({
  status = defaultStatus,
  retryAfter,
  body,
  headers,
}: Failure): FailureResponse {
  const json = body === undefined ? errorBody(status) : body;
  const plain = typeof json === 'string';
  return {
    status,
    text: bodiless.has(status) ? '' : plain ? json : JSON.stringify(json),
    headers: {
      'content-type': plain ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
      ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
      ...headers,
    },
  };
}

function errorBody(status: number): unknown {
  return {
    status: status === 401 ? 401 : 'error',
    message: messages[status] ?? `request failed with status ${status}`,
  };
}
