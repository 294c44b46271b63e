import { ConfigurationError, type Issue } from '../errors.ts';
import { invalidRequest, maxIssues, redactIssue } from './issues.ts';
import { shown } from './json.ts';
import { nearestName } from './nearest-name.ts';
import { noSecrets, type Redaction } from './redactor.ts';
import { anObject, isOptions, type OptionRule, type OptionRules } from './rules.ts';

/**
 * Returns what is wrong with options, at most 100 issues: names that do not exist, those of a prototype, which a copy of
 * the options lacks, and values that break a rule. `of` names what they are the options of, in messages. An object that
 * is not copied `mayInherit` them.
 */
export function optionIssues(
  options: unknown,
  rules: OptionRules,
  of = '',
  mayInherit = false,
): readonly Issue[] {
  if (!isOptions(options)) return [{ path: 'options', expected: 'an object', received: shown(options) }];
  const known = Object.keys(rules);
  const unknown = Object.keys(options).filter(name => !known.includes(name));
  const inherited = known
    .filter(name => !mayInherit && options[name] !== undefined && !Object.hasOwn(options, name))
    .map(path => ({ path, expected: 'a plain property', received: 'one of a class or prototype' }));
  const broken = Object.entries(rules)
    .filter(([path, { isRequired }]) => options[path] !== undefined || isRequired)
    .flatMap(([path, { expected, isValid, issuesOf }]) => {
      const value = options[path];
      if (!isValid(value)) return [{ path, expected, received: shown(value) }];
      return (issuesOf?.(value) ?? []).map(issue => ({ ...issue, path: `${path}.${issue.path}` }));
    });
  const issues = unknown.slice(0, maxIssues).map(name => unknownOption(name, known, of));
  return [...issues, ...inherited, ...broken].slice(0, maxIssues);
}

function unknownOption(name: string, known: readonly string[], of: string): Issue {
  const hint = didYouMean(name, known) || `; known options: ${known.join(', ')}`;
  const message = `Unknown option "${name}"${of && ` of ${of}`}${hint}`;
  return { path: name, expected: 'absent: there is no such option', received: 'a value', message };
}

export const anObjectOf = (of: string, rules: OptionRules): OptionRule => ({
  ...anObject,
  issuesOf: value => optionIssues(value, rules, of, true),
});

/** Throws a `ConfigurationError` that names the first unknown or invalid option, unless it holds a secret. */
export function checkConfiguration(
  of: string,
  options: unknown,
  rules: OptionRules,
  redactor: Redaction = noSecrets,
): void {
  if (!isOptions(options)) throw new ConfigurationError(`The options of ${of} must be an object.`);
  const [issue] = optionIssues(options, rules, of);
  if (!issue) return;
  const { path: option, expected, received, message } = redactIssue(issue, redactor);
  throw message ? new ConfigurationError(message, { option }) : invalidOption(option, expected, received);
}

/** Creates the error of an option of a client or handler, which says what to write. A hidden text is a `string`. */
export const invalidOption = (option: string, expected: string, received = 'string'): ConfigurationError => {
  const got = received === 'string' ? '' : ` (got ${received})`;
  return new ConfigurationError(`Option ${option} must be ${expected}${got}.`, { option });
};

/**
 * Throws an `InvalidRequestError` that names each unknown and each invalid option or argument of a call. Without a
 * `redactor`, it shows no text: each could be a key.
 */
export function checkOptions(
  operation: string,
  options: unknown,
  rules: OptionRules,
  redactor?: Redaction,
): void {
  const issues = optionIssues(options, rules);
  if (issues.length === 0) return;
  const withoutText = (issue: Issue) => ({ ...issue, received: issue.received.replace(/^".*/s, 'string') });
  throw invalidRequest(operation, redactor ? issues : issues.map(withoutText), redactor);
}

/** Returns the end of a sentence about an unknown name, which asks for a similar one; empty without one. */
export function didYouMean(name: string, known: readonly string[]): string {
  const similar = nearestName(name, known);
  return similar === undefined ? '' : `; did you mean "${similar}"?`;
}
