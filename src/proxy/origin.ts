/**
 * Returns `true` if the page that sent a request is of the handler's own origin or of `origins`. Browsers send `Origin`
 * with every POST, and no page can forge it or `Sec-Fetch-Site`. A request without either does not come from a page of
 * another origin.
 */
export function isFromOwnPage(request: Request, origins: ReadonlySet<string>): boolean {
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  if (origin !== null && origins.has(origin)) return true;
  if (site !== null) return site === 'same-origin';
  return origin === null || (URL.canParse(origin) && hosts(request).includes(new URL(origin).host));
}

/** Returns `true` if a request is addressed to one of the hosts; without a list, every host is allowed. */
export function isAllowedHost(request: Request, allowed: ReadonlySet<string> | undefined): boolean {
  if (!allowed) return true;
  const address = `http://${request.headers.get('host') ?? new URL(request.url).host}`;
  return URL.canParse(address) && allowed.has(new URL(address).hostname);
}

/** Compares hosts alone, as the scheme is lost where TLS ends before the server. */
const hosts = (request: Request) => [new URL(request.url).host, request.headers.get('host')];

/** Returns the headers that let a page of another, named origin read the response. */
export function corsHeaders(request: Request, origins: ReadonlySet<string>): Record<string, string> {
  const origin = request.headers.get('origin') ?? '';
  if (!origins.has(origin)) return origins.size > 0 ? { vary: 'origin' } : {};
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? 'content-type',
    'access-control-max-age': '600',
  };
}
