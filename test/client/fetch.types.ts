// The option `fetch` accepts every kind of `fetch`. The compiler tests this file.
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { EmailMarketingClient } from '../../src/index.ts';

const dispatcher = new ProxyAgent('http://proxy.example.com:8080');

/** A client for each kind of `fetch`. */
export const clients = [
  new EmailMarketingClient({ fetch: globalThis.fetch }),
  new EmailMarketingClient({ fetch: undiciFetch }),
  new EmailMarketingClient({ fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }) }),
  new EmailMarketingClient({ fetch: async () => Response.json([]) }),
  new EmailMarketingClient({
    fetch: async (_, { body }) => Response.json(JSON.parse((await new Response(body).text()) || 'null')),
  }),
  // @ts-expect-error -- a body can be a buffer or a stream
  new EmailMarketingClient({ fetch: async (_, { body }) => Response.json(JSON.parse(body ?? 'null')) }),
  // @ts-expect-error -- a response has a status
  new EmailMarketingClient({ fetch: async () => ({ text: async () => '' }) }),
];
