/**
 * Makes calls of every operation through a gateway, and prints a result of each as JSON. Runs on each Node, with the built
 * package: `program.ts <address> <sender> <number of calls>`. The browser client calls a handler of this
 * process, which is behind the gateway, on `HANDLER_PORT`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:http';
import { type CallOptions, EmailMarketingClient } from 'email-marketing-client';
import { createBrowserClient } from 'email-marketing-client/browser';
import { createProxyHandler, toNodeListener } from 'email-marketing-client/proxy';
import { calls as operations } from '../endpoints.ts';
import { listen } from '../support/listen.ts';
import { callHeader, callOf, type TestedClient, totalTimeoutMs } from './calls.ts';

const [baseUrl = '', sender = '', count = ''] = process.argv.slice(2);

/** Maximum number of parallel calls. With the browser client, this process also runs the handler. */
const concurrency = sender === 'browser client' ? 8 : 24;

const options = { apiKey: 'key-of-the-team', teamId: 'team-7', logLevel: 'off' } as const;

/** Headers that the handler forwards, by which the backend recognizes a call. */
const passedOn = new AsyncLocalStorage<Record<string, string>>();

/** Starts a handler, which calls the backend itself. Returns a browser client that calls it through the gateway. */
async function browserClient(): Promise<TestedClient> {
  const { BACKEND = '', HANDLER_PORT } = process.env;
  const headers = () => passedOn.getStore() ?? {};
  // The gateway gives up before.
  const service = new EmailMarketingClient({ ...options, baseUrl: BACKEND, headers, timeout: 1_500 });
  const handler = createProxyHandler(service, {
    allow: operations.map(({ name }) => name),
    authorize: 'public',
  });
  const listener = toNodeListener(handler);
  const server = createServer((incoming, outgoing) => {
    const names = [callHeader, 'x-protocol'];
    const values = Object.fromEntries(names.map(name => [name, String(incoming.headers[name])]));
    passedOn.run(values, listener, incoming, outgoing);
  });
  await listen(server, '127.0.0.1', Number(HANDLER_PORT));
  const browser = createBrowserClient({ url: `${baseUrl}/handler` }) as unknown as TestedClient;
  // The browser client has no `request`.
  const event = { name: 'Fired', identifier: 'ada@example.com' };
  const request: TestedClient['request'] = ({ body }, callOptions) =>
    browser.events.record({ ...event, data: { body: String(body) } }, callOptions);
  return { ...browser, request };
}

const client: TestedClient =
  sender === 'browser client'
    ? await browserClient()
    : (new EmailMarketingClient({
        ...options,
        baseUrl,
        ...(sender === 'fetch' && { fetch: globalThis.fetch }),
      }) as unknown as TestedClient);

async function resultOf(number: number) {
  // Each third call waits for less time than the gateway.
  const timeout = number % 3 === 0 ? 300 : 2_000;
  const options: CallOptions = {
    timeout,
    totalTimeout: totalTimeoutMs,
    headers: { [callHeader]: String(number) },
  };
  const start = performance.now();
  const result = await callOf(number).call(client, options).safe();
  const ms = performance.now() - start;
  if (result.ok) return { number, ms, outcome: 'ok', requests: 0 };
  const { outcome, message, attempts = [] } = result.error;
  return { number, ms, outcome, message, requests: attempts.length };
}

const results: Awaited<ReturnType<typeof resultOf>>[] = [];
let next = 0;
const worker = async () => {
  while (next < Number(count)) results.push(await resultOf(next++));
};
await Promise.all(Array.from({ length: concurrency }, worker));
process.stdout.write(JSON.stringify(results), () => process.exit());
