import type { EncodedRequest, Operation } from './operation.ts';

/** Puts an input into the path, the query or the body, as its operation says. */
export function encode({ method, path, takes, query = [] }: Operation, input: unknown): EncodedRequest {
  const fields = Object.entries(input ?? {});
  const isInQuery = (name: string) => takes === 'query' || query.includes(name);
  const inQuery = fields.filter(([name, value]) => isInQuery(name) && value !== undefined);
  const inBody = fields.filter(([name]) => !isInQuery(name));
  return {
    path: path.replace('{identifier}', () => encodeURIComponent(String(input))),
    query: new URLSearchParams(inQuery).toString(),
    body: method === 'POST' ? JSON.stringify(Object.fromEntries(inBody)) : undefined,
  };
}
