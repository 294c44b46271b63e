import type { Issue } from '../errors.ts';

/** Returns the value of JSON, or `undefined`, which JSON cannot hold, if the text is not JSON. */
export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Numbers that can be too long to be exact, in JSON outside of texts. */
const longNumber = /[-+.\dEe]{16,}/g;

/** Reads JSON; integers that a number would round become text. A reviver would take seconds for 10 MB. */
export function parseExact(text: string): unknown {
  // Throws for numbers in places where only a text may be.
  JSON.parse(text);
  let isText = false;
  const parts = text.split('"').map(part => {
    const exact = isText ? part : part.replace(longNumber, withQuotes);
    isText = !isText || endsInEscape(part);
    return exact;
  });
  return JSON.parse(parts.join('"'));
}

/** Returns `true` if an odd number of backslashes ends a part of a text: the quote after it belongs to the text. */
function endsInEscape(part: string): boolean {
  let end = part.length;
  while (part[end - 1] === '\\') end -= 1;
  return (part.length - end) % 2 === 1;
}

const withQuotes = (number: string): string =>
  /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number)) ? `"${number}"` : number;

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

/** Returns `true` for an object of no class, even one of another realm: not for a `Map`, whose entries would be lost. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A value as JSON text, which is absent for `undefined`, or what JSON cannot hold. */
export type JsonText =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly issue: Issue };

/** Writes a value as JSON, unless a part would be dropped or changed unseen: a `Map`, `NaN`, a rounded integer. */
export function toJsonText(value: unknown, path: string): JsonText {
  let received = typeName(value);
  try {
    const text = JSON.stringify(value, function (this: Record<string, unknown>, name, member: unknown) {
      const original = this[name];
      if (canBeJson(member, original, Array.isArray(this))) return member;
      received = `${typeName(original)}${name && ` as ${name}`}`;
      throw new TypeError();
    });
    return { ok: true, text };
  } catch {
    return { ok: false, issue: { path, expected: 'JSON-serializable', received } };
  }
}

/** `member` is what `toJSON` made of the original: an invalid `Date` becomes `null`. An array holds no `undefined`. */
function canBeJson(member: unknown, original: unknown, inArray: boolean): boolean {
  if (member === null) return original === null;
  if (member === undefined) return !inArray;
  if (typeof member === 'object') return Array.isArray(member) || isPlainObject(member);
  return ['string', 'boolean'].includes(typeof member) || isExact(member);
}
