import * as z from 'zod/mini';
import type { Issue } from '../errors.ts';
import { maxIssues } from '../http/issue-text.ts';
import { typeName } from '../http/json.ts';
import type { ResponseResult, ResponseSchema, Validation } from '../http/operation.ts';
import type { Agrees } from './agrees.ts';
import { type ObjectSchema, type RecordOptions, RecordParser } from './record-parser.ts';

type ResponseType = ObjectSchema | z.ZodMiniArray<ObjectSchema>;

/** A {@link ResponseSchema} that a zod schema of a record, or of an array of records, states. */
export class ZodResponseSchema<Output> implements ResponseSchema<Output> {
  readonly #make: () => ResponseType;
  readonly #options: RecordOptions;
  #schema: ResponseType | undefined;
  #parser: RecordParser | undefined;
  #isPage = false;

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
    this.#parser ??= this.#makeParser();
    const parse = this.#isPage ? parsePage : parseRecord;
    return parse(this.#parser, json, validation) as ResponseResult<Output>;
  }

  #makeParser(): RecordParser {
    const { schema } = this;
    const isPage = schema instanceof z.ZodMiniArray;
    this.#isPage = isPage;
    return new RecordParser(isPage ? schema.def.element : schema, this.#options);
  }
}

/**
 * Returns the schema of an operation's response. The documented type of the record is taken from the operation that it
 * is assigned to, and the compiler reports where the zod schema differs from it. Calls are marked as pure like those of
 * `inputSchema`.
 */
export function responseSchema<Schema extends ResponseType, Output>(
  make: () => Schema & Agrees<Output, z.output<Schema>>,
  options: RecordOptions = {},
): ResponseSchema<Output> {
  return new ZodResponseSchema<Output>(make, options);
}

function parseRecord(parser: RecordParser, json: unknown, validation: Validation): ResponseResult<unknown> {
  const { value, issues, drift } = parser.parse(json, validation, []);
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value, drift };
}

/** Parses an array of records in place; `null` stands for an empty one. */
function parsePage(parser: RecordParser, json: unknown, validation: Validation): ResponseResult<unknown> {
  if (json === null && validation !== 'strict') return { ok: true, value: [], drift: [] };
  if (!Array.isArray(json)) {
    if (validation === 'off') return { ok: true, value: json, drift: [] };
    return { ok: false, issues: [{ path: '', expected: 'an array', received: typeName(json) }] };
  }
  const issues: Issue[] = [];
  const drift = new Map<string, Issue>();
  for (const [index, item] of json.entries()) {
    const parsed = parser.parse(item, validation, [index]);
    json[index] = parsed.value;
    issues.push(...parsed.issues.slice(0, maxIssues - issues.length));
    // The response is refused anyway.
    if (issues.length >= maxIssues) break;
    for (const issue of parsed.drift) addDrift(drift, issue);
  }
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, value: json, drift: [...drift.values()] };
}

/** Keeps one mismatch per field, for all records of a page together. */
function addDrift(drift: Map<string, Issue>, issue: Issue): void {
  const path = issue.path.replaceAll(/\[\d+\]/g, '[]');
  if (drift.size < maxIssues && !drift.has(path)) drift.set(path, { ...issue, path });
}
