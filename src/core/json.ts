import type { Issue } from '../error-details.ts';

/** Parses JSON. Returns `undefined`, which is not a JSON value, if the text is not JSON. */
export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** A number of 16 or more digits, like 2 ** 53. Written out, the pattern is several times as fast as with `{15}`. */
const longNumber =
  /(?:^|[:,[\s-])\d[\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.]/;

/** End of a number whose exponent may be out of range. */
const largeExponent = /\d[eE][-+]?\d\d\d+(?:[,}\]\s]|$)/;

/** Tokens of valid JSON: escapes and quotes, which delimit strings, and numbers that could be rounded. */
const tokens = /\\.|"|-?\d[-+.\dEe]{3,}/g;

/** Parses JSON. Numbers that JavaScript would round become strings. A reviver would take seconds for 10 MB. */
export function parseExact(text: string): unknown {
  const json: unknown = JSON.parse(text);
  if (!longNumber.test(text) && !largeExponent.test(text)) return json;
  let inString = false;
  const exact = text.replace(tokens, token => {
    if (token === '"') inString = !inString;
    return !inString && isRounded(token) ? `"${token}"` : token;
  });
  return JSON.parse(exact);
}

/** Returns `true` for a number that JavaScript prints with other digits, and for integers from 2 ** 53, such as ids. */
function isRounded(text: string): boolean {
  if (text.length < 16 && !/e/i.test(text)) return false;
  const number = Number(text);
  return (/^-?\d+$/.test(text) && !Number.isSafeInteger(number)) || digitsOf(text) !== digitsOf(`${number}`);
}

/** Returns the digits of a number without zeros at either end. */
function digitsOf(text: string): string {
  const digits = text
    .replace(/e.*/i, '')
    .replace(/^[-0.]+/, '')
    .replace('.', '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** Returns the tag of a value, such as `Array` or `Date`. It also works for values of another realm, such as a frame. */
export const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Returns the name of a value's type, without its content: `null`, `array`, `date`. */
export const typeName = (value: unknown): string =>
  Number.isNaN(value) ? 'NaN' : tagOf(value).toLowerCase();

/** Returns a string, number or boolean as a literal, and the type name of any other value. */
export function literalOrType(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  return ['number', 'boolean'].includes(typeof value) ? String(value) : typeName(value);
}

/** Returns `true` for a finite number, except an integer that a number may have rounded. */
export const isExact = (value: unknown): value is number =>
  Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isDate = (value: unknown): value is Date => tagOf(value) === 'Date';

/** Returns `true` for an object whose content is its properties, unlike an array, map or promise. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  ['Object', 'Module'].includes(tagOf(value));

/**
 * Returns the first part of a value that JSON would silently drop or change: `NaN`, a `Map`, a rounded integer. With
 * `convertsByToJson`, objects with a `toJSON`, such as a `Date`, are accepted.
 */
export function jsonIssue(value: unknown, whole = '', convertsByToJson = false): Issue | undefined {
  const paths = new Map<unknown, string>();
  // Returned for a value that contains itself, or whose `toJSON` throws.
  let issue: Issue = { path: whole, expected: 'JSON-serializable', received: typeName(value) };
  try {
    JSON.stringify(value, function (this: Record<string, unknown>, key, serialized: unknown) {
      const outer = paths.get(this);
      const path = outer ? `${outer}.${key}` : key || whole;
      paths.set(serialized, path);
      const isUnchanged = convertsByToJson || serialized === this[key];
      if (isUnchanged && canBeJson(serialized, this[key], Array.isArray(this))) return serialized;
      issue = { ...issue, path, received: typeName(this[key]) };
      throw new TypeError();
    });
    return undefined;
  } catch {
    return issue;
  }
}

/** Returns `true` if JSON represents the value. It does not for an invalid `Date`, or `undefined` in an array. */
function canBeJson(serialized: unknown, member: unknown, inArray: boolean): boolean {
  if (serialized === null) return member === null;
  if (serialized === undefined) return !inArray;
  if (typeof serialized === 'object') return Array.isArray(serialized) || isPlainObject(serialized);
  return ['string', 'boolean'].includes(typeof serialized) || isExact(serialized);
}
