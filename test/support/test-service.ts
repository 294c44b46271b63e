// The fault server as a service whose responses each test sets, and a client for it.
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { type FaultServer, type Received, startFaultServer } from './fault-server.ts';

let server: FaultServer;
let routes: { readonly method: string; readonly path: RegExp; readonly respond: Respond }[] = [];

type Respond = Parameters<FaultServer['otherwise']>[0];

/** Base URLs of both interfaces. */
export let restUrl: string;
export let legacyUrl: string;

/** Starts the service for the tests of the calling file. A request that no test expects fails. */
export function useTestService(): void {
  beforeAll(async () => {
    server = await startFaultServer();
    restUrl = server.url;
    legacyUrl = server.url.replace('127.0.0.1', 'localhost');
    server.otherwise(exchange => {
      const { method, path } = exchange.request;
      const route = routes.find(each => each.method === method && each.path.test(path));
      if (route) return route.respond(exchange);
      exchange.socket.destroy();
      throw new Error(`No test expects ${method} ${path}.`);
    });
  });
  afterEach(() => {
    routes = [];
  });
  afterAll(() => server.close());
}

/** A response. A string is sent unchanged, anything else as JSON. */
interface ServiceResponse {
  readonly body: unknown;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/**
 * Responds to an endpoint such as `POST /api/v1/rest/tag`, in which `:id` is any segment, and returns the requests that
 * arrive.
 */
export function respond(endpoint: string, { body, status = 200, headers = {} }: ServiceResponse): Received[] {
  const [method = '', path = ''] = endpoint.split(' ');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const length = { 'content-length': `${Buffer.byteLength(text)}` };
  const seen: Received[] = [];
  routes.unshift({
    method,
    path: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    respond: ({ request, response }) => {
      seen.push(request);
      const sent = { 'content-type': 'application/json', ...(![204, 304].includes(status) && length) };
      response.writeHead(status, { ...sent, ...headers }).end(text);
    },
  });
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
