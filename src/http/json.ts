/** A reviver's third argument, which older type libraries do not know. */
interface SourceContext {
  readonly source?: string;
}

/**
 * Reads JSON in which integers that a number would round come out as the text of their digits. A runtime that passes no
 * source to a reviver rounds them.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context?: SourceContext) => {
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    const source = String(context?.source);
    return /^-?\d+$/.test(source) ? source : value;
  });
}

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
