import * as z from 'zod/mini';
import { maxIssues, pathText, valueAt } from '../core/issues.ts';
import { isObject, typeName } from '../core/json.ts';
import type { Issue } from '../error-details.ts';

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

/** How strictly responses are compared with the documentation. */
export type Validation = 'report' | 'strict';

/** Stops at the first mismatch of a value, because a list can have millions. */
export const firstIssue: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** Differences between one response and its documentation, collected while parsing. */
export interface Mismatches {
  readonly validation: Validation;
  /** Mismatches that make the response unusable, by path. */
  readonly issues: Map<string, Issue>;
  /** Other mismatches, by path of the field, once for all records. */
  readonly drift: Map<string, Issue>;
}

/**
 * Parses a value: fills in missing fields of a record, lets zod parse each field that differs, and keeps what zod
 * rejects.
 */
export function parseLeniently(schema: Schema, value: unknown, path: Path, found: Mismatches): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return parseLeniently(def.innerType, value, path, found);
  if (def.type === 'pipe') {
    // If a secret is not a string, the input side reports it, and the output side still wraps it.
    const converted = parseLeniently(def.in, value, path, found);
    return parseLeniently(def.out, converted, path, found);
  }
  if (isRecord(def) && isObject(value)) return parseRecord(schema, def.shape, value, path, found);
  if (def.type === 'object' && def.catchall && isObject(value)) {
    const isUnchanged = quickCheck(def.catchall);
    const changed = Object.entries(value).filter(([, member]) => !isUnchanged(member));
    for (const [name, member] of changed) parseLeniently(def.catchall, member, [...path, name], found);
    // If no field differs, the keys do.
    if (changed.length === 0) report(schema, value, path, found);
    return value;
  }
  const parsed = z.safeParse(schema, value, firstIssue);
  if (parsed.success) return parsed.data;
  report(schema, value, path, found);
  return value;
}

function report(schema: Schema, value: unknown, path: Path, { validation, issues, drift }: Mismatches): void {
  // A result is unusable if it is not a record or page, or if a record has no id.
  const isWholeRecord = path.every(key => typeof key === 'number');
  const isRequired = isWholeRecord || schema._zod.def.type === 'nonoptional';
  const found = isRequired || validation === 'strict' ? issues : drift;
  const placeOf = (keys: Path) => {
    const exact = pathText(keys);
    return found === drift ? exact.replaceAll(/\[\d+\]/g, '[]') : exact;
  };
  const field = placeOf(path);
  // Creating an error of zod is slow, so records that differ in the same way share one.
  if (found.size >= maxIssues || found.has(field) || found.has(`${field}[]`)) return;
  for (const { path: inner, message } of z.safeParse(schema, value, firstIssue).error?.issues ?? []) {
    const place = placeOf([...path, ...inner]);
    found.set(place, { path: place, expected: message, received: typeName(valueAt(value, inner)) });
  }
}

function parseRecord(
  schema: Schema,
  shape: z.core.$ZodShape,
  value: Record<string, unknown>,
  path: Path,
  found: Mismatches,
): unknown {
  const { fields, fill } = recordPlan(schema, shape);
  // `strict` fills in nothing, so that every mismatch is found.
  const record = found.validation === 'strict' ? value : fill(value);
  for (const { name, field, isUnchanged } of fields) {
    const member = record[name];
    if (!isUnchanged(member)) record[name] = parseLeniently(field, member, [...path, name], found);
  }
  return record;
}

/** Parsing plans by schema, each made once. */
const plans = new WeakMap<Schema, ReturnType<typeof makePlan>>();

function recordPlan(schema: Schema, shape: z.core.$ZodShape) {
  const plan = plans.get(schema) ?? makePlan(shape);
  plans.set(schema, plan);
  return plan;
}

const makePlan = (shape: z.core.$ZodShape) => ({
  fill: filler(shape),
  fields: Object.entries(shape).map(([name, field]) => ({
    name,
    field,
    isUnchanged: quickCheck(field),
  })),
});

