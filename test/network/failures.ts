import type { ErrorName, Outcome } from '../../src/index.ts';
import type { Fault } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';

/** A way to fail, and what the design's section 7 says comes of it. */
export interface Failure {
  readonly name: string;
  readonly fault: Fault;
  readonly error: ErrorName;
  readonly outcome: Outcome;
  /** The service certainly did not act, and may be asked again whatever the operation. */
  readonly askAgain?: boolean;
}

/** Failures that may pass: a reason to try again, if the operation allows it. */
export const passing: readonly Failure[] = [
  failure('reset before the answer', faults.resetBeforeAnswer, 'ConnectionError', 'unknown'),
  failure('closed before the answer', faults.closedBeforeAnswer, 'ConnectionError', 'unknown'),
  failure('reset in mid-body', faults.resetInBody, 'ConnectionError', 'unknown'),
  failure('closed in mid-body', faults.closedInBody, 'ConnectionError', 'unknown'),
  failure('no HTTP', faults.notHttp, 'ConnectionError', 'unknown'),
  { ...failure('429', faults.tooManyRequests(), 'RateLimitError', 'refused'), askAgain: true },
  {
    ...failure('429 with Retry-After', faults.tooManyRequests('0'), 'RateLimitError', 'refused'),
    askAgain: true,
  },
  {
    ...failure(
      '429 until a date',
      faults.tooManyRequests('Wed, 21 Oct 2015 07:28:00 GMT'),
      'RateLimitError',
      'refused',
    ),
    askAgain: true,
  },
  failure('500', faults.status(500), 'ServerError', 'unknown'),
  failure('502 as HTML', faults.badGatewayPage, 'ServerError', 'unknown'),
  failure('503', faults.status(503), 'ServerError', 'unknown'),
  { ...failure('503 with Retry-After', faults.unavailable('0'), 'ServerError', 'refused'), askAgain: true },
];

/** Failures that only a time limit ends; they may pass too. */
export const endless: readonly Failure[] = [
  failure('never answered', faults.neverAnswers, 'TimeoutError', 'unknown'),
  failure('stalled after the head', faults.stallsAfterHead, 'TimeoutError', 'unknown'),
  failure('stalled in mid-body', faults.stallsInBody, 'TimeoutError', 'unknown'),
  failure('slow drip', faults.drips(), 'TimeoutError', 'unknown'),
];

/** Failures that asking again would not mend. */
export const lasting: readonly Failure[] = [
  failure('no JSON', faults.notJson, 'InvalidResponseError', 'done'),
  failure('JSON cut short', faults.cutShortJson, 'InvalidResponseError', 'done'),
  failure('400', faults.status(400), 'BadRequestError', 'refused'),
  failure(
    '401',
    faults.status(401, {}, '{"status":401,"message":"not valid"}'),
    'AuthenticationError',
    'refused',
  ),
  failure('403', faults.status(403), 'PermissionError', 'refused'),
  failure('404', faults.status(404), 'NotFoundError', 'refused'),
  failure('409', faults.status(409), 'ConflictError', 'refused'),
  failure('422', faults.status(422), 'BadRequestError', 'refused'),
  failure('a redirect', faults.redirect('https://elsewhere.example'), 'ApiError', 'refused'),
  failure(
    '401 under 200',
    faults.status(200, {}, '{"status":401,"message":"no"}'),
    'AuthenticationError',
    'refused',
  ),
];

function failure(name: string, fault: Fault, error: ErrorName, outcome: Outcome): Failure {
  return { name, fault, error, outcome };
}
