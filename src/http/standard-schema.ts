import type { Issue } from '../errors.ts';
import type { ResponseResult, ResponseSchema } from './call/operation.ts';
import { maxIssues, pathText, valueAt } from './issue-text.ts';
import { typeName } from './json.ts';

/** A schema of zod, valibot, arktype, or any other library that implements Standard Schema. */
export interface StandardSchema<Output = unknown> {
  /** Properties that the standard defines. */
  readonly '~standard': {
    /** Version of the standard. */
    readonly version: 1;
    /** Name of the schema library. */
    readonly vendor: string;
    /** Validates a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Types of the schema, for the compiler alone. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** Result of validating a value by a {@link StandardSchema}: `issues` is absent where it is valid. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Mismatch between a value and a {@link StandardSchema}. */
export interface StandardIssue {
  /** Text of the schema library, which can hold values. Errors of this library leave it out. */
  readonly message: string;
  /** Keys from the whole to the member. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Members of an issue that libraries add: neither holds a value. */
interface NamedExpectation {
  readonly expected?: unknown;
  readonly code?: unknown;
}

/** Returns `true` if a value can be used as a schema. */
export const isStandardSchema = (value: unknown): value is StandardSchema => {
  const standard = (value as Partial<StandardSchema> | null | undefined)?.['~standard'];
  return typeof standard?.validate === 'function';
};

/** Returns the JSON of a response as it is. */
const anyJson: ResponseSchema<unknown> = { parse: json => ({ ok: true, value: json, drift: [] }) };

/** Returns the parser of a response: by the schema, if one is given. It rejects with an `Error` if the schema throws. */
export const responseParser = (schema: StandardSchema | undefined): ResponseSchema<unknown> =>
  schema ? { parse: json => parseBy(schema, json) } : anyJson;

async function parseBy(schema: StandardSchema, json: unknown): Promise<ResponseResult<unknown>> {
  try {
    return toResult(await schema['~standard'].validate(json), json);
  } catch (thrown) {
    throw toPlainError(thrown);
  }
}

/** Copies what a schema threw, which can be anything: a value without a prototype, or an error with a getter that throws. */
function toPlainError(thrown: unknown): Error {
  try {
    const isError = thrown instanceof Error;
    const { name, message, stack } = isError ? thrown : { name: 'Error', message: thrown, stack: '' };
    return Object.assign(new Error(String(message)), { name: String(name), stack: String(stack) });
  } catch {
    return new Error('a value that cannot be read');
  }
}

function toResult<Output>(result: StandardResult<Output>, json: unknown): ResponseResult<Output> {
  if (!result.issues) return { ok: true, value: result.value, drift: [] };
  const issues = Array.from(result.issues).slice(0, maxIssues);
  return { ok: false, issues: issues.map(issue => toIssue(issue, json)) };
}

/** Keeps of an issue where it is and what was expected. Its message can hold the value, and is left out. */
function toIssue(issue: StandardIssue, json: unknown): Issue {
  const path = Array.from(issue.path ?? [], segment => (typeof segment === 'object' ? segment.key : segment));
  const { expected, code } = issue as NamedExpectation;
  const rule = typeof code === 'string' ? ` (${code})` : '';
  return {
    path: pathText(path),
    expected: typeof expected === 'string' ? expected : `valid by the schema${rule}`,
    received: typeName(valueAt(json, path)),
  };
}
