import type { Operation } from './operation.ts';

/** An operation and its input as HTTP carries them, without base URL, key and headers. */
export interface EncodedRequest {
  /** Path with its parameters replaced. */
  readonly path: string;
  /** Query without `?`; empty for none. */
  readonly query: string;
  /** JSON text, if the request has a body. */
  readonly body: string | undefined;
}

/** Puts an input where its operation says: into the path, the query or the body. */
export function encode(operation: Operation, input: unknown): EncodedRequest {
  const { method, path, query: queryFields = [] } = operation;
  const fields = (typeof input === 'object' && input ? input : {}) as Record<string, unknown>;
  const query = new URLSearchParams();
  for (const name of queryFields) if (fields[name] !== undefined) query.set(name, String(fields[name]));
  return {
    path: path.replace('{identifier}', () => encodeURIComponent(String(input))),
    query: query.toString(),
    body: method === 'POST' ? JSON.stringify(withoutFields(fields, queryFields)) : undefined,
  };
}

function withoutFields(fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  if (names.length === 0) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
