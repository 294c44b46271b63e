import * as z from 'zod/mini';
import { maxIssues, pathText, valueAt } from '../core/issues.ts';
import { literalOrType, typeName } from '../core/json.ts';
import { unknownName } from '../core/option-rules.ts';
import type { Issue } from '../error-details.ts';
import {
  firstIssue,
  type Mismatches,
  parseLeniently,
  quickCheck,
  type Validation,
} from './derived-schemas.ts';

/** Result of checking the input of a call: the value to send, or what is wrong. */
export type InputResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Schema of an operation's input. Mark each creation as pure, for bundlers. */
export class InputSchema<Input> {
  /** Carries the type of a valid input, for the compiler only. */
  declare readonly accepts?: (input: Input) => void;
  readonly schema: () => z.ZodMiniType;

  constructor(make: () => z.ZodMiniType<unknown, Input>) {
    this.schema = onFirstUse(make);
  }

  /** Validates an input, and converts it to what is sent. */
  validateInput(input: unknown): InputResult {
    const schema = this.schema();
    const { data, error } = z.safeParse(schema, input);
    if (!error) return { ok: true, value: data };
    const issues = error.issues.slice(0, maxIssues).flatMap(mistake => toIssues(schema, mistake, input));
    // Only the first issue of a value or list is reported.
    const firsts = issues.filter(
      ({ path }, index) => issues.findIndex(other => other.path === path) === index,
    );
    return { ok: false, issues: firsts.slice(0, maxIssues) };
  }
}

function toIssues(schema: z.ZodMiniType, mistake: z.core.$ZodIssue, input: unknown): Issue[] {
  const { path, message } = mistake;
  if (mistake.code === 'unrecognized_keys')
    return mistake.keys
      .slice(0, maxIssues)
      .map(name => unknownName(`field "${name}"`, name, Object.keys(fieldsOf(schema))));
  const value = valueAt(input, path);
  const [field, key] = path;
  // Only the type of a value in a map is shown, because the value may be secret.
  if (typeof key === 'string')
    return [{ path: pathText(path), expected: message, received: typeName(value) }];
  // The issue of an item has the path of its list.
  const place = key === undefined ? '' : ` at index ${String(key)}`;
  const fieldSchema = fieldsOf(schema)[String(field)];
  const canBeLeftOut = value === null && fieldSchema && z.safeParse(fieldSchema, undefined).success;
  const expected = canBeLeftOut ? `${message}, or left out` : message;
  return [{ path: String(field ?? ''), expected, received: literalOrType(value) + place }];
}

function fieldsOf(schema: z.core.$ZodType): z.core.$ZodShape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') return fieldsOf(def.innerType);
  return def.type === 'object' ? def.shape : {};
}

/** Result of parsing a response: a usable value and its drift, or the issues that make it unusable. */
export type ResponseResult<Output> =
  | { readonly ok: true; readonly value: Output; readonly drift: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Schema of an operation's response. */
export class ResponseSchema<Output> {
  readonly schema: () => z.ZodMiniType;
  /** Returns the quick check for a record of a listing, or for any other response as a whole. */
  readonly #isUnchanged: () => (value: unknown) => boolean;
  readonly #mismatchOf: ((value: Output, input: unknown) => Issue | undefined) | undefined;

  /** @param mismatchOf - Compares the result with the input. */
  constructor(
    make: () => z.ZodMiniType<Output>,
    mismatchOf?: (value: Output, input: unknown) => Issue | undefined,
  ) {
    this.schema = onFirstUse(make);
    this.#isUnchanged = onFirstUse(() => quickCheck(recordSchemaOf(this.schema()) ?? this.schema()));
    this.#mismatchOf = mismatchOf;
  }

  /** Parses JSON, `undefined` for an empty body, into a record. `input` is what the call sent. Never throws. */
  parseResponse(json: unknown, validation: Validation, input?: unknown): ResponseResult<Output> {
    if (json === undefined && validation === 'strict')
      return { ok: false, issues: [{ path: '', expected: 'JSON', received: 'nothing' }] };
    const found = { validation, issues: new Map(), drift: new Map() };
    const value = this.#parse(json, found) as Output;
    if (found.issues.size > 0) return { ok: false, issues: [...found.issues.values()] };
    const drift = [...found.drift.values()];
    const mismatch = this.#mismatchOf?.(value, input);
    if (!mismatch) return { ok: true, value, drift };
    if (validation === 'strict' || json === undefined) return { ok: false, issues: [mismatch] };
    return { ok: true, value, drift: [...drift, mismatch] };
  }

  #parse(json: unknown, found: Mismatches): unknown {
    const schema = this.schema();
    const recordSchema = recordSchemaOf(schema);
    const isUnchanged = this.#isUnchanged();
    // An empty body is an empty listing or acknowledgement; `null` is an empty listing.
    const isEmpty = json === undefined || (json === null && recordSchema !== undefined);
    const body = isEmpty && found.validation !== 'strict' ? (recordSchema ? [] : {}) : json;
    if (!recordSchema) return isUnchanged(body) ? body : parseValue(schema, body, [], found);
    if (!Array.isArray(body)) return parseValue(schema, body, [], found);
    // The records of a listing are parsed one by one, so that issues contain the index of the record.
    for (let index = 0; index < body.length && found.issues.size < maxIssues; index++)
      if (!isUnchanged(body[index])) body[index] = parseValue(recordSchema, body[index], [index], found);
    return body;
  }
}

/** Parses a value that fails the quick check. With `strict`, mismatches are collected only if zod rejects the value. */
function parseValue(schema: z.core.$ZodType, value: unknown, path: readonly number[], found: Mismatches) {
  const strict = found.validation === 'strict' ? z.safeParse(schema, value, firstIssue) : undefined;
  return strict?.success ? strict.data : parseLeniently(schema, value, path, found);
}

/** Returns the schema of the records of a listing. */
function recordSchemaOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'array' ? def.element : undefined;
}

/**
 * Returns a function that makes a schema on first use, because making all at once would slow down every program's
 * start.
 */
function onFirstUse<Schema>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => (made ??= make());
}
