import * as z from 'zod/mini';
import { typeName } from '../core/json.ts';
import type { Issue } from '../errors.ts';

/** An {@link Issue} with the field of the record or input that it is in; absent when it is the whole. */
export interface Judgement extends Issue {
  readonly field: string | undefined;
}

/** What a schema finds wrong with a value, in the words of this library; `at` is where the value stands. */
export function judge(schema: z.ZodMiniType, value: unknown, at = ''): readonly Judgement[] {
  const result = z.safeParse(schema, value);
  if (result.success) return [];
  return result.error.issues.flatMap(issue => {
    const places =
      issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [issue.path];
    const expected = issue.code === 'unrecognized_keys' ? 'absent: there is no such field' : issue.message;
    return places.map(place => ({
      path: pathText(at, place),
      expected,
      received: typeName(valueAt(value, place)),
      field: place.length === 0 ? undefined : String(place[0]),
    }));
  });
}

/** What is told of a judgement. */
export const toIssue = ({ path, expected, received }: Judgement): Issue => ({ path, expected, received });

/** A path as it is written in code: `[3].customFields.age`. */
function pathText(at: string, path: readonly PropertyKey[]): string {
  const parts = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return (at + parts.join('')).replace(/^\./, '');
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
