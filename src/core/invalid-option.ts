import { InvalidRequestError } from '../errors.ts';

/** The error for an option that cannot be used; its value is not shown. */
export function invalidOption(
  operation: string,
  path: string,
  expected: string,
  value: unknown,
): InvalidRequestError {
  const issues = [{ path, expected, received: typeof value }];
  return new InvalidRequestError(`${operation}: ${path} must be ${expected}`, { operation, issues });
}

/** Checks a number of things that go on at once. */
export function checkConcurrency(operation: string, concurrency: number): number {
  if (concurrency >= 1) return concurrency;
  throw invalidOption(operation, 'concurrency', 'a number from 1', concurrency);
}
