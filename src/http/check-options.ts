import { ConfigurationError, type Issue } from '../errors.ts';
import { invalidRequest } from './invalid-request.ts';
import { typeName } from './json.ts';
import { isOptions, type OptionRule, type OptionRules } from './option-rules.ts';
import { didYouMean, unknownNames } from './unknown-option.ts';

/** Longest name of an option or header that a message shows, in characters. */
const maxShownLength = 100;

/** Returns the part of a name of someone else's that a message shows. */
export const shownName = (name: string): string => name.slice(0, maxShownLength);

/** Creates the error of an option of a client or handler, which says what to write. A number that was given is shown. */
export const invalidOption = (option: string, expected: string, given?: unknown): ConfigurationError =>
  new ConfigurationError(
    `Option ${option} must be ${expected}${typeof given === 'number' ? ` (got ${given})` : ''}.`,
    { option },
  );

/** Throws a `ConfigurationError` that names the first unknown or invalid option. `parent` precedes the names of members. */
export function checkConfiguration(of: string, options: unknown, rules: OptionRules, parent = ''): void {
  if (!isOptions(options)) throw new ConfigurationError(`The options of ${of} must be an object.`);
  const known = Object.keys(rules);
  for (const { name, nearest } of unknownNames(options, known)) {
    const hint = nearest ? `Did you mean "${nearest}"?` : `Known options: ${known.join(', ')}.`;
    const option = shownName(name);
    throw new ConfigurationError(`Unknown option "${option}" of ${of}. ${hint}`, { option });
  }
  for (const [name, { expected, isValid }] of Object.entries(rules)) {
    const value = options[name];
    if (value !== undefined && !isValid(value)) throw invalidOption(parent + name, expected, value);
  }
}

/** Throws an `InvalidRequestError` that names each unknown and each invalid option of a call. */
export function checkOptions(operation: string, options: unknown, rules: OptionRules): void {
  if (!isOptions(options))
    throw invalidRequest(operation, [
      { path: 'options', expected: 'an object', received: describe(options) },
    ]);
  const unknown = unknownNames(options, Object.keys(rules)).map(({ name, nearest }): Issue => {
    const hint = didYouMean(nearest);
    const path = shownName(name);
    return {
      path,
      expected: `left out: there is no such option${hint}`,
      received: describe(options[name]),
      message: `unknown option "${path}"${hint}`,
    };
  });
  const invalid = Object.entries(rules).flatMap(([name, { expected, isValid }]): Issue[] => {
    const value = options[name];
    return value === undefined || isValid(value) ? [] : [{ path: name, expected, received: describe(value) }];
  });
  if (unknown.length + invalid.length > 0) throw invalidRequest(operation, [...unknown, ...invalid]);
}

/** Throws an `InvalidRequestError` unless the value of one argument passes its rule. */
export function checkArgument(operation: string, path: string, value: unknown, rule: OptionRule): void {
  if (!rule.isValid(value))
    throw invalidRequest(operation, [{ path, expected: rule.expected, received: describe(value) }]);
}

/** Returns a number as it is, and the type of anything else. */
export const describe = (value: unknown): string =>
  typeof value === 'number' ? String(value) : typeName(value);
