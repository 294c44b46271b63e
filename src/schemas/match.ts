import * as z from 'zod/mini';
import { isObject } from '../core/json.ts';
import { isWholeNumber } from './fields.ts';

/**
 * What the schemas of fields cannot state, by field: `alias` is an alternative name, `absent` the value if the field is
 * missing (by default the empty value of its type), and `isSecret` wraps any value in a `Secret`.
 */
export type FieldOptions = Readonly<Record<string, FieldOption>>;
type FieldOption = { readonly alias?: string; readonly absent?: string; readonly isSecret?: true };

/** Schema with derived rules, which parse a page of records much faster than zod. */
export interface Rule {
  readonly schema: z.core.$ZodType;
  /** Whether the schema accepts a value of parsed JSON without changing it. Copies nothing. */
  readonly matches: (value: unknown) => boolean;
  /** Parses a value that does not match; `undefined` if the schema rejects it. */
  readonly convert?: (value: unknown) => { readonly value: unknown } | undefined;
  /** Rule of each item of an array, or of each value of a map. */
  readonly item?: Rule;
  readonly object?: ObjectRule;
}

/** Rules of the fields of an object. */
export interface ObjectRule {
  readonly fields: readonly FieldRule[];
  /** The fields that may be absent, with their empty values. */
  readonly empty: Readonly<Record<string, unknown>>;
}

/** Rule of a field. `makeEmpty` returns its empty value; required fields have none. */
type FieldRule = Rule &
  FieldOption & { readonly name: string; readonly makeEmpty: (() => unknown) | undefined };

/** Derives the rule of a schema. Types that it does not know, and all checks except that of whole numbers, are left to zod. */
export function ruleOf(schema: z.core.$ZodType, options: FieldOptions = {}): Rule {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.checks?.length === 1 && Object.is(def.checks[0]?._zod.check, isWholeNumber))
    return { schema, matches: Number.isSafeInteger };
  if (def.checks?.length || 'format' in def) return byZod(schema);
  if (def.type === 'string' || def.type === 'boolean')
    return { schema, matches: value => typeof value === def.type };
  if (def.type === 'optional') {
    const inner = ruleOf(def.innerType, options);
    return { ...inner, matches: value => value === undefined || inner.matches(value) };
  }
  if (def.type === 'array') {
    const item = ruleOf(def.element, options);
    return { schema, item, matches: value => Array.isArray(value) && value.every(item.matches) };
  }
  return def.type === 'object' ? ruleOfObject(schema, def, options) : byZod(schema);
}

function byZod(schema: z.core.$ZodType): Rule {
  const convert = (value: unknown) => {
    const { success, data } = z.safeParse(schema, value);
    return success ? { value: data } : undefined;
  };
  // Most values that do not match are absent: no need to ask zod.
  return { schema, convert, matches: value => value !== undefined && convert(value)?.value === value };
}

function ruleOfObject(
  schema: z.core.$ZodType,
  { shape, catchall }: z.core.$ZodObjectDef,
  options: FieldOptions,
): Rule {
  // A loose object accepts any other field; the values of a map have a type.
  if (catchall && catchall._zod.def.type !== 'unknown') {
    const item = ruleOf(catchall);
    const areValid = (map: Record<string, unknown>) => Object.keys(map).every(key => item.matches(map[key]));
    return { schema, item, matches: value => isObject(value) && areValid(value) };
  }
  const fields = Object.entries(shape).map(([name, field]) => {
    const { absent, ...option } = options[name] ?? {};
    const makeEmpty = absent === undefined ? emptyOf(field) : () => absent;
    return { ...ruleOf(field, options), ...option, name, makeEmpty };
  });
  const isValid = (record: Record<string, unknown>) =>
    fields.every(field => field.matches(record[field.name]));
  const defaults = fields.map(({ name, makeEmpty }) => [name, makeEmpty?.()] as const);
  const empty = Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
  return { schema, object: { fields, empty }, matches: value => isObject(value) && isValid(value) };
}

/** Return the empty value of a type. Those of an object's fields are added later. */
const emptyValues = {
  string: String,
  number: Number,
  boolean: Boolean,
  array: Array,
  object: Object,
  optional: () => undefined,
};

function emptyOf(schema: z.core.$ZodType): FieldRule['makeEmpty'] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return emptyOf(def.in);
  if (def.type === 'string' && !z.safeParse(schema, '').success) return undefined;
  return emptyValues[def.type as keyof typeof emptyValues];
}
