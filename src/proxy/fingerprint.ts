import type { AuthorizedCall } from './authorize.ts';

/** Headers by which a server usually knows its visitor. */
const visitorHeaders = ['origin', 'authorization', 'cookie'] as const;

/**
 * Returns a hash of what a repeated call id must come with: the same operation, input and visitor. Where `authorize`
 * names no visitor, the input that it authorized and the request's `Origin`, `Authorization` and `Cookie` stand for one.
 */
export async function fingerprintOf(request: Request, call: AuthorizedCall): Promise<string> {
  const visitor =
    call.visitor === undefined
      ? [call.input, ...visitorHeaders.map(name => request.headers.get(name))]
      : [call.visitor];
  const text = JSON.stringify([call.operation, call.pageInput, ...visitor]);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}
