import { isObject } from '../core/json.ts';

/** A `status` that reports a failure. */
const failedStatus = /error|fail|denied|forbidden|unauthori|invalid|expired/i;

/**
 * Returns why a response from the legacy interface is not an acknowledgment; otherwise `undefined`. An acknowledgment has
 * `data`, or a `status` that is not a failure.
 */
export function acknowledgmentProblem({ status, data }: { status?: unknown; data?: unknown }) {
  const isStatus = (typeof status === 'string' && status !== '') || typeof status === 'number';
  if (isStatus && failedStatus.test(String(status)))
    return `the response has the status ${JSON.stringify(status)}`;
  return isStatus || isObject(data) ? undefined : 'the response is an object without "status" and "data"';
}
