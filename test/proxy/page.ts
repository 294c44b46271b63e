// A browser client with the handler and the sandbox behind it.

import { createBrowserClient } from '../../src/browser/index.ts';
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler, type ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';

/** Secrets that no response may hold. */
const apiKey = 'key-that-must-stay-on-the-server';
const teamId = 'team-that-must-stay-too';

/** Creates a sandbox, the server's client of it, the handler, and a browser client of the handler. */
export function makePage(
  options: Partial<ProxyOptions> = {},
  sandbox: Sandbox = createSandbox({ apiKey, teamId }),
  clientOptions: ClientOptions = {},
) {
  const client = new EmailMarketingClient({
    baseUrl: 'https://service.test',
    apiKey: sandbox.apiKey,
    teamId: sandbox.teamId,
    fetch: sandbox.fetch,
    maxRetries: 0,
    logLevel: 'off',
    ...clientOptions,
  });
  const handler = createProxyHandler(client, { authorize: 'public', onError: () => {}, ...options });
  const page = createBrowserClient({
    url: 'https://app.test/api/email-marketing',
    fetch: (url, init) => handler(new Request(url, init)),
  });
  const send = (body: unknown, init?: RequestInit) => handler(requestOf(body, init));
  return { sandbox, client, handler, page, send };
}

/** Makes a request as a web page would. `init` changes parts of it. */
export const requestOf = (body: unknown, init: RequestInit = {}) =>
  new Request('https://app.test/api/email-marketing', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', origin: 'https://app.test', ...init.headers },
  });

/** Returns the status and the JSON of a response. Fails if it shows a secret or a stack. */
export async function readReply(response: Response) {
  const text = await response.text();
  const headers = JSON.stringify([...response.headers]);
  for (const secret of [apiKey, teamId, 'PRIVATE', '"stack"', 'node_modules', '.ts:'])
    if ((text + headers).includes(secret)) throw new Error(`The response holds ${secret}: ${text}`);
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
