/** Seconds for which a browser may keep the result of a preflight request. */
const preflightSeconds = 600;

/** Headers of a response to a page of another origin; none for an origin that is not allowed. */
export function corsHeaders(
  origin: string | null,
  allowed: readonly string[],
): Readonly<Record<string, string>> {
  if (origin === null || !(allowed.includes(origin) || allowed.includes('*'))) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'retry-after',
    vary: 'origin',
  };
}

/** Returns `true` if a request is a preflight request of a browser. */
export function isPreflight(method: string, headers: Headers): boolean {
  return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method');
}

/** Headers of the response to a preflight request of an allowed origin: every method and header is allowed. */
export function preflightHeaders(headers: Headers): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': headers.get('access-control-request-headers') ?? '*',
    'access-control-max-age': `${preflightSeconds}`,
  };
}
