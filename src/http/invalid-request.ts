import { InvalidRequestError, type Issue } from '../errors.ts';
import { cut, oneLine } from './issue-text.ts';
import { noSecrets, type Redaction } from './secrets/redactor.ts';

/** Maximum number of issues in a message. */
const maxShownIssues = 20;

/** Creates the error of an input that is not valid. `issues` names each field and what was expected. */
export function invalidRequest(
  operation: string,
  issues: readonly Issue[],
  redactor = noSecrets,
): InvalidRequestError {
  const clean = issues.map(issue => redactIssue(issue, redactor));
  const shown = clean.slice(0, maxShownIssues).map(describe);
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`);
  return new InvalidRequestError(`${operation}: ${shown.join('; ')}`, { operation, issues: clean });
}

/** Longest text of an issue that is shown, in characters. */
const maxShownLength = 200;

/**
 * Removes secrets and control characters from an issue, and cuts its texts: a key can be given in place of an id, and a
 * response can repeat one.
 */
export function redactIssue({ path, expected, received, message }: Issue, redactor: Redaction): Issue {
  const clean = (text: string) => cut(oneLine(redactor.text(text)), maxShownLength);
  return {
    path: clean(path),
    expected: clean(expected),
    received: clean(received),
    ...(message !== undefined && { message: clean(message) }),
  };
}

const describe = ({ path, expected, received, message }: Issue): string =>
  message ?? `${path || 'input'} must be ${expected} (got ${received})`;
