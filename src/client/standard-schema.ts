import { maxIssues, pathText, valueAt } from '../core/issues.ts';
import { typeName } from '../core/json.ts';
import type { Issue } from '../error-details.ts';
import type { ResponseResult } from '../schemas/operation-schemas.ts';

/** A schema of zod, valibot, or any other library that implements Standard Schema. */
export interface StandardSchema<Output = unknown> {
  /** Members that the standard defines. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
  };
}

/** Output of a schema, or its issues. Errors omit their messages, which can contain values. */
type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly expected?: unknown;
}

/**
 * Parses a response with the user's schema, if any. Rejects with what the schema throws. An empty body is parsed as
 * `{}`.
 */
export async function parseByStandard<Output>(
  schema: StandardSchema<Output> | undefined,
  json: unknown = {},
): Promise<ResponseResult<Output>> {
  if (!schema) return { ok: true, value: json as Output, drift: [] };
  const result = await schema['~standard'].validate(json);
  if (!result.issues) return { ok: true, value: result.value, drift: [] };
  return { ok: false, issues: result.issues.slice(0, maxIssues).map(issue => toIssue(issue, json)) };
}

/** Keeps the path of an issue, and `expected`, which zod and valibot add: the expected type, or the broken rule. */
function toIssue({ path = [], expected }: SchemaIssue, json: unknown): Issue {
  const keys = path.map(segment => (typeof segment === 'object' ? segment.key : segment));
  const received = typeName(valueAt(json, keys));
  return {
    path: pathText(keys),
    expected: typeof expected === 'string' ? expected : 'valid according to the schema',
    received,
  };
}
