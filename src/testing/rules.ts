import { nearestName } from '../nearest-name.ts';

/** The values that an option, a field or a member can have. */
export interface Rule {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

/** Rules by the name of what they are for; no other name is accepted. */
export type Rules = Readonly<Record<string, Rule>>;

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const flag: Rule = { expected: 'true or false', accepts: value => typeof value === 'boolean' };
export const callback: Rule = { expected: 'a function', accepts: value => typeof value === 'function' };
export const object: Rule = { expected: 'an object', accepts: isObject };

/** Accepts texts that pass a test. */
export const text = (expected: string, passes: (value: string) => boolean): Rule => ({
  expected,
  accepts: value => isText(value) && passes(value),
});

/** Accepts some texts. */
export const oneOf = (values: readonly string[]): Rule => ({
  expected: values.join(values.length === 2 ? ' or ' : ', '),
  accepts: value => values.includes(value as string),
});

/** Accepts arrays whose every item passes a test. */
export const array = (expected: string, passes: (item: unknown) => boolean): Rule => ({
  expected,
  accepts: value => Array.isArray(value) && value.every(passes),
});

const range = (kind: string, unit: string, least: number, most: number): string =>
  `a ${kind}${unit && ` of ${unit}`} from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`;

/** Accepts numbers of a range. */
export const number = (least: number, most: number, unit = ''): Rule => ({
  expected: range('number', unit, least, most),
  accepts: value => typeof value === 'number' && value >= least && value <= most,
});

/** Accepts whole numbers of a range. */
export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER, unit = ''): Rule => ({
  expected: range('whole number', unit, least, most),
  accepts: value => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
});

/** Accepts the status of a response. */
export const httpStatus: Rule = { ...wholeNumber(200, 599), expected: 'an HTTP status from 200 to 599' };

/** Throws a `RangeError` that names what a value must be. */
export function check(name: string, { expected, accepts }: Rule, value: unknown): void {
  if (!accepts(value)) throw new RangeError(`${name} must be ${expected} (got ${shown(value)})`);
}

/**
 * Throws a `RangeError` that names the first member without a rule, or with a value that its rule does not accept.
 * A member that is `undefined` counts as not given.
 */
export function checkMembers(what: string, members: object, rules: Rules, place = ''): void {
  for (const [name, value] of Object.entries(members)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw unknownName(what, name, Object.keys(rules));
    if (value !== undefined) check(place + name, rule, value);
  }
}

/** Returns a `RangeError` for a name that does not exist, with the nearest one that does. */
export function unknownName(what: string, name: string, valid: readonly string[]): RangeError {
  const nearest = nearestName(name, valid);
  const hint = nearest === undefined ? `valid: ${valid.join(', ')}` : `did you mean "${nearest}"?`;
  return new RangeError(`unknown ${what} ${JSON.stringify(name.slice(0, 50))}; ${hint}`);
}

function shown(value: unknown): string {
  if (isText(value)) return JSON.stringify(value.slice(0, 50));
  try {
    return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 50);
  } catch {
    return 'an object that JSON cannot hold';
  }
}
