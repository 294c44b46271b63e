import { InvalidRequestError, type Issue } from '../errors.ts';

/** The error of an input that did not pass its check; `issues` says where and why. */
export const invalidRequest = (operation: string, issues: readonly Issue[]): InvalidRequestError =>
  new InvalidRequestError(
    `${operation}: ${issues.map(({ path, expected, received }) => `${path || 'input'} must be ${expected} (got ${received})`).join('; ')}`,
    { operation, issues },
  );
