import { InvalidRequestError } from '../errors.ts';

/** Creates the error of an argument of a helper. It shows the type of what was given, never the value. */
export function invalidArgument(
  helper: string,
  path: string,
  expected: string,
  given: unknown,
): InvalidRequestError {
  const received = given === null ? 'null' : typeof given;
  return new InvalidRequestError(`${helper}: ${path} must be ${expected} (got ${received})`, {
    issues: [{ path, expected, received }],
  });
}
