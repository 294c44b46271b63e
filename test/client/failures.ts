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

/** Responses that break off, which each way to send reports itself. They are retried if the operation allows it. */
export const broken: readonly Failure[] = Object.entries({
  'reset before the response': faults.resetBeforeResponse,
  'closed before the response': faults.closedBeforeResponse,
  'reset in mid-body': faults.resetInBody,
  'closed in mid-body': faults.closedInBody,
  'stopped in a body without a stated end': faults.stopsInBody,
  'stopped in the body of a 400': faults.stopsInErrorBody,
  'JSON cut short': faults.cutShortJson,
  'a response that is not HTTP': faults.notHttp,
}).map(([name, fault]) => failure(name, fault, 'ConnectionError', 'unknown'));

/** Transient statuses. */
const transient: readonly Failure[] = [
  failure('429 with Retry-After', faults.tooManyRequests('0'), 'RateLimitError', 'refused', {
    alwaysRetried: true,
  }),
  failure('503 with Retry-After', faults.unavailable('0'), 'ServerError', 'unknown'),
];

/** Transient failures, which are retried if the operation allows it. */
export const passing = [...broken, ...transient];

/** Transient failures that only a time limit ends. */
export const endless: readonly Failure[] = [
  failure('no response', faults.neverResponds, 'TimeoutError', 'unknown', { phase: 'head' }),
  failure('stalled after the head', faults.stallsAfterHead, 'TimeoutError', 'unknown', { phase: 'body' }),
  failure('stalled in mid-body', faults.stallsInBody, 'TimeoutError', 'unknown', { phase: 'body' }),
  failure('slow drip', faults.drips(), 'TimeoutError', 'unknown', { phase: 'body' }),
];

/** Failures that are not retried. `status-meaning.test.ts` tests what every status means. */
export const lasting: readonly Failure[] = [
  failure('no JSON', faults.notJson, 'InvalidResponseError', 'unknown'),
  failure('a redirect', faults.redirect('https://elsewhere.example'), 'ApiError', 'refused', {
    outcomeOfWrite: 'unknown',
  }),
  failure(
    '401 in the body of a 200',
    faults.status(200, {}, '{"status":401}'),
    'AuthenticationError',
    'refused',
  ),
];

function failure(
  name: string,
  fault: Fault,
  error: ErrorName,
  outcome: Outcome,
  more?: Partial<Failure>,
): Failure {
  return { name, fault, error, outcome, outcomeOfWrite: outcome, ...more };
}
