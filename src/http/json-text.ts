import type { Issue } from '../errors.ts';
import { isPlainObject, typeName } from './json.ts';

/** A value as JSON text, or where JSON cannot hold it. `text` is absent for `undefined`. */
export type JsonText =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly issue: Issue };

/**
 * Writes a value as JSON. What `JSON.stringify` would drop or change unseen is an issue: a function, a `Map`, `NaN`, or
 * `undefined` in an array. Never throws.
 */
export function toJsonText(value: unknown, name: string): JsonText {
  const paths = new Map<unknown, string>();
  let issue: Issue = { path: name, expected: 'readable, without cycles', received: typeName(value) };
  try {
    const text = JSON.stringify(value, function (this: unknown, key: string, item: unknown) {
      const parent = paths.get(this);
      const path = parent === undefined ? name : pathOf(parent, key, Array.isArray(this));
      if (isWritable(item, this, key)) {
        if (typeof item === 'object') paths.set(item, path);
        return item;
      }
      issue = { path, expected: 'what JSON can hold', received: typeName(item) };
      throw new TypeError();
    });
    return { ok: true, text };
  } catch {
    return { ok: false, issue };
  }
}

function pathOf(parent: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${parent}[${key}]`;
  return parent ? `${parent}.${key}` : key;
}

/** Returns `true` if JSON holds a member whole. `item` is what its `toJSON` returned, if it has one. */
function isWritable(item: unknown, holder: unknown, key: string): boolean {
  switch (typeof item) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(item);
    case 'undefined':
      return !Array.isArray(holder);
    case 'object':
      // A `Date` that is none becomes `null`.
      if (item === null) return (holder as Readonly<Record<string, unknown>>)[key] === null;
      return Array.isArray(item) || isPlainObject(item);
    default:
      return false;
  }
}
