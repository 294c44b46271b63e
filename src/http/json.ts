import type { Issue } from '../errors.ts';

/** In JSON outside of texts: numbers of 16 characters or more. */
const longNumber = /[-+.\dEe]{16,}/g;

/** Length of the shortest part of a JSON text that can hold a long number. */
const shortestLength = 16;

/**
 * Reads JSON in which integers that a number would round come out as the text of their digits. A reviver that looks at
 * the source of each number would take seconds for a body of 10 MB.
 */
export function parseExact(text: string): unknown {
  const rounded: unknown = JSON.parse(text);
  let exact = '';
  let copied = 0;
  // Goes from text to text, and looks for numbers between them.
  for (let start = 0; start < text.length; ) {
    const quote = text.indexOf('"', start);
    const end = quote < 0 ? text.length : quote;
    if (end - start >= shortestLength) {
      const part = text.slice(start, end);
      const changed = part.replace(longNumber, number => (isRounded(number) ? `"${number}"` : number));
      if (changed !== part) {
        exact += text.slice(copied, start) + changed;
        copied = end;
      }
    }
    start = quote < 0 ? text.length : endOfText(text, quote);
  }
  return copied === 0 ? rounded : JSON.parse(exact + text.slice(copied));
}

/** Returns the place after the text that begins at `quote`. */
function endOfText(json: string, quote: number): number {
  let end = json.indexOf('"', quote + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

/** Returns `true` if an odd number of backslashes stands before a place. */
function isEscaped(json: string, place: number): boolean {
  let first = place;
  while (json[first - 1] === '\\') first -= 1;
  return (place - first) % 2 === 1;
}

const isRounded = (token: string): boolean => /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));

/** Returns the name of a value's type, which says nothing of its content. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns `true` for what JSON calls an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns `true` for a `Date`, even one of another realm, such as a frame or a test environment. */
export const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]';

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

/**
 * Writes a value as JSON, unless JSON would drop or change a part of it unseen: a function, a `Map`, `NaN`, or
 * `undefined` in an array. Never throws.
 */
export function toJsonText(value: unknown, path: string): JsonText {
  let received = typeName(value);
  try {
    const text = JSON.stringify(value, function (this: Record<string, unknown>, name, member: unknown) {
      if (canBeJson(this, name, member)) return member;
      received = `${typeName(this[name])}${name && ` as ${name}`}`;
      throw new TypeError();
    });
    return { ok: true, text };
  } catch {
    return { ok: false, issue: { path, expected: 'what JSON can hold', received } };
  }
}

/** `member` is what `toJSON` made of the value under a name: an invalid `Date` becomes `null`. */
function canBeJson(parent: Record<string, unknown>, name: string, member: unknown): boolean {
  if (member === null) return parent[name] === null;
  if (member === undefined) return !Array.isArray(parent);
  if (typeof member === 'object') return Array.isArray(member) || isPlainObject(member);
  return ['string', 'boolean'].includes(typeof member) || Number.isFinite(member);
}