const isRecord = (def: z.core.$ZodTypes['_zod']['def']): def is z.core.$ZodObjectDef =>
  def.type === 'object' && Object.keys(def.shape).length > 0;

/** Returns a function that fills in missing fields with empty values. */
function filler(shape: z.core.$ZodShape) {
  const empties = Object.entries(shape).map(([name, field]) => [name, emptyOf(field)] as const);
  const shared = Object.fromEntries(empties);
  return (value: Record<string, unknown>): Record<string, unknown> => {
    if (empties.every(([name]) => value[name] !== undefined && value[name] !== null)) return value;
    // In one step, because adding fields one by one is slow.
    const record: Record<string, unknown> = { ...shared, ...value };
    for (const [name, empty] of empties) {
      if (record[name] === null) record[name] = empty;
      // Each record gets its own lists and maps. A `null` field without an empty value is left out.
      if (typeof empty === 'object' && record[name] === empty) record[name] = Array.isArray(empty) ? [] : {};
      if (record[name] === undefined) delete record[name];
    }
    return record;
  };
}

/** Values for missing fields. The first that the schema of the field accepts is filled in. */
const emptyValues: readonly unknown[] = [undefined, '', 0, false, [], {}, 'success'];

const emptyOf = (field: Schema): unknown =>
  isRecord((field as z.core.$ZodTypes)._zod.def)
    ? {}
    : emptyValues.find(value => z.safeParse(field, value).success);

/** Returns `true` for a value that zod would accept and return unchanged. */
type QuickCheck = (value: unknown) => boolean;

/**
 * Derives a check that is several times as fast as zod on a documented page. Schemas that it does not know are left to
 * zod.
 */
export function quickCheck(schema: z.core.$ZodType): QuickCheck {
  const checks = schema._zod.def.checks ?? [];
  return checks.map(quickCheckOf).reduce(both, quickCheckOfType(schema));
}

const both =
  (first: QuickCheck, second: QuickCheck): QuickCheck =>
  value =>
    first(value) && second(value);

function quickCheckOf({ _zod: { def, check } }: z.core.$ZodCheck<never>): QuickCheck {
  if ('pattern' in def) return value => (def.pattern as RegExp).test(value as string);
  return 'test' in check ? (check.test as QuickCheck) : () => false;
}

function quickCheckOfType(schema: z.core.$ZodType): QuickCheck {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('format' in def) return staysByZod(schema);
  if (def.type === 'string') return value => typeof value === 'string';
  if (def.type === 'boolean') return value => typeof value === 'boolean';
  if (def.type === 'number') return Number.isFinite;
  if (def.type === 'optional' || def.type === 'nonoptional') {
    const inner = quickCheck(def.innerType);
    return value => (value === undefined ? def.type === 'optional' : inner(value));
  }
  if (def.type === 'array') {
    const item = quickCheck(def.element);
    return value => Array.isArray(value) && value.every(item);
  }
  if (def.type === 'transform') return value => def.transform(value, { value, issues: [] }) === value;
  if (def.type === 'pipe') return both(quickCheck(def.in), quickCheck(def.out));
  return def.type === 'object' ? quickCheckOfObject(def) : staysByZod(schema);
}

/** Objects and missing values usually change, so zod is not asked. */
function staysByZod(schema: z.core.$ZodType): QuickCheck {
  return value => value !== undefined && z.safeParse(schema, value).data === value;
}

function quickCheckOfObject({ shape, catchall }: z.core.$ZodObjectDef): QuickCheck {
  // A loose object accepts any other field; a map checks all its values.
  if (catchall && catchall._zod.def.type !== 'unknown') {
    const item = quickCheck(catchall);
    return value => isObject(value) && Object.keys(value).every(key => item(value[key]));
  }
  const fields = Object.entries(shape).map(([name, field]) => ({ name, isValid: quickCheck(field) }));
  return value => isObject(value) && fields.every(({ name, isValid }) => isValid(value[name]));
}
