import { invalidRequestError } from '../core/issues.ts';

/** Creates the error of an invalid argument of a helper. It shows numbers, and only the type of other values. */
export function invalidArgument(helper: string, path: string, expected: string, value: unknown): Error {
  const received = value === null || typeof value === 'number' ? String(value) : typeof value;
  return invalidRequestError(helper, [{ path, expected, received }]);
}
