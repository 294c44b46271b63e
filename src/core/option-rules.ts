import type { Issue } from '../error-details.ts';
import { ConfigurationError } from '../errors.ts';
import { cleanIssue, invalidRequestError, maxIssues, redactNothing } from './issues.ts';
import { isPlainObject, literalOrType } from './json.ts';
import { maxTimerMs } from './timers.ts';

/** Rule of an option: the expected value, and a test of it. */
export interface OptionRule {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** `true` if the option cannot be left out. */
  readonly isRequired?: true;
  /** Returns the message for an invalid value, replacing the usual one. */
  readonly messageFor?: (option: string, value: unknown) => string;
  /** Returns what is wrong with the members of a valid value. */
  readonly issuesOf?: (value: unknown) => readonly Issue[];
}

/** Rules by name of the option. Other names are rejected. */
export type OptionRules<Name extends PropertyKey = string> = Readonly<Record<Name, OptionRule>>;

/** Creates a simple rule. Mark each call as pure, so that bundlers can drop unused rules. */
export const rule = (expected: string, isValid: OptionRule['isValid']): OptionRule => ({ expected, isValid });

export const anObject = /* @__PURE__ */ rule('an object', isPlainObject);

export const anArray = /* @__PURE__ */ rule('an array', Array.isArray);

export const aFunction = /* @__PURE__ */ rule('a function', value => typeof value === 'function');

export const aBoolean = /* @__PURE__ */ rule('true or false', value => typeof value === 'boolean');

/** Accepts an `AbortSignal`, even one of another realm. */
export const anAbortSignal = /* @__PURE__ */ rule('an AbortSignal', value => 'aborted' in Object(value));

export const aNumberAboveZero = /* @__PURE__ */ rule(
  'a number above 0',
  value => typeof value === 'number' && value > 0,
);

/** Accepts milliseconds that a timer supports, and `Infinity`. */
export const aTimeLimit = /* @__PURE__ */ rule(
  `milliseconds above 0, at most ${maxTimerMs}, or Infinity`,
  value =>
    aNumberAboveZero.isValid(value) && (Number(value) <= maxTimerMs || value === Number.POSITIVE_INFINITY),
);

export const aWholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  rule(
    `a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`}`,
    value => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );

export const aCount = (min: number) =>
  rule(
    `a whole number from ${min}, or Infinity`,
    value => value === Number.POSITIVE_INFINITY || aWholeNumber(min).isValid(value),
  );

export const oneOf = (values: readonly unknown[]) =>
  rule(`one of ${values.join(', ')}`, value => values.includes(value));

/** Accepts any value; it is checked elsewhere. */
export const anything = /* @__PURE__ */ rule('any value', () => true);

export const required = (rule: OptionRule): OptionRule => ({ ...rule, isRequired: true });

/** Formats a value for messages about options. A string is not shown, because it can be a misplaced key. */
const shownOption = (value: unknown): string => (typeof value === 'string' ? 'string' : literalOrType(value));

/** Returns at most 100 issues of options. Messages name their owner (`of`). */
export function optionIssues(options: unknown, rules: OptionRules, of = ''): readonly Issue[] {
  if (!isPlainObject(options))
    return [{ path: 'options', expected: 'an object', received: shownOption(options) }];
  const known = Object.keys(rules);
  const unknown = Object.keys(options).filter(name => !known.includes(name));
  const issues = unknown
    .slice(0, maxIssues)
    .map(name => unknownName(`option "${name}"${of && ` of ${of}`}`, name, known));
  const broken = Object.entries(rules).flatMap(([name, rule]) => issuesOfOption(name, rule, options[name]));
  return [...issues, ...broken].slice(0, maxIssues);
}

/**
 * Creates the issue of an unknown name. It suggests a known name that differs in case, or in a few characters at one
 * place.
 */
export function unknownName(what: string, name: string, known: readonly string[]): Issue {
  const given = name.toLowerCase();
  const nearest = known.find(each => {
    const other = each.toLowerCase();
    const isNearAt = (at: number) =>
      given.startsWith(other.slice(0, at)) && given.endsWith(other.slice(at + 2));
    return Math.abs(given.length - other.length) <= 2 && [...other, ''].some((_, at) => isNearAt(at));
  });
  const hint = nearest ? `Did you mean ${nearest}?` : `Known names: ${known.join(', ')}.`;
  const message = `Unknown ${what}. ${hint}`;
  return { path: name, expected: 'left out', received: 'a value', message };
}

function issuesOfOption(
  path: string,
  { expected, isValid, isRequired, messageFor, issuesOf }: OptionRule,
  value: unknown,
): readonly Issue[] {
  if (value === undefined && !isRequired) return [];
  const end = value === null && !isRequired ? ', or left out' : '';
  if (!isValid(value))
    return [
      { path, expected: expected + end, received: shownOption(value), message: messageFor?.(path, value) },
    ];
  return (issuesOf?.(value) ?? []).map(issue => ({
    ...issue,
    path: `${path}${issue.path.startsWith('[') ? '' : '.'}${issue.path}`,
  }));
}

export const anObjectOf = (of: string, rules: OptionRules): OptionRule => ({
  ...anObject,
  issuesOf: value => optionIssues(value, rules, of),
});

/** Throws a `ConfigurationError` that names each unknown or invalid option. */
export function checkConfiguration(
  of: string,
  options: unknown,
  rules: OptionRules,
  redact = redactNothing,
): void {
  const issues = optionIssues(options, rules, of).map(issue => cleanIssue(issue, redact, of));
  const [first] = issues;
  if (first)
    throw new ConfigurationError(issues.map(({ message }) => message).join(' '), { option: first.path });
}

/** Creates the error of an invalid option of a client or handler. */
export const invalidOption = (option: string, expected: string, value: unknown): ConfigurationError =>
  new ConfigurationError(`${option} must be ${expected} (got ${shownOption(value)}).`, { option });

/** Throws an `InvalidRequestError` for unknown and invalid options. */
export function checkOptions(
  operation: string,
  options: unknown,
  rules: OptionRules,
  redact?: (text: string) => string,
): void {
  const issues = optionIssues(options, rules);
  if (issues.length > 0) throw invalidRequestError(operation, issues, redact);
}
