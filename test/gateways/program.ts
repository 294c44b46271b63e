/**
 * Makes calls of every operation through a gateway, and prints a result of each as JSON. Runs on each Node, with the built
 * package: `program.ts <address> <sender> <number of calls> <folder with undici>`.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type CallOptions, EmailMarketingClient } from 'email-marketing-client';
import { callHeader, callOf, type TestedClient, totalTimeoutMs } from './calls.ts';

const [baseUrl = '', sender = '', count = '', home = ''] = process.argv.slice(2);
const undici = createRequire(join(home, 'package.json'))('undici');

/** Maximum of calls under way. */
const concurrency = 24;

/** Dispatchers that a program can set for `fetch` and the client, besides those of Node itself. */
const dispatchers: Readonly<Record<string, () => object>> = {
  'Agent with a factory': () =>
    new undici.Agent({
      allowH2: true,
      factory: (origin: string) => new undici.Pool(origin, { allowH2: true }),
    }),
  'Agent that follows redirects': () =>
    new undici.Agent().compose(undici.interceptors.redirect({ maxRedirections: 3 })),
  ProxyAgent: () => new undici.ProxyAgent({ uri: process.env.PLAIN_PROXY, proxyTunnel: false }),
  Client: () => new undici.Client(baseUrl, { allowH2: true }),
  Pool: () => new undici.Pool(baseUrl, { allowH2: true }),
  RoundRobinPool: () => new undici.RoundRobinPool(baseUrl, { allowH2: true }),
  BalancedPool: () => new undici.BalancedPool([baseUrl], { allowH2: true }),
};
const [name = '', byFetch] = sender.split(', ');
const dispatcher = dispatchers[name]?.();
if (dispatcher) undici.setGlobalDispatcher(dispatcher);

const client = new EmailMarketingClient({
  baseUrl,
  apiKey: 'key-of-the-team',
  teamId: 'team-7',
  logLevel: 'off',
  ...(byFetch && { fetch: globalThis.fetch }),
});

async function resultOf(number: number) {
  // Each third call waits for less time than the gateway.
  const timeout = number % 3 === 0 ? 300 : 2_000;
  const options: CallOptions = {
    timeout,
    totalTimeout: totalTimeoutMs,
    headers: { [callHeader]: String(number) },
  };
  const start = performance.now();
  const result = await callOf(number)
    .call(client as unknown as TestedClient, options)
    .safe();
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
