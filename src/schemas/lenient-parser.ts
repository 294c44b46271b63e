import * as z from 'zod/mini';
import { maxIssues, pathText, valueAt } from '../core/issues.ts';
import { isObject, typeName } from '../core/json.ts';
import type { Issue } from '../error-details.ts';
import { usableId } from './id.ts';
import { quickCheck, type Schema, valueSchemaOf } from './quick-check.ts';

type Path = readonly PropertyKey[];

/** How strictly responses are compared with the documentation. */
export type Validation = 'report' | 'strict';

/** Stops at the first mismatch of a value, because a list can have millions. */
export const abortEarly: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** Differences between one response and its documentation, collected while parsing. */
export interface Mismatches {
  readonly validation: Validation;
  /** Mismatches that make the response unusable, by path. */
  readonly issues: Map<string, Issue>;
  /** Other mismatches, by path of the field, once for all records. */
  readonly drift: Map<string, Issue>;
}

/** Parses the value at a path, and adds its differences from the documentation to `found`. */
export type Parser<Value = unknown> = (value: Value, path: Path, found: Mismatches) => unknown;

/**
 * Returns a parser that fills in missing fields of a record, lets zod parse each field that differs, and keeps what zod
 * rejects.
 */
export function lenientParser(schema: Schema): Parser {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return lenientParser(def.innerType);
  if (def.type === 'pipe') {
    const [parseInput, parseOutput] = [lenientParser(def.in), lenientParser(def.out)];
    // If a secret is not a string, the input side reports it, and the output side still wraps it.
    return (value, path, found) => parseOutput(parseInput(value, path, found), path, found);
  }
  const parseObject = def.type === 'object' && (mapParser(schema, def) ?? recordParser(def));
  return (value, path, found) => {
    if (parseObject && isObject(value)) return parseObject(value, path, found);
    const parsed = z.safeParse(schema, value, abortEarly);
    if (parsed.success) return parsed.data;
    report(schema, value, path, found);
    return value;
  };
}

function report(schema: Schema, value: unknown, path: Path, { validation, issues, drift }: Mismatches): void {
  // A result is unusable if it is not a record or page, or if a record has no id.
  const isWholeRecord = path.every(key => typeof key === 'number');
  const isRequired = isWholeRecord || schema === usableId();
  const target = isRequired || validation === 'strict' ? issues : drift;
  const placeOf = (keys: Path) => {
    const exact = pathText(keys);
    return target === drift ? exact.replaceAll(/\[\d+\]/g, '[]') : exact;
  };
  const field = placeOf(path);
  // Creating an error of zod is slow, so records that differ in the same way share one.
  if (target.size >= maxIssues || target.has(field) || target.has(`${field}[]`)) return;
  for (const { path: inner, message } of z.safeParse(schema, value, abortEarly).error?.issues ?? []) {
    const place = placeOf([...path, ...inner]);
    target.set(place, { path: place, expected: message, received: typeName(valueAt(value, inner)) });
  }
}

function mapParser(schema: Schema, def: z.core.$ZodObjectDef): Parser<Record<string, unknown>> | undefined {
  const valueSchema = valueSchemaOf(def);
  if (!valueSchema) return undefined;
  const isUnchanged = quickCheck(valueSchema);
  const parse = lenientParser(valueSchema);
  return (map, path, found) => {
    const changed = Object.entries(map).filter(([, value]) => !isUnchanged(value));
    for (const [name, value] of changed) parse(value, [...path, name], found);
    // If no value differs, the keys do.
    if (changed.length === 0) report(schema, map, path, found);
    return map;
  };
}

function recordParser({ shape }: z.core.$ZodObjectDef): Parser<Record<string, unknown>> {
  const fill = filler(shape);
  const fields = Object.entries(shape).map(([name, field]) => ({
    name,
    isUnchanged: quickCheck(field),
    parse: lenientParser(field),
  }));
  return (value, path, found) => {
    // `strict` fills in nothing, so that every mismatch is found.
    const record = found.validation === 'strict' ? value : fill(value);
    for (const { name, isUnchanged, parse } of fields) {
      const member = record[name];
      if (!isUnchanged(member)) record[name] = parse(member, [...path, name], found);
    }
    return record;
  };
}

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
  field._zod.def.type === 'object' ? {} : emptyValues.find(value => z.safeParse(field, value).success);
