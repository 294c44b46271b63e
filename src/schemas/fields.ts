import * as z from 'zod/mini';
import { emailPattern, invisibleIn } from '../core/email.ts';
import { maxIssues } from '../core/issues.ts';
import { isExact, isPlainObject } from '../core/json.ts';
import { decimalText } from '../helpers/decimal-text.ts';
import { Secret } from '../helpers/secret.ts';

/** Returns a check that tests a value. */
export function check<T>(test: (value: T) => boolean, expected: string) {
  const report = ({ value, issues }: z.core.ParsePayload<T>): void => {
    if (!test(value)) issues.push({ code: 'custom', message: expected, input: value });
  };
  return Object.assign(report, { test });
}

/**
 * Keeps only the first issues of a list or map: zod passes all as arguments of one call, which can overflow the stack.
 */
export const limitIssues = /* @__PURE__ */ z.check<unknown>(({ issues }) => void issues.splice(maxIssues), {
  when: () => true,
});

/** Schema that converts a value before it checks it. */
export const convertThen = <Given, Schema extends z.ZodMiniType>(
  convert: (value: Given, payload: z.core.ParsePayload) => unknown,
  schema: Schema,
) => z.pipe(z.transform(convert), schema);

export const string = () => z.string('a string');

/** Schema of an optional field. `null` and `''`, which forms send for empty fields, are left out. */
export const optionalField = <Field extends z.ZodMiniType>(field: Field) =>
  z.optional(
    convertThen(
      (value: z.input<Field> | null | undefined) => (value === '' ? undefined : (value ?? undefined)),
      z.optional(field),
    ),
  );

export const nonEmptyText = (expected = 'a non-empty string') =>
  z.string(expected).check(z.minLength(1, expected));

/** Schema of the name of a tag: `' vip'` would create a second tag next to `'vip'`. */
export const tagName = (expected?: string) =>
  nonEmptyText(expected).check(check(name => name === name.trim(), 'without white space at either end'));

export const matchingText = (pattern: RegExp, expected: string) =>
  z.string(expected).check(z.regex(pattern, expected));

/** Schema of a string whose length in code points is within bounds. */
export function boundedText(min: number, max: number) {
  const expected = `a string of ${min} to ${max} characters`;
  return z.string(expected).check(z.minLength(min, expected), z.maxLength(max, expected));
}

/** Schema of the name of a domain. It rejects only parts of a URL or email; the service checks the rest. */
export function domainName() {
  const expected = 'a domain name without https://, path, port, @ or white space';
  return nonEmptyText(expected).check(check(name => !/[\s/:@]/.test(name), expected));
}

/** Schema of an email address. The issue names an invisible character, if any. */
export const email = () =>
  z.string('an email address').check(
    ({ value, issues }) => {
      const found = invisibleIn(value);
      if (found) issues.push({ code: 'custom', message: `an email address without ${found}`, input: value });
    },
    z.regex(emailPattern(), 'an email address'),
  );

/** Schema of a date that exists, such as `2024-02-29`. */
export function day() {
  const expected = 'a day that exists, as YYYY-MM-DD';
  return z.string(expected).check(check(isDay, expected));
}

/**
 * Returns `false` for days that do not exist: `Date` turns 30 February into another day, and an invalid date into
 * `null`.
 */
const isDay = (value: string): boolean => new Date(value).toJSON()?.slice(0, 10) === value;

/** Schema of a secret in a response. JSON other than a string is wrapped too. */
export const secretText = () =>
  z.pipe(
    string(),
    z.transform((value: string) => new Secret(typeof value === 'string' ? value : JSON.stringify(value))),
  );

export const numberToText = (value: unknown): unknown =>
  Number.isSafeInteger(value) ? String(value) : value;

export const integer = () => z.number('a whole number').check(check(Number.isSafeInteger, 'a whole number'));

/** Schema of a number with listed values in a response; 0 if the service sends none. */
export function listedNumber(...listed: number[]) {
  const expected = `one of ${listed.join(', ')}`;
  return z.number(expected).check(check(value => value === 0 || listed.includes(value), expected));
}

export function boundedInteger(
  min: number,
  max?: number,
  expected = `a whole number from ${min}${max === undefined ? '' : ` to ${max}`}`,
) {
  const upperBound = max === undefined ? [] : [z.maximum(max, expected)];
  const isWhole = check<number>(Number.isSafeInteger, expected);
  return z.number(expected).check(isWhole, z.minimum(min, expected), ...upperBound);
}

export const boolean = () => z.boolean('true or false');

/** Schema of an array of strings in a response, such as a contact's tags. */
export const stringArray = () => z.array(string(), 'an array of strings');

/** Schema of an object of strings in a response, such as a contact's custom fields. */
export const textMap = () => z.catchall(z.object({}, 'an object of strings'), string());

/** Prefixes of the ids of custom fields. The documentation uses both, and does not state what follows. */
const customFieldPrefix = /^(?:custom_)?field_/;

/** Schema of a contact's custom fields in a response, by their ids. */
export const customFieldValues = () => {
  const expected = 'an object of strings by id of the custom field (field_…)';
  return textMap().check(check(map => Object.keys(map).every(key => customFieldPrefix.test(key)), expected));
};

/** Values by name in an input. `null` and `undefined` are left out. */
type ValueMap = Readonly<Record<string, string | number | null | undefined>>;

/** Schema of an object of values in an input. Exact numbers become strings without an exponent. */
export function valueMap() {
  const toText = (value: ValueMap[string]) => (isExact(value) ? decimalText(value) : value);
  const value = convertThen(toText, z.string('a string, or a finite number that is exact'));
  const toMap = (map: ValueMap, { issues }: z.core.ParsePayload) => {
    // zod reads a `Map` as an object without fields, and drops a field named `__proto__`.
    if (!isPlainObject(map)) return undefined;
    if (Object.hasOwn(map, '__proto__'))
      issues.push({ code: 'custom', path: ['__proto__'], message: 'left out', input: map });
    return Object.fromEntries(Object.entries(map).filter(([, value]) => (value ?? undefined) !== undefined));
  };
  const map = z.catchall(z.object({}, 'a plain object of strings and finite numbers'), value);
  return convertThen(toMap, map.check(limitIssues));
}

/** Schema of an object in an input. Unknown fields are rejected. */
export const inputObject = <Fields extends z.core.$ZodLooseShape>(fields: Fields) =>
  z.strictObject(fields, 'an object');

export const nameParams = (name: z.ZodMiniType<string, string> = nonEmptyText()) => inputObject({ name });

/** Schema of an object in a response. Unknown fields are kept. */
export const responseObject = <Fields extends z.core.$ZodLooseShape>(fields: Fields) =>
  z.looseObject(fields, 'an object');

export const arrayOf = <Item extends z.core.$ZodType>(item: Item) => z.array(item, 'an array');
