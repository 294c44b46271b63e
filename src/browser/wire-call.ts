import type { Issue } from '../errors.ts';
import type { InputResult } from '../http/call/operation.ts';
import { isPlainObject, typeName } from '../http/json.ts';
import type { WireCall } from '../protocol.ts';

/** Levels of an input that are looked into; none of the service's has more than two. */
const maxDepth = 8;

/** Most issues that are reported. */
const maxIssues = 100;

/**
 * Creates the body of a request to the handler. The handler validates the input; this function only checks that JSON
 * carries it whole, as the handler cannot see what was lost on the way. A `Date` travels as Unix seconds.
 */
export function toWireCall(operation: string, input: unknown): InputResult {
  const issues: Issue[] = [];
  try {
    const call: WireCall = { operation, input: toJson(input, '', 0, issues) };
    return issues.length > 0 ? { ok: false, issues } : { ok: true, value: call };
  } catch {
    return { ok: false, issues: [{ path: '', expected: 'an input that can be read', received: 'another' }] };
  }
}

/** Copies a value as JSON can hold it, and adds an issue for each place where it cannot. */
function toJson(value: unknown, path: string, depth: number, issues: Issue[]): unknown {
  const issue = (expected: string) => {
    if (issues.length < maxIssues) issues.push({ path, expected, received: typeName(value) });
  };
  if (depth > maxDepth) return issue('less deeply nested');
  if (Array.isArray(value))
    return value.map((item, index) => toJson(item, `${path}[${index}]`, depth + 1, issues));
  if (value instanceof Date && !Number.isNaN(value.getTime())) return Math.floor(value.getTime() / 1000);
  if (isPlainObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        toJson(item, path ? `${path}.${key}` : key, depth + 1, issues),
      ]),
    );
  return isCarried(value) ? value : issue('what JSON can hold');
}

const isCarried = (value: unknown) =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : value === null || ['string', 'boolean', 'undefined'].includes(typeof value);
