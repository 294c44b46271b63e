import { InvalidRequestError } from '../errors.ts';

/** Creates the error of an argument of a helper. Shows a number that was given, and the type of anything else. */
export function invalidArgument(
  helper: string,
  path: string,
  expected: string,
  value: unknown,
): InvalidRequestError {
  const received = value === null || typeof value === 'number' ? String(value) : typeof value;
  return new InvalidRequestError(`${helper}: ${path} must be ${expected} (got ${received})`, {
    issues: [{ path, expected, received }],
  });
}
