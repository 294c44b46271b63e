// A service of MSW handlers that responds as each test says, and a client for it.
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';

const server = setupServer();

/** Starts the service for the tests of the calling file. A request that no test expects fails. */
export function useTestService(): void {
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
}

/** Base URLs of both interfaces. */
const restUrl = 'https://rest.example.test';
const legacyUrl = 'https://legacy.example.test';

/** A request as received. */
export interface Received {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  /** Encoded, with its `?`; empty if there is none. */
  readonly query: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A response. A string is sent unchanged, anything else as JSON. */
export interface ServiceResponse {
  readonly body: unknown;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** Responds to an endpoint such as `POST /api/v1/rest/tag`, and returns the requests that arrive. */
export function respond(endpoint: string, { body, status = 200, headers = {} }: ServiceResponse): Received[] {
  const [method = '', path = ''] = endpoint.split(' ');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const host = path.startsWith('/api/v1/rest/') ? restUrl : legacyUrl;
  const seen: Received[] = [];
  const register = http[method.toLowerCase() as 'get' | 'post' | 'delete'];
  server.use(
    register(host + path, async ({ request }) => {
      const { origin, pathname, search } = new URL(request.url);
      const { headers: sent } = request;
      const body = await request.text();
      seen.push({ method: request.method, origin, path: pathname, query: search, headers: sent, body });
      const noContent = status === 204 || status === 304;
      return new HttpResponse(noContent ? null : text, {
        status,
        headers: {
          'content-type': 'application/json',
          ...(!noContent && { 'content-length': `${Buffer.byteLength(text ?? '')}` }),
          ...headers,
        },
      });
    }),
  );
  return seen;
}

/** A client of both interfaces that never retries. */
export const makeClient = (options: ClientOptions = {}): EmailMarketingClient =>
  new EmailMarketingClient({
    baseUrl: restUrl,
    apiKey: 'rest-key',
    legacyBaseUrl: legacyUrl,
    legacyApiKey: 'legacy-key',
    teamId: 'team-7',
    maxRetries: 0,
    logLevel: 'off',
    ...options,
  });
