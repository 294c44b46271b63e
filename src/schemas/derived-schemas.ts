import * as z from 'zod/mini';
import { maxIssues, pathText, valueAt } from '../core/issues.ts';
import { isObject, typeName } from '../core/json.ts';
import type { Issue } from '../error-details.ts';

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

/** Strictness with which a response is compared with what is documented. */
export type Validation = 'report' | 'strict';

/** Ends at the first mismatch of a value: a list can have millions. */
export const firstIssue: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** How one response differs from what is documented, as it is found. */
export interface Mismatches {
  readonly validation: Validation;
  /** Mismatches that make the response unusable, by path. */
  readonly issues: Map<string, Issue>;
  /** Other mismatches, by path of the field across all records. */
  readonly drift: Map<string, Issue>;
}

/** Parses a value: fills in what a record lacks, has zod parse each field that differs, and keeps what zod refuses. */
export function parseLeniently(schema: Schema, value: unknown, path: Path, found: Mismatches): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return parseLeniently(def.innerType, value, path, found);
  if (def.type === 'pipe') {
    // A secret of another type than text is reported by the first half, and made a secret by the second.
    const converted = parseLeniently(def.in, value, path, found);
    return parseLeniently(def.out, converted, path, found);
  }
  if (isRecord(def) && isObject(value)) return parseRecord(schema, def.shape, value, path, found);
  if (def.type === 'object' && def.catchall && isObject(value)) {
    const isUnchanged = quickCheck(def.catchall);
    const changed = Object.entries(value).filter(([, member]) => !isUnchanged(member));
    for (const [name, member] of changed) parseLeniently(def.catchall, member, [...path, name], found);
    // Then the keys differ.
    if (changed.length === 0) report(schema, value, path, found);
    return value;
  }
  const parsed = z.safeParse(schema, value, firstIssue);
  if (parsed.success) return parsed.data;
  report(schema, value, path, found);
  return value;
}

function report(schema: Schema, value: unknown, path: Path, { validation, issues, drift }: Mismatches): void {
  // The result is unusable if it is not a record or a page, or if a record has no id.
  const isWholeRecord = path.every(key => typeof key === 'number');
  const isRequired = isWholeRecord || schema._zod.def.type === 'nonoptional';
  const found = isRequired || validation === 'strict' ? issues : drift;
  const placeOf = (keys: Path) => {
    const exact = pathText(keys);
    return found === drift ? exact.replaceAll(/\[\d+\]/g, '[]') : exact;
  };
  const field = placeOf(path);
  // An error of zod has a stack: a hundred records that differ in the same way need one.
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
  // `strict` fills in nothing, to find every mismatch.
  const record = found.validation === 'strict' ? value : fill(value);
  for (const { name, field, isUnchanged } of fields) {
    const member = record[name];
    if (!isUnchanged(member)) record[name] = parseLeniently(field, member, [...path, name], found);
  }
  return record;
}

/** What follows from the schema of a record, derived once. */
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

/** Returns a function that fills in the fields that a record lacks and that have an empty value. */
function filler(shape: z.core.$ZodShape) {
  const empties = Object.entries(shape).map(([name, field]) => [name, emptyOf(field)] as const);
  const shared = Object.fromEntries(empties);
  return (value: Record<string, unknown>): Record<string, unknown> => {
    if (empties.every(([name]) => value[name] !== undefined && value[name] !== null)) return value;
    // All at once: adding fields one by one changes the object's shape each time, which is slow.
    const record: Record<string, unknown> = { ...shared, ...value };
    for (const [name, empty] of empties) {
      if (record[name] === null) record[name] = empty;
      // Each record gets its own lists and maps. A field without an empty value that was `null` is left out.
      if (typeof empty === 'object' && record[name] === empty) record[name] = Array.isArray(empty) ? [] : {};
      if (record[name] === undefined) delete record[name];
    }
    return record;
  };
}

/** Values that stand for an absent field: the first that the schema of the field accepts is filled in. */
const emptyValues: readonly unknown[] = [undefined, '', 0, false, [], {}, 'success'];

const emptyOf = (field: Schema): unknown =>
  isRecord((field as z.core.$ZodTypes)._zod.def)
    ? {}
    : emptyValues.find(value => z.safeParse(field, value).success);

/** Returns `true` for a value of parsed JSON that zod would accept and return unchanged. */
type QuickCheck = (value: unknown) => boolean;

/** Derives the quick check, several times as fast as zod on a documented page. What it does not know is left to zod. */
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

/** Most values that change are objects or absent: no need to ask zod. */
function staysByZod(schema: z.core.$ZodType): QuickCheck {
  return value => value !== undefined && z.safeParse(schema, value).data === value;
}

function quickCheckOfObject({ shape, catchall }: z.core.$ZodObjectDef): QuickCheck {
  // A loose object accepts any other field; the values of a map have a type.
  if (catchall && catchall._zod.def.type !== 'unknown') {
    const item = quickCheck(catchall);
    return value => isObject(value) && Object.keys(value).every(key => item(value[key]));
  }
  const fields = Object.entries(shape).map(([name, field]) => ({ name, isValid: quickCheck(field) }));
  return value => isObject(value) && fields.every(({ name, isValid }) => isValid(value[name]));
}
