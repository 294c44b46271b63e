/** Bun and Node: `program <address> <calls> [<folder with undici> <proxy>]`. Prints the outcome of each call in a line. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { EmailMarketingClient } from 'email-marketing-client';

const [baseUrl, count, undici, proxy] = process.argv.slice(2);
if (undici) {
  const { ProxyAgent, setGlobalDispatcher } = createRequire(join(undici, 'package.json'))('undici');
  setGlobalDispatcher(new ProxyAgent(proxy));
}
const client = new EmailMarketingClient({
  baseUrl,
  apiKey: 'key',
  timeout: 3_000,
  maxRetries: 0,
  logLevel: 'off',
});
const methods = ['POST', 'GET', 'PUT', 'DELETE'];
let next = 0;

async function makeCalls() {
  while (next < Number(count)) {
    const id = `call-${next++}`;
    const method = methods[next % methods.length];
    // Every second write has a body.
    const body = method !== 'GET' && next % 8 < 4 ? { body: { note: 'x'.repeat((next * 37) % 500) } } : {};
    const { ok, error } = await client
      .request({ method, path: '/thing/{id}', params: { id }, ...body })
      .safe();
    process.stdout.write(`${id} ${ok ? 'ok' : error.outcome}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, makeCalls));
process.exit();
