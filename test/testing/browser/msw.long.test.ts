import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright';
import { afterAll, test as base, beforeAll, expect, vi } from 'vitest';
import { openChromium } from '../../support/chromium.ts';
import { listen } from '../../support/listen.ts';
import { chromium, skipsWithout } from '../../support/programs.ts';

const test = base.skipIf(skipsWithout(chromium));
const root = new URL('../../../', import.meta.url);
vi.setConfig({ testTimeout: 90_000 });

let browser: Browser;
let work: string;

beforeAll(async () => {
  browser = await openChromium();
  work = await mkdtemp(join(tmpdir(), 'sandbox-msw-'));
  await build({
    entryPoints: [fileURLToPath(new URL('test/testing/browser/worker.ts', root))],
    outdir: work,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  });
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await rm(work, { recursive: true });
});

/** Serves a page with a script, and MSW's service worker. */
async function serve(script: string, worker: URL): Promise<AsyncDisposable & { url: string }> {
  const files: Record<string, [string, string]> = {
    '/': ['text/html', '<script type="module" src="/script.js"></script>'],
    '/script.js': ['text/javascript', await readFile(script, 'utf8')],
    '/mockServiceWorker.js': ['text/javascript', await readFile(worker, 'utf8')],
  };
  const server = createServer((request, response) => {
    const [type, text] = files[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(text === '' ? 404 : 200, { 'content-type': type }).end(text);
  });
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${await listen(server)}`, [Symbol.asyncDispose]: close };
}

test('MSW in a browser responds from the sandbox', async () => {
  const worker = new URL('node_modules/msw/lib/mockServiceWorker.js', root);
  await using server = await serve(join(work, 'worker.js'), worker);
  const page = await browser.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => document.title !== '');
  expect(JSON.parse(await page.title())).toEqual({
    tag: 'vip',
    contacts: 2,
    dropped: 'TypeError',
    requests: 3,
  });
  await page.close();
});
