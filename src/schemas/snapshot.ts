import { isObject, isPlainObject } from '../http/json.ts';

/** Levels of an input that are copied: the fields, their lists and maps, and the values in those. */
const levels = 2;

/** Most entries of a list or map: a sparse array can claim billions without holding any. */
const maxEntries = 1_000_000;

/**
 * Stands in for the key `__proto__` while zod reads an input, because zod leaves that key out of every output. It
 * cannot be typed by accident.
 */
const protoStandIn = '\0__proto__';

/**
 * Copies what a caller passed, so that each member is read once and nothing can change afterwards. Members that are
 * `undefined` are left out. Throws what a getter or a proxy throws.
 */
export function snapshot(input: unknown): unknown {
  if (!isObject(input)) return input;
  const fields = copyMembers(input, levels);
  for (const name of Object.keys(fields)) if (fields[name] === undefined) delete fields[name];
  return fields;
}

function copy(value: unknown, depth: number): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return Array.from(bounded(value), item => copy(item, depth - 1));
  return isPlainObject(value) ? copyMembers(value, depth) : value;
}

function copyMembers(value: object, depth: number): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const key of bounded(Object.keys(value))) {
    const name = key === '__proto__' ? protoStandIn : key;
    members[name] = copy((value as Record<string, unknown>)[key], depth - 1);
  }
  return members;
}

function bounded<T extends { readonly length: number }>(list: T): T {
  if (list.length > maxEntries) throw new RangeError('too many entries');
  return list;
}

/** Returns the key that the caller wrote. */
export const originalKey = <Key extends PropertyKey>(key: Key): Key | '__proto__' =>
  key === protoStandIn ? '__proto__' : key;

/** Gives maps with a key `__proto__` that key back, as an own member. Changes the value in place. */
export function restoreKeys(value: unknown): void {
  if (!isPlainObject(value)) return;
  for (const item of Object.values(value)) restoreKeys(item);
  if (!Object.hasOwn(value, protoStandIn)) return;
  const entries = Object.entries(value).map(([key, item]) => [originalKey(key), item] as const);
  // Defined in their order, because an assignment to `__proto__` would set the prototype.
  for (const key of Object.keys(value)) delete value[key];
  for (const [key, item] of entries)
    Object.defineProperty(value, key, { value: item, configurable: true, enumerable: true, writable: true });
}
