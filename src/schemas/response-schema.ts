import * as z from 'zod/mini';
import { maxIssues, pathText, valueAt } from '../core/issues.ts';
import { typeName } from '../core/json.ts';
import type { Issue } from '../errors.ts';
import type { Agrees } from './agrees.ts';
import { firstIssue, type Leniency, lenientSchema, type Validation } from './lenient-schema.ts';
import { onFirstUse } from './on-first-use.ts';
import { quickCheck } from './quick-check.ts';

/**
 * Result of parsing a response: the record and the mismatches that leave it usable, or the issues that make it
 * unusable.
 */
export type ResponseResult<Output> =
  | { readonly ok: true; readonly value: Output; readonly drift: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Returns the schema of an operation's response. As with `inputSchema`, the compiler compares it with the documented
 * type, and calls are marked as pure. `mismatchOf` compares the result with the input of the call.
 */
export const responseSchema = <Schema extends z.ZodMiniType, Output>(
  make: () => Schema & Agrees<Output, z.output<Schema>>,
  mismatchOf?: (value: Output, input: unknown) => Issue | undefined,
): ResponseSchema<Output> => new ResponseSchema(make, mismatchOf);

/** Schema of an operation's response. */
export class ResponseSchema<Output> {
  readonly schema: () => z.ZodMiniType;
  readonly #mismatchOf: (value: Output, input: unknown) => Issue | undefined;
  readonly #parsers: Partial<Record<Validation, ResponseParser<Output>>> = {};

  constructor(
    make: () => z.ZodMiniType,
    mismatchOf: (value: Output, input: unknown) => Issue | undefined = () => undefined,
  ) {
    this.schema = onFirstUse(make);
    this.#mismatchOf = mismatchOf;
  }

  /** Parses JSON, `undefined` for an empty body, into a record. `input` is what the call sent. Never throws. */
  parseResponse(json: unknown, validation: Validation, input?: unknown): ResponseResult<Output> {
    const body = json === undefined && validation !== 'strict' ? this.#emptyBody(input) : json;
    if (body === undefined)
      return { ok: false, issues: [{ path: '', expected: 'JSON', received: 'nothing' }] };
    const result = this.#parserOf(validation).parse(body);
    const mismatch = result.ok && validation !== 'off' && this.#mismatchOf(result.value, input);
    if (!mismatch) return result;
    if (validation === 'strict') return { ok: false, issues: [mismatch] };
    return { ...result, drift: [...result.drift, mismatch] };
  }

  /** Returns what an empty body stands for, if anything: a listing, or a record, that is as documented without content. */
  #emptyBody(input: unknown): unknown {
    return [[], {}].find(body => {
      const result = this.#parserOf('report').parse(body);
      return result.ok && !this.#mismatchOf(result.value, input);
    });
  }

  #parserOf(validation: Validation): ResponseParser<Output> {
    this.#parsers[validation] ??= new ResponseParser(this.schema(), validation);
    return this.#parsers[validation];
  }
}

/** Parses the responses of an operation, one at a time. */
class ResponseParser<Output> {
  readonly #validation: Validation;
  readonly #parseBody: (body: unknown) => unknown;
  /** Of a listing. Its records are parsed one by one, so that an issue names its record. */
  readonly #parseRecord: ((record: unknown) => unknown) | undefined;
  /** Path of the record that is being parsed. */
  #record: readonly number[] = [];
  /** Mismatches that make the response unusable, by path. */
  #issues = new Map<string, Issue>();
  /** Other mismatches, by path of the field across all records. */
  #drift = new Map<string, Issue>();

  constructor(stated: z.core.$ZodType, validation: Validation) {
    const { def } = (stated as z.core.$ZodTypes)._zod;
    this.#validation = validation;
    this.#parseBody = this.#parserOf(stated);
    this.#parseRecord = def.type === 'array' ? this.#parserOf(def.element) : undefined;
  }

  parse(body: unknown): ResponseResult<Output> {
    this.#record = [];
    this.#issues = new Map();
    this.#drift = new Map();
    // `null` means an empty listing.
    let value = this.#parseRecord && this.#validation !== 'strict' ? (body ?? []) : body;
    if (!this.#parseRecord || !Array.isArray(value)) value = this.#parseBody(value);
    else
      for (let index = 0; index < value.length && this.#issues.size < maxIssues; index++) {
        this.#record = [index];
        value[index] = this.#parseRecord(value[index]);
      }
    if (this.#issues.size > 0) return { ok: false, issues: [...this.#issues.values()] };
    return { ok: true, value: value as Output, drift: [...this.#drift.values()] };
  }

  /** Returns the function that parses a value by what is derived from its stated schema. */
  #parserOf(stated: z.core.$ZodType): (value: unknown) => unknown {
    const isUnchanged = quickCheck(stated);
    const keep: Leniency['keep'] = (innerType, path) => this.#keep(innerType, path);
    const lenient = lenientSchema(stated, { validation: this.#validation, keep });
    return value => {
      if (isUnchanged(value)) return value;
      const strict = this.#validation === 'strict' ? z.safeParse(stated, value, firstIssue) : undefined;
      return strict?.success ? strict.data : z.safeParse(lenient, value, firstIssue).data;
    };
  }

  /** Returns a schema that keeps what another one refuses. (`z.catch` itself would add 3 kB to a web page.) */
  #keep(innerType: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodType {
    // Nothing can be done with what is no record or page, or with a record without an id.
    const isRequired = path.length === 0 || innerType._zod.def.type === 'nonoptional';
    const catchValue = ({ value, error }: z.core.$ZodCatchCtx): unknown => {
      const found = isRequired || this.#validation === 'strict' ? this.#issues : this.#drift;
      const [issue] = error.issues;
      if (!issue || this.#validation === 'off' || found.size >= maxIssues) return value;
      const exact = pathText([...this.#record, ...path, ...issue.path]);
      const shown = found === this.#drift ? exact.replaceAll(/\[\d+\]/g, '[]') : exact;
      const received = typeName(valueAt(value, issue.path));
      if (!found.has(shown)) found.set(shown, { path: shown, expected: issue.message, received });
      return value;
    };
    return new z.ZodMiniCatch({ type: 'catch', innerType, catchValue });
  }
}
