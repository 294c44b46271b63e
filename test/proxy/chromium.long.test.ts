// A page in Chromium, which sends a request again if a reused connection closes.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright';
import { afterAll, test as base, beforeAll, expect } from 'vitest';
import { type NodeListener, toNodeListener } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { openChromium } from '../support/chromium.ts';
import { chromium, skipsWithout } from '../support/programs.ts';
import { makePage } from './page.ts';
import { listening } from './raw-http.ts';

const missing = skipsWithout(chromium);
const test = base.skipIf(missing);

let browser: Browser;
beforeAll(async () => {
  if (!missing) browser = await openChromium();
}, 300_000);
afterAll(() => browser?.close());

const calls = 20;

interface PageGlobals {
  readonly library: typeof import('../../src/browser/index.ts');
}

/** Bundles the client for pages as one script, which sets the global `library`. */
async function bundleBrowserClient(): Promise<string> {
  const entry = fileURLToPath(new URL('../../src/browser/index.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'library',
  });
  return outputFiles[0]?.text ?? '';
}

/** Closes a reused connection once the handler has acted on a new call, and counts how often. */
function closing(listener: NodeListener) {
  const ids = new Set<unknown>();
  const reused = new WeakSet<object>();
  const counted = { closed: 0 };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') return response.writeHead(200, { 'content-type': 'text/html' }).end();
    const { socket, headers } = request;
    const respond = !reused.has(socket) || ids.has(headers['x-call-id']);
    ids.add(headers['x-call-id']);
    reused.add(socket);
    if (respond) return listener(request, response);
    counted.closed += 1;
    const close = () => socket.destroy();
    return listener(request, { writeHead() {}, write() {}, end: close, destroy: close });
  };
  return { serve, counted };
}

test('performs each call of a page once, even if Chromium sends it again', async () => {
  const sandbox = createSandbox();
  const { handler } = makePage({ allow: ['tags.create'] }, sandbox, { timeout: 10_000 });
  const { serve, counted } = closing(toNodeListener(handler));
  await listening(serve, async port => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.addScriptTag({ content: await bundleBrowserClient() });
    const names = await page.evaluate(async count => {
      const { library } = globalThis as unknown as PageGlobals;
      const client = library.createBrowserClient({ url: '/api', maxRetries: 0 });
      const results: string[] = [];
      for (let index = 0; index < count; index++)
        results.push((await client.tags.create({ name: `tag ${index}` })).name);
      return results;
    }, calls);
    await page.close();
    expect(names).toEqual(Array.from({ length: calls }, (_, index) => `tag ${index}`));
  });
  expect(counted.closed).toBeGreaterThan(0);
  expect(sandbox.requests).toHaveLength(calls);
});
