import { isObject } from '../core/json.ts';

/** A `status` that reports a failure. */
const failedStatus = /error|fail|denied|forbidden|unauthori|invalid|expired/i;

/**
 * Returns what came in place of an acknowledgment of the legacy interface, which is an object with `data`, or with a
 * `status` that reports no failure. Returns `undefined` for an acknowledgment.
 */
export function otherThanAcknowledgment(response: unknown): string | undefined {
  if (!isObject(response)) return Array.isArray(response) ? 'a list' : JSON.stringify(response);
  const { status, data } = response;
  const isStatus = (typeof status === 'string' && status !== '') || typeof status === 'number';
  if (isStatus && failedStatus.test(String(status))) return `the status ${JSON.stringify(status)}`;
  return isStatus || isObject(data) ? undefined : 'an object without "status" and "data"';
}

/** Returns whether a body reports a failure in the form of the service: `status` is `error`, or a number from 400. */
export function isOwnFailure(body: unknown): boolean {
  const { status } = Object(body) as { readonly status?: unknown };
  return status === 'error' || Number(status) >= 400;
}
