import type * as z from 'zod/mini';
import type { Issue } from '../errors.ts';
import { maxIssues } from '../http/issue-text.ts';

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
