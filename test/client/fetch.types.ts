// The option `fetch` accepts every kind of `fetch`. The compiler tests this file.
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { EmailMarketingClient, type FetchFunction } from '../../src/index.ts';

/** As node-fetch 3 declares it. */
interface NodeFetchInit {
  readonly body?: Blob | Buffer | URLSearchParams | NodeJS.ReadableStream | string | null;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal | null;
}
declare const nodeFetch: (url: string | URL, init?: NodeFetchInit) => ReturnType<FetchFunction>;

const dispatcher = new ProxyAgent('http://proxy.example.com:8080');

/** A client for each kind of `fetch`. */
export const clients = [
  new EmailMarketingClient({ fetch: globalThis.fetch }),
  new EmailMarketingClient({ fetch: undiciFetch }),
  new EmailMarketingClient({ fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }) }),
  new EmailMarketingClient({ fetch: (url, init) => nodeFetch(url, init as NodeFetchInit) }),
  // @ts-expect-error -- node-fetch declares no buffer as body, so that its options need the cast above
  new EmailMarketingClient({ fetch: nodeFetch }),
  new EmailMarketingClient({ fetch: async () => Response.json([]) }),
  new EmailMarketingClient({
    fetch: async (_, { body }) => Response.json(JSON.parse((await new Response(body).text()) || 'null')),
  }),
  // @ts-expect-error -- a body can be a buffer or a stream
  new EmailMarketingClient({ fetch: async (_, { body }) => Response.json(JSON.parse(body ?? 'null')) }),
  // @ts-expect-error -- a response has a status
  new EmailMarketingClient({ fetch: async () => ({ text: async () => '' }) }),
];
