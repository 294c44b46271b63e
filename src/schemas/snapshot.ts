import { isPlainObject } from '../core/json.ts';

/** Levels of an input that are copied: the fields, their lists and maps, and the values in those. */
const levels = 2;

/** Most entries of a list or map: a sparse array can claim billions without holding any. */
const maxEntries = 1_000_000;

/**
 * Stands in for the key `__proto__` while zod reads an input, because zod leaves that key out of every output. It
 * cannot be typed by accident.
 */
const protoStandIn = '\0__proto__';

/** Thrown when an input cannot be copied. */
export class UnreadableInput extends Error {
  override readonly name = 'UnreadableInput';
}

/**
 * Copies what a caller passed, so that each member is read once and nothing can change afterwards. Members that are
 * `undefined` are left out. Throws what a getter or a proxy throws.
 */
export function snapshot(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const fields = copy(input, levels) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function copy(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return depth > 0 ? copyArray(value, depth) : value;
  if (depth < levels && !isPlainObject(value)) return value;
  if (depth === 0) return value;
  const keys = bounded(Object.keys(value as object));
  const entries = keys.map(key => [
    key === '__proto__' ? protoStandIn : key,
    copy((value as Record<string, unknown>)[key], depth - 1),
  ]);
  return Object.fromEntries(entries);
}

const copyArray = (list: readonly unknown[], depth: number): unknown[] =>
  Array.from(bounded(list), item => copy(item, depth - 1));

function bounded<T extends { readonly length: number }>(list: T): T {
  if (list.length > maxEntries) throw new UnreadableInput('too many entries');
  return list;
}

/** Returns the key that the caller wrote. */
export const originalKey = <Key extends PropertyKey>(key: Key): Key | '__proto__' =>
  key === protoStandIn ? '__proto__' : key;

/** Gives maps with a key `__proto__` that key back, as an own member. */
export function restoreKeys(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  // `Object.fromEntries` defines members; an assignment to `__proto__` would set the prototype.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [originalKey(key), restoreKeys(item)]),
  );
}
