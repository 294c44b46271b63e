import { invalidRequest } from '../core/issues.ts';

/** Creates the error of an argument of a helper. Shows a number that was given, and the type of anything else. */
export function invalidArgument(helper: string, path: string, expected: string, value: unknown): Error {
  const received = value === null || typeof value === 'number' ? String(value) : typeof value;
  return invalidRequest(helper, [{ path, expected, received }]);
}
