// Failures of the network and the service, each with its error and its outcome.
import type { ErrorName, Outcome } from '../../src/index.ts';
import type { Fault } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';

/** A failure, with its error and its outcome. */
export interface Failure {
  readonly name: string;
  readonly fault: Fault;
  readonly error: ErrorName;
  readonly outcome: Outcome;
  readonly outcomeOfWrite: Outcome;
  /** Whether every operation is retried, because the service did not act. */
  readonly alwaysRetried?: boolean;
  /** Phase in which a time limit ends the call. */
  readonly phase?: 'head' | 'body';
}

const gatewayPage = '<title>Error: the name is already in use, or the API key is missing</title>';
const soon = { 'retry-after': '0' };

/** Transient failures, which are retried if the operation allows it. */
export const passing: readonly Failure[] = [
  failure('reset before the response', faults.resetBeforeResponse, 'ConnectionError', 'unknown'),
  failure('closed before the response', faults.closedBeforeResponse, 'ConnectionError', 'unknown'),
  failure('reset in mid-body', faults.resetInBody, 'ConnectionError', 'unknown'),
  failure('closed in mid-body', faults.closedInBody, 'ConnectionError', 'unknown'),
  failure('stopped in a body without a stated end', faults.stopsInBody, 'ConnectionError', 'unknown'),
  failure('stopped in the body of a 400', faults.stopsInErrorBody, 'ConnectionError', 'unknown'),
  failure('JSON cut short', faults.cutShortJson, 'ConnectionError', 'unknown'),
  failure('stopped in a chunk', faults.stopsInChunk, 'ConnectionError', 'unknown'),
  failure('a response that is not HTTP', faults.notHttp, 'ConnectionError', 'unknown'),
  notActed('429', faults.tooManyRequests(), 'RateLimitError'),
  notActed('429 with Retry-After', faults.tooManyRequests('0'), 'RateLimitError'),
  failure('408', faults.status(408), 'ApiError', 'unknown'),
  failure('408 under 200', faults.status(200, {}, '{"status":408,"message":"late"}'), 'ApiError', 'unknown'),
  notActed('425', faults.status(425), 'ApiError'),
  failure('500', faults.status(500), 'ServerError', 'unknown'),
  failure('502 as HTML', faults.badGatewayPage, 'ServerError', 'unknown'),
  failure('503', faults.status(503), 'ServerError', 'unknown'),
  failure('503 with Retry-After', faults.unavailable('0'), 'ServerError', 'unknown'),
  // The words of a gateway's page mean nothing.
  notActed('429 as HTML', faults.status(429, {}, gatewayPage), 'RateLimitError'),
  failure('503 as HTML with Retry-After', faults.status(503, soon, gatewayPage), 'ServerError', 'unknown'),
  failure(
    '504 as text',
    faults.status(504, {}, 'default backend - 404: not found'),
    'ServerError',
    'unknown',
  ),
];

/** Transient failures that only a time limit ends. */
export const endless: readonly Failure[] = [
  timeout('no response', faults.neverResponds, 'head'),
  timeout('stalled after the head', faults.stallsAfterHead, 'body'),
  timeout('stalled in mid-body', faults.stallsInBody, 'body'),
  timeout('slow drip', faults.drips(), 'body'),
];

const nameUsed = '{"status":"error","message":"resource with this name already exists"}';

/** Failures that are not retried. */
export const lasting: readonly Failure[] = [
  failure('no JSON', faults.notJson, 'InvalidResponseError', 'unknown'),
  failure('400', faults.status(400), 'BadRequestError', 'refused'),
  failure('401', faults.status(401, {}, '{"status":401}'), 'AuthenticationError', 'refused'),
  failure('403', faults.status(403), 'PermissionError', 'refused'),
  failure('403 as HTML', faults.status(403, {}, gatewayPage), 'PermissionError', 'refused', 'unknown'),
  failure('404', faults.status(404, {}, '{"message":"not found"}'), 'NotFoundError', 'refused', 'unknown'),
  failure('404 as HTML', faults.status(404, {}, gatewayPage), 'NotFoundError', 'refused', 'unknown'),
  failure('409', faults.status(409, {}, nameUsed), 'ConflictError', 'refused'),
  failure('422', faults.status(422), 'BadRequestError', 'refused'),
  failure('a redirect', faults.redirect('https://elsewhere.example'), 'ApiError', 'refused', 'unknown'),
  failure('401 under 200', faults.status(200, {}, '{"status":401}'), 'AuthenticationError', 'refused'),
];

function notActed(name: string, fault: Fault, error: ErrorName): Failure {
  return { ...failure(name, fault, error, 'refused'), alwaysRetried: true };
}

function timeout(name: string, fault: Fault, phase: 'head' | 'body'): Failure {
  return { ...failure(name, fault, 'TimeoutError', 'unknown'), phase };
}

function failure(
  name: string,
  fault: Fault,
  error: ErrorName,
  outcome: Outcome,
  outcomeOfWrite = outcome,
): Failure {
  return { name, fault, error, outcome, outcomeOfWrite };
}
