import { isObject } from './json.ts';
import type { Operation } from './operation.ts';

/** An operation and its input as HTTP has them, before any base URL, key or header. */
export interface Encoded {
  /** With the identifier filled in. */
  readonly path: string;
  /** Without `?`; empty when there is none. */
  readonly query: string;
  readonly body: string | undefined;
}

/** Puts an input where its operation says: into the path, the query or the body. */
export function encode(operation: Operation, input: unknown): Encoded {
  const fields = isObject(input) ? input : {};
  const inQuery = operation.query ?? [];
  const query = new URLSearchParams();
  for (const name of inQuery) if (fields[name] !== undefined) query.set(name, String(fields[name]));
  const rest =
    inQuery.length === 0
      ? fields
      : Object.fromEntries(Object.entries(fields).filter(([name]) => !inQuery.includes(name)));
  return {
    path: operation.path.replace('{identifier}', () => encodeURIComponent(String(input))),
    query: query.toString(),
    body: operation.method === 'POST' ? JSON.stringify(rest) : undefined,
  };
}
