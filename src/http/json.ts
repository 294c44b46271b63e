/** In JSON: texts, which are passed over, and numbers of 16 characters or more. */
const textOrLongNumber = /"(?:[^"\\]|\\.)*"?|[-+.\dEe]{16,}/gs;

/**
 * Reads JSON in which integers that a number would round come out as the text of their digits. A reviver that looks at
 * the source of each number would take seconds for a body of 10 MB.
 */
export function parseExact(text: string): unknown {
  const rounded: unknown = JSON.parse(text);
  const exact = text.replace(textOrLongNumber, token => (isRounded(token) ? `"${token}"` : token));
  return exact === text ? rounded : JSON.parse(exact);
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

/** An object of no class, also of another realm: not a `Map`, whose entries would be lost. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
