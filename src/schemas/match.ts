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

/** Returns `true` if a schema accepts a value of parsed JSON and leaves it as it is. */
export type Matches = (value: unknown) => boolean;

/** Requirements of a schema, as far as they can be tested without zod. */
type Rule =
  | { readonly type: 'string'; readonly nonEmpty: boolean }
  | { readonly type: 'integer' }
  | { readonly type: 'boolean' }
  | { readonly type: 'undefined' }
  | { readonly type: 'either'; readonly first: Rule; readonly second: Rule }
  | { readonly type: 'array'; readonly item: Rule }
  | { readonly type: 'map'; readonly item: Rule }
  | { readonly type: 'object'; readonly fields: readonly (readonly [name: string, rule: Rule])[] }
  | { readonly type: 'zod'; readonly schema: z.core.$ZodType };

/**
 * Derives a quick check from a schema. For a page of records it costs a fraction of parsing, because it copies nothing.
 * A type or a check that it does not know is left to zod itself.
 */
export function matcher(schema: z.core.$ZodType): Matches {
  const rule = ruleOf(schema);
  return value => matches(rule, value);
}

function ruleOf(schema: z.core.$ZodType): Rule {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const checks = def.checks ?? [];
  const byZod: Rule = { type: 'zod', schema };
  if (def.type === 'string' && !('format' in def) && checks.every(isNonEmpty))
    return { type: 'string', nonEmpty: checks.length > 0 };
  if (checks.length > 0) return byZod;
  if ('format' in def && def.format === 'safeint') return { type: 'integer' };
  if (def.type === 'boolean') return { type: 'boolean' };
  if (def.type === 'optional')
    return { type: 'either', first: { type: 'undefined' }, second: ruleOf(def.innerType) };
  if (def.type === 'union' && def.options[0])
    return { type: 'either', first: ruleOf(def.options[0]), second: byZod };
  if (def.type === 'array') return { type: 'array', item: ruleOf(def.element) };
  if (def.type === 'record') return { type: 'map', item: ruleOf(def.valueType) };
  if (def.type !== 'object') return byZod;
  const fields = Object.entries(def.shape).map(([name, field]) => [name, ruleOf(field)] as const);
  return { type: 'object', fields };
}

const isNonEmpty = ({ _zod }: z.core.$ZodCheck) => {
  const def = _zod.def as z.core.$ZodCheckMinLengthDef;
  return def.check === 'min_length' && def.minimum === 1;
};

function matches(rule: Rule, value: unknown): boolean {
  if (rule.type === 'string') return typeof value === 'string' && !(rule.nonEmpty && value === '');
  if (rule.type === 'integer') return Number.isSafeInteger(value);
  if (rule.type === 'boolean' || rule.type === 'undefined') return typeof value === rule.type;
  if (rule.type === 'either') return matches(rule.first, value) || matches(rule.second, value);
  if (rule.type === 'zod') {
    const result = z.safeParse(rule.schema, value);
    return result.success && Object.is(result.data, value);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== (rule.type === 'array'))
    return false;
  const record = value as Readonly<Record<string, unknown>>;
  if (rule.type === 'object') {
    for (const [name, field] of rule.fields) if (!matches(field, record[name])) return false;
  } else if (rule.type === 'array') {
    for (const item of value as readonly unknown[]) if (!matches(rule.item, item)) return false;
  } else {
    // zod passes over a key `__proto__`.
    for (const key in value) if (!matches(rule.item, record[key]) && key !== '__proto__') return false;
  }
  return true;
}
