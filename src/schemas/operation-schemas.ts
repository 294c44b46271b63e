import * as z from 'zod/mini';
import { maxIssues, pathText, valueAt } from '../core/issues.ts';
import { literalOrType, typeName } from '../core/json.ts';
import { unknownName } from '../core/option-rules.ts';
import type { Issue } from '../error-details.ts';
import {
  abortEarly,
  lenientParser,
  type Mismatches,
  type Parser,
  type Validation,
} from './lenient-parser.ts';
import { quickCheck } from './quick-check.ts';

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

/**
 * Schema of an operation's response. A value that passes the quick check is returned unchanged, without zod. Otherwise,
 * `strict` accepts what zod accepts. `report` parses field by field (`lenientParser`): it fills in missing fields and
 * keeps what zod rejects.
 */
export class ResponseSchema<Output> {
  readonly schema: () => z.ZodMiniType;
  readonly #parseBody: () => (json: unknown, found: Mismatches) => unknown;
  readonly #mismatchOf: ((value: Output, input: unknown) => Issue | undefined) | undefined;

  /** @param mismatchOf - Compares the result with the input. */
  constructor(
    make: () => z.ZodMiniType<Output>,
    mismatchOf?: (value: Output, input: unknown) => Issue | undefined,
  ) {
    this.schema = onFirstUse(make);
    this.#parseBody = onFirstUse(() => bodyParser(this.schema()));
    this.#mismatchOf = mismatchOf;
  }

  /** Parses JSON, `undefined` for an empty body, into a record. `input` is what the call sent. Never throws. */
  parseResponse(json: unknown, validation: Validation, input?: unknown): ResponseResult<Output> {
    if (json === undefined && validation === 'strict')
      return { ok: false, issues: [{ path: '', expected: 'JSON', received: 'nothing' }] };
    const found = { validation, issues: new Map(), drift: new Map() };
    const value = this.#parseBody()(json, found) as Output;
    if (found.issues.size > 0) return { ok: false, issues: [...found.issues.values()] };
    const drift = [...found.drift.values()];
    const mismatch = this.#mismatchOf?.(value, input);
    if (!mismatch) return { ok: true, value, drift };
    if (validation === 'strict' || json === undefined) return { ok: false, issues: [mismatch] };
    return { ok: true, value, drift: [...drift, mismatch] };
  }
}

/** Returns a parser of a whole body. The records of a listing are parsed one by one, so that issues contain their index. */
function bodyParser(schema: z.core.$ZodType) {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const parseWhole = quickOrLenient(schema);
  // An empty body is an empty acknowledgement or listing; `null` is an empty listing.
  if (def.type !== 'array') return (json: unknown = {}, found: Mismatches) => parseWhole(json, [], found);
  const parseRecord = quickOrLenient(def.element);
  return (json: unknown, found: Mismatches) => {
    const body = found.validation === 'strict' ? json : (json ?? []);
    if (!Array.isArray(body)) return parseWhole(body, [], found);
    for (let index = 0; index < body.length && found.issues.size < maxIssues; index++)
      body[index] = parseRecord(body[index], [index], found);
    return body;
  };
}

/** Returns a parser that skips values that pass the quick check. */
function quickOrLenient(schema: z.core.$ZodType): Parser {
  const isUnchanged = quickCheck(schema);
  const lenient = onFirstUse(() => lenientParser(schema));
  return (value, path, found) => {
    if (isUnchanged(value)) return value;
    // With `strict`, mismatches are collected only if zod rejects the value.
    const parsed = found.validation === 'strict' ? z.safeParse(schema, value, abortEarly) : undefined;
    return parsed?.success ? parsed.data : lenient()(value, path, found);
  };
}

/**
 * Returns a function that makes a schema or parser on first use, because making all at once would slow down every
 * program's start.
 */
function onFirstUse<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
