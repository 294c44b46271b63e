// The types of the table of operations.
import type { ApiPromise, CallOptions, OperationName, Resources } from '../../src/index.ts';
import type { Seed } from '../../src/testing/index.ts';

/** Fields of an operation, in the short form of `specified-fields.ts`. */
interface SpecifiedFields {
  /** Pattern of the identifier in the path. */
  readonly identifier?: string;
  /** Query parameters except `team_id`, with their bounds. */
  readonly query?: Record<string, object>;
  /** Fields of the body; `?` marks those that are optional. */
  readonly body?: Record<string, string>;
}

/** The errors that the specification documents. */
export type DocumentedError = 'wrongKey' | 'nameUsed' | 'malformedBody' | 'notFound' | 'serverFailure';

/** One call of an operation: how the client makes it, and how it must look on the wire. */
interface OperationCall {
  readonly call: (client: Resources, options?: CallOptions) => ApiPromise<unknown>;
  /** Encoded, with its `?`. */
  readonly query?: string;
  /** As JSON text. */
  readonly body?: string;
  /** `true` if the call is idempotent, and so is retried if the service may have acted. */
  readonly retriedAfterUnknown: boolean;
}

/** Records of each kind. */
type ListedSeed = { readonly [Kind in keyof Seed]?: Extract<Seed[Kind], readonly unknown[]> };

/** One operation, typed out from docs/service-rules.md. */
export interface Row extends OperationCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Documented path, with `{identifier}`. */
  readonly path: string;
  /** Replaces `{identifier}` in the path. */
  readonly identifier?: string;
  readonly authentication: 'X-Team-ApiKey' | 'api_key';
  readonly returns: 'record' | 'listing' | 'acknowledgement' | 'legacy result';
  /** Body of a successful response; text if `JSON.stringify` cannot write it. */
  readonly response: unknown;
  /** Value that the call resolves to, if it differs from the response. */
  readonly result?: unknown;
  /** The errors that the specification documents for this endpoint. */
  readonly errors: readonly DocumentedError[];
  readonly fields: SpecifiedFields;
  /**
   * Records of a sandbox with which the call succeeds, and a read returns `response`.
   * One sandbox can get the seeds of all rows: no id is used twice, and each row creates a record with another name.
   */
  readonly seed?: ListedSeed;
  /** Calls of the same operation with other rules for retries. */
  readonly variants?: readonly (OperationCall & { readonly title: string })[];
}

/** A row with values derived from it. */
export interface NamedRow extends Row {
  readonly name: OperationName;
  /** Name of the operation, and of the variant. */
  readonly title: string;
  /** Method and path of the request. */
  readonly endpoint: string;
}

/** Adds its name and endpoint to a row. */
export function named(name: OperationName, row: Row): NamedRow {
  const path = row.path.replace('{identifier}', row.identifier ?? '');
  return { ...row, name, title: name, endpoint: `${row.method} ${path}` };
}

/** The row itself, and one row for each of its variants. */
export function withVariants(row: NamedRow): NamedRow[] {
  const variants = row.variants ?? [];
  return [row, ...variants.map(variant => ({ ...row, ...variant, title: `${row.name} ${variant.title}` }))];
}

/** Body of the successful response as text. */
export function responseText({ response }: Pick<Row, 'response'>): string {
  return typeof response === 'string' ? response : JSON.stringify(response);
}
