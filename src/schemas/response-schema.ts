import * as z from 'zod/mini';
import type { Issue } from '../errors.ts';
import { Secret } from '../helpers/secret.ts';
import type { ResponseResult, ResponseSchema, Validation } from '../http/call/operation.ts';
import { maxIssues, pathText } from '../http/issues.ts';
import { isObject, typeName } from '../http/json.ts';
import type { Agrees } from './agrees.ts';
import { matches, type Rule, ruleOf } from './match.ts';

/** Rules of a record that its schema cannot state. */
interface RecordOptions {
  /** Fields without which a record is unusable. They have no default. */
  readonly required?: readonly string[];
  /** Defaults that differ from the empty value of the field's type. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Other names under which a field may come. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Fields that become a {@link Secret}, whatever comes in them. */
  readonly secret?: readonly string[];
}

/** A schema of an object with named fields. */
type ObjectSchema = z.ZodMiniObject<z.core.$ZodShape, z.core.$loose>;

type ResponseType = ObjectSchema | z.ZodMiniArray<ObjectSchema>;

/** A {@link ResponseSchema} that a zod schema of a record, or of an array of records, states. */
export class ZodResponseSchema<Output> implements ResponseSchema<Output> {
  readonly #make: () => ResponseType;
  readonly #options: RecordOptions;
  #schema: ResponseType | undefined;
  #rule: Rule | undefined;

  constructor(make: () => ResponseType, options: RecordOptions) {
    this.#make = make;
    this.#options = options;
  }

  /** Schema of the response, made when it is first used: making all of them would delay the start of every program. */
  get schema(): ResponseType {
    this.#schema ??= this.#make();
    return this.#schema;
  }

  parse(json: unknown, validation: Validation): ResponseResult<Output> {
    this.#rule ??= ruleOf(this.schema);
    const parser = new ResponseParser(this.#options, validation);
    const value = parser.parse(this.#rule, json) as Output;
    if (parser.issues.length > 0) return { ok: false, issues: parser.issues };
    return { ok: true, value, drift: [...parser.drift.values()] };
  }
}

/**
 * Returns the schema of an operation's response. The documented type of the record is taken from the operation that it
 * is assigned to, and the compiler reports a difference between both. Calls are marked as pure like those of
 * `inputSchema`.
 */
export function responseSchema<Schema extends ResponseType, Output>(
  make: () => Schema & Agrees<Output, z.output<Schema>>,
  options: RecordOptions = {},
): ResponseSchema<Output> {
  return new ZodResponseSchema<Output>(make, options);
}

/** Mismatches of a response after which others are no longer reported: a page can hold millions. */
const maxMismatches = 10_000;

type Path = readonly PropertyKey[];

type FieldRules = readonly (readonly [name: string, rule: Rule])[];

const noOptions: RecordOptions = {};

/** Parses one response, in place. */
class ResponseParser {
  readonly #options: RecordOptions;
  readonly #validation: Validation;
  /** Mismatches that make the response unusable. */
  readonly issues: Issue[] = [];
  /** Other mismatches: one per field, for all records of a page together. */
  readonly drift = new Map<string, Issue>();
  #mismatches = 0;

  constructor(options: RecordOptions, validation: Validation) {
    this.#options = options;
    this.#validation = validation;
  }

  parse(rule: Rule, value: unknown, path: Path = [], isFatal = true): unknown {
    // Most values match as they come: that is found out first, in one pass.
    if (matches(rule, value)) return value;
    if (rule.type === 'either') return this.parse(rule.second, value, path, isFatal);
    if (rule.type === 'zod') {
      const { data, error } = z.safeParse(rule.schema, value);
      return error ? this.#mismatch(error.issues[0]?.message ?? '', value, path, isFatal) : data;
    }
    if (rule.type === 'array' && Array.isArray(value)) return this.#items(rule.item, value, path, isFatal);
    if (rule.type === 'map' && isObject(value)) return this.#items(rule.item, value, path, isFatal);
    if (rule.type === 'object' && isObject(value)) return this.#fields(rule.fields, value, path);
    // `null` stands for an empty listing.
    const isEmpty = value === null && rule.type === 'array' && path.length === 0;
    if (isEmpty && this.#validation !== 'strict') return [];
    return this.#mismatch(expectedBy(rule.schema), value, path, isFatal);
  }

  #fields(fields: FieldRules, record: Record<string, unknown>, path: Path): unknown {
    // A record stands at the start, or at an index of a page.
    const isRecord = path.every(key => typeof key === 'number');
    const { aliases = {}, defaults = {}, required = [], secret = [] } = isRecord ? this.#options : noOptions;
    const isStrict = this.#validation === 'strict';
    for (const [alias, name] of Object.entries(aliases))
      if (record[name] === undefined) {
        record[name] = record[alias];
        delete record[alias];
      }
    for (const [name, field] of fields) {
      const isFatal = isStrict || required.includes(name);
      if (!isFatal) record[name] ??= defaults[name] ?? emptyValue(field.schema);
      record[name] = this.parse(field, record[name], [...path, name], isFatal);
      // An optional field that came as `null` is absent.
      if (record[name] === undefined) delete record[name];
    }
    for (const name of secret) record[name] = toSecret(record[name]);
    return record;
  }

  #items(rule: Rule, items: unknown[] | Record<string, unknown>, path: Path, isFatal: boolean): unknown {
    const members = items as Record<PropertyKey, unknown>;
    // A field can hold millions of wrong items: it is read up to the hundredth. A page is read to its end.
    const most = path.length === 0 ? Number.POSITIVE_INFINITY : this.#mismatches + maxIssues;
    for (const key of Array.isArray(items) ? items.keys() : Object.keys(items)) {
      if (this.issues.length >= maxIssues || this.#mismatches >= most) break;
      members[key] = this.parse(rule, members[key], [...path, key], isFatal);
    }
    return items;
  }

  /** Notes a mismatch, unless nothing is validated. Returns the value. */
  #mismatch(expected: string, value: unknown, path: Path, isFatal: boolean): unknown {
    this.#mismatches += 1;
    if (this.#validation === 'off') return value;
    const received = typeName(value);
    if (isFatal && this.issues.length < maxIssues)
      this.issues.push({ path: pathText(path), expected, received });
    if (!isFatal && this.drift.size < maxIssues && this.#mismatches <= maxMismatches) {
      const field = pathText(path).replaceAll(/\[\d+\]/g, '[]');
      if (!this.drift.has(field)) this.drift.set(field, { path: field, expected, received });
    }
    return value;
  }
}

/** Returns the text that a schema was given for its errors. A zod error for each of many records would take seconds. */
function expectedBy({ _zod }: z.core.$ZodType): string {
  const error = _zod.def.error as (() => string | undefined) | undefined;
  return error?.() ?? '';
}

/** Returns the empty value of a type; `undefined` for an optional field. The fields of an object get theirs later. */
function emptyValue(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return emptyValue(def.in);
  if (def.type === 'union') return def.options[0] && emptyValue(def.options[0]);
  const values = { string: '', number: 0, boolean: false, array: [], object: {} };
  return values[def.type as keyof typeof values];
}

const toSecret = (value: unknown): Secret =>
  value instanceof Secret ? value : new Secret(JSON.stringify(value));
