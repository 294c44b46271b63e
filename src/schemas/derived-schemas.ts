import * as z from 'zod/mini';
import { isObject } from '../core/json.ts';
import { isWholeNumber } from './fields.ts';

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

/** Strictness with which a response is compared with what is documented. */
export type Validation = 'report' | 'strict' | 'off';

/** What the fields of a lenient schema have in common. */
export interface Leniency {
  /** `strict` fills in nothing, to find every mismatch. `off` passes to zod only fields that parsing changes. */
  readonly validation: Validation;
  /** Returns a schema that keeps what another one refuses, and reports it under the path of its field. */
  readonly keep: (innerType: Schema, path: Path) => Schema;
}

/** Ends at the first mismatch of a value: a list can have millions. */
export const firstIssue: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** Derives a schema that accepts any value, fills in what is missing, and passes to zod each field that differs. */
export function lenientSchema(stated: Schema, leniency: Leniency, path: Path = []): Schema {
  const { def } = (stated as z.core.$ZodTypes)._zod;
  if (def.type === 'transform') return stated;
  if (def.type === 'optional') return lenientSchema(def.innerType, leniency, path);
  // Both ends are lenient: what is kept of a secret still becomes one.
  if (def.type === 'pipe')
    return z.pipe(lenientSchema(def.in, leniency, path), lenientSchema(def.out, leniency, path));
  if (isRecord(def)) return lenientRecord(stated, def.shape, leniency, path);
  return leniency.keep(stated, path);
}

function lenientRecord(stated: Schema, shape: z.core.$ZodShape, leniency: Leniency, path: Path): Schema {
  const isOff = leniency.validation === 'off';
  const fill = leniency.validation === 'strict' ? undefined : filler(shape);
  const other = leniency.keep(stated, path);
  const parsed = Object.entries(shape).filter(([, field]) => !isOff || isChanged(field));
  const fields = parsed.map(([name, field]) => ({
    name,
    schema: lenientSchema(field, leniency, [...path, name]),
    isUnchanged: quickCheck(isOff ? z.optional(field) : field),
  }));
  return z.transform(value => {
    if (!isObject(value)) return z.safeParse(other, value, firstIssue).data;
    const record = fill ? fill(value) : value;
    for (const { name, schema, isUnchanged } of fields)
      if (!isUnchanged(record[name])) record[name] = z.safeParse(schema, record[name], firstIssue).data;
    return record;
  });
}

const isRecord = (def: z.core.$ZodTypes['_zod']['def']): def is z.core.$ZodObjectDef =>
  def.type === 'object' && Object.keys(def.shape).length > 0;

/** Whether parsing changes a valid value, or can fill it in. */
function isChanged(field: Schema): boolean {
  const { def } = (field as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nonoptional') return isChanged(def.innerType);
  return def.type === 'pipe' || isRecord(def);
}

/** Returns a function that fills in the fields that a record lacks, but for required ones. */
function filler(shape: z.core.$ZodShape) {
  const fields = Object.entries(shape).filter(([, field]) => field._zod.def.type !== 'nonoptional');
  const empties = fields.map(([name, field]) => [name, emptyOf(field)] as const);
  const shared = Object.fromEntries(empties);
  return (came: Record<string, unknown>): Record<string, unknown> => {
    if (empties.every(([name]) => came[name] !== undefined && came[name] !== null)) return came;
    // All at once: adding fields one by one changes the object's shape each time, which is slow.
    const record: Record<string, unknown> = { ...shared, ...came };
    for (const [name, empty] of empties) {
      if (record[name] === null) record[name] = empty;
      // Each record gets its own lists and maps. An optional field that was `null` is left out.
      if (typeof empty === 'object' && record[name] === empty) record[name] = Array.isArray(empty) ? [] : {};
      if (record[name] === undefined) delete record[name];
    }
    return record;
  };
}

/** Values by which the service says nothing. */
const emptyValues: readonly unknown[] = [undefined, '', 0, false, [], {}, 'success'];

const emptyOf = (field: Schema): unknown =>
  isRecord((field as z.core.$ZodTypes)._zod.def)
    ? {}
    : emptyValues.find(value => z.safeParse(field, value).success);

/** Returns `true` for a value of parsed JSON that zod would accept and return unchanged. */
type QuickCheck = (value: unknown) => boolean;

/** Derives the quick check: a documented page takes a tenth of zod's time. What it does not know is left to zod. */
export function quickCheck(schema: z.core.$ZodType): QuickCheck {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.checks?.length === 1 && Object.is(def.checks[0]?._zod.check, isWholeNumber))
    return Number.isSafeInteger;
  if (def.checks?.length || 'format' in def) return staysByZod(schema);
  if (def.type === 'string' || def.type === 'boolean') return value => typeof value === def.type;
  if (def.type === 'optional' || def.type === 'nonoptional') {
    const inner = quickCheck(def.innerType);
    return value => (value === undefined ? def.type === 'optional' : inner(value));
  }
  if (def.type === 'array') {
    const item = quickCheck(def.element);
    return value => Array.isArray(value) && value.every(item);
  }
  if (def.type === 'pipe') return quickCheckOfPipe(schema, def);
  return def.type === 'object' ? quickCheckOfObject(def) : staysByZod(schema);
}

/** Most values that change are objects or absent: no need to ask zod. */
function staysByZod(schema: z.core.$ZodType): QuickCheck {
  return value => value !== undefined && z.safeParse(schema, value).data === value;
}

function quickCheckOfPipe(schema: z.core.$ZodType, { in: first, out }: z.core.$ZodPipeDef): QuickCheck {
  const { def } = (first as z.core.$ZodTypes)._zod;
  if (def.type !== 'transform') return staysByZod(schema);
  const rest = quickCheck(out);
  return value => def.transform(value, { value, issues: [] }) === value && rest(value);
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
