import type { Issue } from '../errors.ts';
import { isPlainObject, typeName } from './json.ts';

/** A value as JSON text, which is absent for `undefined`, or where JSON cannot hold it. */
export type JsonText =
  | { readonly ok: true; readonly text: string | undefined }
  | { readonly ok: false; readonly issue: Issue };

/** Writes a value as JSON, unless JSON would drop or change a part of it unseen. Never throws. */
export function toJsonText(value: unknown, name: string): JsonText {
  try {
    const issue = value === undefined ? undefined : lossIn(value, name);
    return issue ? { ok: false, issue } : { ok: true, text: JSON.stringify(value) };
  } catch {
    const issue = { path: name, expected: 'readable, without cycles', received: typeName(value) };
    return { ok: false, issue };
  }
}

/** Returns where a value holds what JSON cannot: a function, a `Map`, `NaN`, or `undefined` in an array. */
function lossIn(value: unknown, path: string): Issue | undefined {
  if (value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value))
    return undefined;
  const { toJSON } = (value ?? {}) as { readonly toJSON?: unknown };
  const json: unknown = typeof toJSON === 'function' ? toJSON.call(value) : undefined;
  // An invalid `Date` becomes `null`.
  if (json !== undefined && json !== null) return lossIn(json, path);
  const isArray = Array.isArray(value);
  if (json === null || !(isArray || isPlainObject(value)))
    return { path, expected: 'what JSON can hold', received: typeName(value) };
  for (const [key, item] of isArray ? value.entries() : Object.entries(value)) {
    const place = isArray ? `${path}[${key}]` : `${path && `${path}.`}${key}`;
    const issue = isArray || item !== undefined ? lossIn(item, place) : undefined;
    if (issue) return issue;
  }
  return undefined;
}
