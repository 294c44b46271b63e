import * as z from 'zod/mini';
import { maxIssues } from '../http/issue-text.ts';
import { type Mismatch, toMismatch } from './issues.ts';

/** Result of one schema: the value, or what is wrong with it. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly mismatches: readonly Mismatch[] };

/**
 * Parses a value with a schema. Never throws: a value that cannot be read, or has too many mistakes to list, is a mismatch
 * as a whole.
 */
export function parseValue<T>(schema: z.ZodMiniType<T>, value: unknown): Checked<T> {
  try {
    const result = z.safeParse(schema, value);
    if (result.success) return { ok: true, value: result.data };
    return { ok: false, mismatches: result.error.issues.slice(0, maxIssues).map(toMismatch) };
  } catch {
    return { ok: false, mismatches: [{ path: [], expected: 'readable, with fewer mistakes' }] };
  }
}
