import { InvalidRequestError } from '../errors.ts';

/** Creates the error of an argument of a helper. It shows the type of what was given, unless `received` says more. */
export function invalidArgument(
  helper: string,
  path: string,
  expected: string,
  value: unknown,
  received = value === null ? 'null' : typeof value,
): InvalidRequestError {
  return new InvalidRequestError(`${helper}: ${path} must be ${expected} (got ${received})`, {
    issues: [{ path, expected, received }],
  });
}
