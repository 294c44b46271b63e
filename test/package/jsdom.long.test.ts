// The built package in Jest's jsdom environment, which has no fetch, Request, Response, TextEncoder or TextDecoder.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Context, runInContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { createBrowserClient } from '../../src/browser/index.ts';
import type * as library from '../../src/index.ts';

/** Jest's environment, as far as it is used; its own types need those of Jest. */
interface Environment {
  readonly global: Record<string, unknown>;
  getVmContext(): Context;
  teardown(): Promise<void>;
}
const { TestEnvironment }: { TestEnvironment: new (config: object, context: object) => Environment } =
  createRequire(import.meta.url)('jest-environment-jsdom');

let environment: Environment;
beforeAll(() => {
  const projectConfig = { testEnvironmentOptions: {}, globals: {} };
  environment = new TestEnvironment({ globalConfig: {}, projectConfig }, { console });
});
afterAll(() => environment.teardown());
beforeEach(() => void Reflect.deleteProperty(environment.global, 'fetch'));

const dist = join(import.meta.dirname, '../../dist');

/** Files that the `imports` of the package choose where the conditions are those of Jest's jsdom: browser and require. */
const chosen: Readonly<Record<string, string>> = { '#transport': './page-transport.cjs' };

/** Loads a CommonJS file of the package in the environment, as Jest does. */
function load<T>(file: string): T {
  const module = { exports: {} };
  const text = `(function (module, exports, require) {${readFileSync(file, 'utf8')}\n})`;
  const run = runInContext(text, environment.getVmContext(), { filename: file });
  run(module, module.exports, (name: string) => load(join(dirname(file), chosen[name] ?? name)));
  return module.exports as T;
}

/** Puts a mock in place of the global `fetch`, as a test of a user does. */
function mockFetch(body: unknown) {
  const response = { status: 200, headers: new Headers(), text: async () => JSON.stringify(body) };
  const fetch = vi.fn(async (_url: string, _init: object) => response);
  environment.global.fetch = fetch;
  return fetch;
}

const makeClient = () => {
  const { EmailMarketingClient } = load<typeof library>(join(dist, 'index.cjs'));
  return new EmailMarketingClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'the-key',
    maxRetries: 0,
    logLevel: 'off',
    dangerouslyAllowBrowser: true,
  });
};

test.each(['index', 'browser', 'proxy', 'testing'])('%s.cjs loads where jsdom is', name => {
  expect(() => load(join(dist, `${name}.cjs`))).not.toThrow();
  expect(environment.global).not.toHaveProperty('TextEncoder');
});

test('the full client sends through a mocked global `fetch`', async () => {
  const fetch = mockFetch([{ id: 'sender_1', name: 'Ada', email: 'ada@example.com', isWhitelisted: true }]);
  const { data, response } = await makeClient().senders.list().withResponse();
  expect(data).toMatchObject([{ name: 'Ada' }]);
  expect(response.status).toBe(200);
  expect(fetch).toHaveBeenCalledExactlyOnceWith(
    'https://api.example.com/api/v1/rest/sender',
    expect.objectContaining({
      method: 'GET',
      headers: expect.objectContaining({ 'x-team-apikey': 'the-key', accept: 'application/json' }),
    }),
  );
});

test('the full client sends bodies through a mocked global `fetch`', async () => {
  const fetch = mockFetch({ id: 'tag_1', name: 'vip' });
  expect(await makeClient().tags.create({ name: 'vip' }).safe()).toMatchObject({ ok: true });
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{"name":"vip"}' });
});

test('the keyless client sends through a mocked global `fetch`', async () => {
  const fetch = mockFetch({ ok: true, data: [] });
  const browser = load<{ createBrowserClient: typeof createBrowserClient }>(join(dist, 'browser.cjs'));
  const client = browser.createBrowserClient({ url: '/api/email-marketing', maxRetries: 0, logLevel: 'off' });
  await client.senders.list().safe();
  expect(fetch.mock.calls[0]?.[0]).toBe('http://localhost/api/email-marketing');
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({ method: 'POST' });
});

test('without a global `fetch`, an error says what to do', async () => {
  const result = await makeClient().senders.list().safe();
  expect(result.ok ? undefined : result.error).toMatchObject({
    name: 'ConnectionError',
    outcome: 'not-sent',
    message: expect.stringContaining('Pass the option fetch'),
  });
});
