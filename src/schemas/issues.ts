import type * as z from 'zod/mini';
import type { Issue } from '../errors.ts';

/** Most issues that are reported of one input or response. */
export const maxIssues = 100;

/** Longest text of a path or a value that is shown, in characters. */
const maxShown = 50;

/** Mismatch of one field: its place, and what was expected. */
export interface Mismatch {
  readonly path: readonly PropertyKey[];
  readonly expected: string;
  /** Fields that do not exist, for an object that accepts no others. */
  readonly unknownFields?: readonly string[];
}

/** Keeps the first issue of each path: several checks can fail for one value. */
export function firstOfEachPath(issues: readonly Issue[]): readonly Issue[] {
  if (issues.length < 2) return issues;
  const byPath = new Map<string, Issue>();
  for (const issue of issues) if (!byPath.has(issue.path)) byPath.set(issue.path, issue);
  return [...byPath.values()].slice(0, maxIssues);
}

/** Converts an issue of zod. */
export const toMismatch = (issue: z.core.$ZodIssue): Mismatch => ({
  path: issue.path,
  expected: issue.message,
  ...(issue.code === 'unrecognized_keys' && { unknownFields: issue.keys }),
});

/** Writes a path as code has it: `[3].customFields.age`. Long keys are cut. */
export function pathText(path: readonly PropertyKey[]): string {
  const parts = path.map(key => (typeof key === 'number' ? `[${key}]` : `.${cut(String(key))}`));
  return parts.join('').replace(/^\./, '');
}

/** Cuts a text to what is shown of it. */
export const cut = (text: string): string =>
  text.length > maxShown ? `${[...text.slice(0, 2 * maxShown)].slice(0, maxShown).join('')}…` : text;

/** Returns what stands at a path, or `undefined` where the path ends early. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
}
