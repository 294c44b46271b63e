/** Returns the value of JSON, or `undefined`, which JSON cannot hold, if the text is not JSON. */
export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** A number of 16 digits, as 2 ** 53 has. Written out, it is found several times as fast as `{15}`. */
const longNumber =
  /(?:^|[:,[\s-])\d[\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.][\d.]/;

/** The end of a number that can be too large or too small. */
const largeExponent = /\d[eE][-+]?\d\d\d+(?:[,}\]\s]|$)/;

/** What matters of valid JSON: escaped characters and quotes, by which strings end, and numbers that can be rounded. */
const tokens = /\\.|"|-?\d[-+.\dEe]{3,}/g;

/** Reads JSON; numbers that JavaScript would round become text. A reviver would take seconds for 10 MB. */
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

/** Returns `true` for a number that JavaScript prints with other digits, and for an integer from 2 ** 53 on: an id stays text. */
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

/** Returns the tag that the language gives to values of a type, even to those of another realm, such as a frame. */
export const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Returns the name of a value's type, which says nothing of its content: `null`, `array`, `date`. */
export const typeName = (value: unknown): string =>
  Number.isNaN(value) ? 'NaN' : tagOf(value).toLowerCase();

/** Returns a text, a number or a truth value as code has it, and the type of anything else. */
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

/** Returns `true` for an object by its members. The content of an array, a map or a promise would be ignored. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  ['Object', 'Module'].includes(tagOf(value));

/**
 * Returns `true` for a value that JSON holds as it is. `member` is what `toJSON` made of the original: an invalid `Date` becomes
 * `null`. An array holds no `undefined`.
 */
export function canBeJson(member: unknown, original: unknown, inArray: boolean): boolean {
  if (member === null) return original === null;
  if (member === undefined) return !inArray;
  if (typeof member === 'object') return Array.isArray(member) || isPlainObject(member);
  return ['string', 'boolean'].includes(typeof member) || isExact(member);
}
