// Requests that Chromium itself refuses: others have used up its budget for `keepalive`, or it is offline.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright';
import { afterAll, test as base, beforeAll, describe, expect, vi } from 'vitest';
import { EmailMarketingClient } from '../../../src/index.ts';
import { createSandbox } from '../../../src/testing/index.ts';
import type { createBrowserClient } from '../../../src/web/browser/index.ts';
import { createProxyHandler, toNodeListener } from '../../../src/web/handler/index.ts';
import { servePage } from '../../runtimes/page-server.ts';
import { openChromium } from '../../support/chromium.ts';
import { chromium, skipsWithout } from '../../support/programs.ts';

const test = base.skipIf(skipsWithout(chromium));
vi.setConfig({ testTimeout: 90_000 });

let browser: Browser;
let script: string;

beforeAll(async () => {
  browser = await openChromium();
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../../src/web/browser/index.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'library',
    platform: 'browser',
    logLevel: 'error',
  });
  script = outputFiles[0]?.text ?? '';
}, 120_000);
afterAll(() => browser?.close());

/** Opens a page whose handler, if it forgets, acts and closes the connection each time, and remembers no call. */
async function openPage({ forgets = false } = {}) {
  const sandbox = createSandbox();
  const { fetch, apiKey, teamId } = sandbox;
  const client = new EmailMarketingClient({ baseUrl: 'https://service.test', fetch, apiKey, teamId });
  const makeListener = () =>
    toNodeListener(createProxyHandler(client, { allow: ['tags.create'], authorize: 'public' }));
  const remembering = makeListener();
  const api = (request: IncomingMessage, response: ServerResponse) => {
    if (!forgets) return remembering(request, response);
    const close = () => request.socket.destroy();
    return makeListener()(request, { writeHead() {}, write() {}, end: close, destroy: close });
  };
  const site = await servePage({
    files: { '/index.html': '<!doctype html><script src="/page.js"></script>', '/page.js': script },
    // Never responds: what the page sends there stays in flight.
    listeners: { '/beacon': request => void request.resume(), '/api': api },
    handler: async () => new Response(null, { status: 404 }),
  });
  const page = await browser.newPage();
  await page.goto(site.url);
  return {
    page,
    created: () => sandbox.state.tags.all.map(({ name }) => name),
    acted: () => sandbox.requests.count('tags.create'),
    [Symbol.asyncDispose]: async () => {
      await page.close();
      await site.close();
    },
  };
}

/** Makes calls in a page at once, each followed by a time in which the page is busy, and returns their outcomes. */
const outcomesOf = (page: Page, names: readonly string[], options = {}, busyMs = 0): Promise<string[]> =>
  page.evaluate(
    async ([names, options, busyMs]) => {
      const { library } = globalThis as unknown as {
        library: { createBrowserClient: typeof createBrowserClient };
      };
      const client = library.createBrowserClient({ url: '/api', ...options });
      const calls = names.map(name => {
        const call = client.tags.create({ name }).safe();
        const until = performance.now() + busyMs;
        while (performance.now() < until);
        return call;
      });
      return (await Promise.all(calls)).map(result => (result.ok ? 'done' : result.error.outcome));
    },
    [names, options, busyMs] as const,
  );

const useUpBudget = (page: Page) =>
  page.evaluate(() => {
    navigator.sendBeacon('/beacon', 'x'.repeat(65_536));
  });

const names = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index}`);

test('calls are made while another script uses up the budget for keepalive', async () => {
  await using site = await openPage();
  await useUpBudget(site.page);
  const outcomes: string[] = [];
  for (const name of names(40)) outcomes.push(...(await outcomesOf(site.page, [name])));
  // A busy machine delays a refusal, so that it is not known as one: such a call is not made.
  const made = names(40).filter((_, index) => outcomes[index] === 'done');
  expect(made).not.toEqual([]);
  expect(site.created()).toEqual(made);
  expect(site.acted()).toBe(made.length);
});

test('300 calls at once are made', async () => {
  await using site = await openPage();
  expect(await outcomesOf(site.page, names(300))).toEqual(Array(300).fill('done'));
  expect(site.acted()).toBe(300);
});

test('a call is made when the browser was offline for a moment', async () => {
  await using site = await openPage();
  const context = site.page.context();
  await context.setOffline(true);
  expect(await outcomesOf(site.page, ['first'], { maxRetries: 0 })).toEqual(['not-sent']);
  const outcomes = outcomesOf(site.page, ['second'], { maxRetries: 10 });
  await new Promise(resolve => setTimeout(resolve, 500));
  await context.setOffline(false);
  expect(await outcomes).toEqual(['done']);
  expect(site.created()).toEqual(['second']);
  expect(site.acted()).toBe(1);
});

describe('a handler that acts, closes the connection and forgets', () => {
  test.each([0, 1, 3, 10, 100])(
    'performs no call twice if the page is busy for %d ms after it',
    async busyMs => {
      await using site = await openPage({ forgets: true });
      // The browser itself sends a request again on the connection that it reuses, which it opened for the page.
      await outcomesOf(site.page, ['first']);
      const before = site.acted();
      for (const name of names(20))
        expect(await outcomesOf(site.page, [name], { maxRetries: 1 }, busyMs)).toEqual(['unknown']);
      expect(site.acted() - before).toBe(20);
    },
  );

  test('performs no call twice whose first request the browser refused', async () => {
    await using site = await openPage({ forgets: true });
    await outcomesOf(site.page, ['first']);
    const before = site.acted();
    await useUpBudget(site.page);
    for (const name of names(20))
      expect(await outcomesOf(site.page, [name], { maxRetries: 1 })).toEqual(['unknown']);
    expect(site.acted() - before).toBeLessThanOrEqual(20);
  });
});
