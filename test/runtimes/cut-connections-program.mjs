/** Node, Bun and Deno: `program <address> <calls> [<folder with undici> <proxy>]`. Prints the outcome of each call in a line. */
import { EmailMarketingClient } from 'email-marketing-client';

const [baseUrl, count, undici, proxy] = globalThis.Deno ? globalThis.Deno.args : process.argv.slice(2);
if (undici) {
  const { createRequire } = await import('node:module');
  const { ProxyAgent, setGlobalDispatcher } = createRequire(`${undici}/package.json`)('undici');
  setGlobalDispatcher(new ProxyAgent(proxy));
}
const options = { timeout: 1_000, maxRetries: 0, logLevel: 'off' };
const client = new EmailMarketingClient({ ...options, baseUrl, apiKey: 'key' });
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
let next = 0;

async function makeCalls() {
  while (next < Number(count)) {
    const id = `call-${next++}`;
    const method = methods[next % methods.length];
    // Every second write has a body.
    const body = method !== 'GET' && next % 10 < 5 ? { body: { note: 'x'.repeat((next * 37) % 500) } } : {};
    const call = client.request({ method, path: '/thing/{id}', params: { id }, ...body });
    const { ok, error } = await call.safe();
    console.log(id, ok ? 'ok' : error.outcome);
  }
}

await Promise.all(Array.from({ length: 16 }, makeCalls));
(globalThis.Deno ?? process).exit();
