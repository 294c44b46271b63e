import { InvalidRequestError, type Issue } from '../errors.ts';

/** Maximum number of issues in a message. */
const maxShownIssues = 20;

/** Makes the error of an input that is not valid. `issues` names each field and what was expected. */
export function invalidRequest(operation: string, issues: readonly Issue[]): InvalidRequestError {
  const shown = issues.slice(0, maxShownIssues).map(describe);
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`);
  return new InvalidRequestError(`${operation}: ${shown.join('; ')}`, { operation, issues });
}

const describe = ({ path, expected, received, message }: Issue): string =>
  message ?? `${path || 'input'} must be ${expected} (got ${received})`;
