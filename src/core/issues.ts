import type { Issue } from '../error-details.ts';
import { InvalidRequestError, InvalidResponseError } from '../errors.ts';

/** Maximum number of issues that are reported for one input or response. */
export const maxIssues = 100;

/** Characters that could break a log line, move a terminal's cursor, or change the text direction. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Invisible characters: controls, direction marks, and characters without width. */
export const invisible = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** Returns untrusted text as one line that is safe to print. */
export const oneLine = (text: string): string => text.replace(controls, ' ');

/** Formats a path as in code: `[3].customFields.age`. */
export function pathText(path: readonly PropertyKey[]): string {
  const parts = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return parts.join('').replace(/^\./, '');
}

/** Returns the beginning of text, without half a character at its end, which many parsers reject. */
export const beginningOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** Shortens text for messages and issues. */
export const cut = (text: string, maxLength = maxShownLength): string =>
  text.length > maxLength ? `${beginningOf(text, maxLength)}…` : text;

/** Returns the value at a path; `undefined` if the path ends early. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}

/** Returns text unchanged, for text and clients without secrets. */
export const redactNothing = (text: string): string => text;

/** Creates the error of an invalid input. */
export function invalidRequestError(
  operation: string,
  issues: readonly Issue[],
  redact = redactNothing,
  whole = 'input',
): InvalidRequestError {
  const clean = issues.slice(0, maxIssues).map(issue => cleanIssue(issue, redact, whole));
  const sentences = clean.map(({ message }) => message);
  return new InvalidRequestError(`${operation}: ${sentences.join(' ')}`, { operation, issues: clean });
}

export function unusableListError(
  operation: string,
  expected: string,
  received: string,
): InvalidResponseError {
  const message = `${operation}: the response cannot be used: expected ${expected}, got ${received}.`;
  const issues = [cleanIssue({ path: '', expected, received }, redactNothing, 'body')];
  return new InvalidResponseError(message, { operation, outcome: 'done', issues });
}

/** Maximum length of quoted text in a message or issue, in characters. */
const maxShownLength = 500;

/**
 * Cleans an issue and adds its message. Text is redacted, because a key can be passed in place of an id, and
 * shortened. `whole` replaces an empty path.
 */
export function cleanIssue(issue: Issue, redact: (text: string) => string, whole: string): Issue {
  const clean = (text: string) => cut(oneLine(redact(text)));
  const [path, expected, received] = [clean(issue.path), clean(issue.expected), clean(issue.received)];
  const message = issue.message
    ? clean(issue.message)
    : `${path || whole} must be ${expected} (got ${received}).`;
  return { path, expected, received, message };
}
