import { invalidRequest } from '../core/issues.ts';
import { isPlainObject, typeName } from '../core/json.ts';

/** Throws the error of an input that JSON would change unseen: `NaN` to `null`, a `Map` to `{}`. It names the field. */
export function checkJson(operation: string, input: unknown): void {
  const paths = new Map<unknown, string>();
  let issue = { path: '', expected: 'JSON-serializable', received: typeName(input) };
  try {
    JSON.stringify(input, function (this: Record<string, unknown>, name, value: unknown) {
      const outer = paths.get(this);
      const inList = Array.isArray(this);
      // An issue of an item names its list.
      const path = outer ? outer + (inList ? '' : `.${name}`) : name;
      paths.set(value, path);
      if (isKept(value, this[name], inList)) return value;
      issue = { ...issue, path, received: typeName(this[name]) };
      throw issue;
    });
  } catch {
    // Also of an object that contains itself.
    throw invalidRequest(operation, [issue]);
  }
}

/** Returns `true` for a value that JSON holds as it is. `given` was one before its `toJSON`: a `Date` that is invalid is none. */
const isKept = (value: unknown, given: unknown, inList: boolean): boolean =>
  value === null
    ? given === null
    : isPlainObject(value) ||
      Array.isArray(value) ||
      Number.isFinite(value) ||
      ['string', 'boolean', !inList && 'undefined'].includes(typeof value);
