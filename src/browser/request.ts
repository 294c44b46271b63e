import { invalidRequest } from '../core/invalid-request.ts';
import { isPlainObject, typeName } from '../core/json.ts';
import type { Issue } from '../errors.ts';
import type { WireCall } from '../protocol.ts';
import type { OperationName } from '../resources/operations.ts';

/** Levels of an input that are looked into; none of the service's has more than two. */
const deepest = 8;

/**
 * The body that asks the proxy for an operation. The proxy checks the input; here it is only seen to that JSON carries
 * it whole, as the proxy cannot tell that something was lost on the way. A `Date` travels as Unix seconds.
 */
export function requestBody(operation: OperationName, input: unknown): string {
  const issues = lost(input, '', 0);
  if (issues.length > 0) throw invalidRequest(operation, issues);
  const call: WireCall = { operation, input };
  return JSON.stringify(call, function (this: Readonly<Record<string, unknown>>, key, value: unknown) {
    const given = this[key];
    return given instanceof Date ? Math.floor(given.getTime() / 1000) : value;
  });
}

/** The places of a value that JSON would drop or change. */
function lost(value: unknown, path: string, depth: number): readonly Issue[] {
  if (depth > deepest) return [{ path, expected: 'less deeply nested', received: typeName(value) }];
  if (Array.isArray(value)) return value.flatMap((item, index) => lost(item, `${path}[${index}]`, depth + 1));
  if (isPlainObject(value))
    return Object.entries(value).flatMap(([key, item]) =>
      lost(item, path ? `${path}.${key}` : key, depth + 1),
    );
  return held(value) ? [] : [{ path, expected: 'what JSON can hold', received: typeName(value) }];
}

function held(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  return value === null || ['string', 'boolean', 'undefined'].includes(typeof value);
}
