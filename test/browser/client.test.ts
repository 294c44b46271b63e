// The browser client: what it sends, returns and rejects.
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from 'vitest';
import {
  type BrowserClient,
  type BrowserClientOptions,
  createBrowserClient,
} from '../../src/browser/index.ts';
import { Secret } from '../../src/helpers/secret.ts';
import {
  type CallAttemptEvent,
  ConfigurationError,
  type EmailMarketingClient,
  type Resources,
} from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { calls } from '../endpoints.ts';
import { makePage } from '../proxy/page.ts';
import { sandboxForEveryOperation } from '../support/sandbox-seed.ts';

// The page that relative addresses belong to.
beforeEach(() => {
  vi.stubGlobal('location', new URL('http://localhost/shop?page=1'));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const whole = (result: unknown) => result;

test.each(calls)(
  '$title has the same result and request in a web page as on the server',
  async ({ name, call }) => {
    const resultOf = async (side: 'client' | 'page') => {
      const sandbox = createSandbox({ ...sandboxForEveryOperation, now: () => new Date(0) });
      const made = makePage({ allow: [name], output: { [name]: whole } }, sandbox);
      const value = JSON.stringify(await call(made[side]));
      const [request] = sandbox.requests;
      return { value, path: request?.path, query: request?.query, body: request?.body };
    };
    expect(await resultOf('page')).toEqual(await resultOf('client'));
  },
);

test('has the resources, methods and types of the full client', () => {
  const { page, client } = makePage();
  const resourcesOf = (all: object) =>
    Object.entries(all).flatMap(([name, methods]) =>
      typeof methods === 'object' ? [[name, Object.keys(methods).sort()]] : [],
    );
  const expected = resourcesOf(client);
  expect(resourcesOf(page)).toEqual(expected);
  expect(expected).toContainEqual(['lists', ['all', 'create', 'delete', 'list']]);
  expectTypeOf(page).toEqualTypeOf<BrowserClient>();
  expectTypeOf(page).toExtend<Resources>();
  expectTypeOf<EmailMarketingClient>().toExtend<typeof page>();
});

test.each([[{ contacts: [] }], [null]])(
  'rejects with InvalidResponseError if the server returns %j as a list of contacts',
  async data => {
    const call = pageAt('/', data).page.contacts.findByEmail('ada@example.com');
    await expect(call).rejects.toMatchObject({ name: 'InvalidResponseError', outcome: 'done' });
  },
);

/** Creates a page whose handler responds with this data, and records its requests and the addresses in its events. */
function pageAt(url: string, data: unknown = { id: 'tag_1' }, headers: BrowserClientOptions['headers'] = {}) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json({ data }));
  const paths: string[] = [];
  const hooks = {
    onRequest: (event: { origin: string; path: string }) => paths.push(event.origin + event.path),
  };
  const page = createBrowserClient({ url, headers, fetch, hooks });
  return { page, fetch, paths, bodies: () => fetch.mock.calls.map(([, { body }]) => body) };
}

test.each<[object, object]>([
  [{ data: { total: Number.NaN } }, { path: 'data.total', received: 'NaN' }],
  [{ data: { card: new Secret('4111') } }, { path: 'data.card', received: 'object' }],
  [{ time: new Date(Number.NaN) }, { path: 'time', received: 'NaN' }],
  [{ data: [new Map([['plan', 'pro']])] }, { path: 'data.0', received: 'map' }],
])('rejects the input %o, which JSON cannot hold, and names the field', async (input, issue) => {
  const { page, fetch } = pageAt('/api');
  const issues = [{ expected: 'JSON-serializable', ...issue }];
  expect(await page.events.record(input as never).safe()).toMatchObject({
    error: { name: 'InvalidRequestError', operation: 'events.record', outcome: 'not-sent', issues },
  });
  expect(fetch).not.toHaveBeenCalled();
});

test('sends the fields of an object of a class, which the full client takes too', async () => {
  class Form {
    readonly email = 'ada@example.com';
    readonly firstName = undefined;
  }
  const { page, bodies } = pageAt('/api');
  await page.legacy.identify(new Form());
  expect(bodies()).toEqual(['{"operation":"legacy.identify","input":{"email":"ada@example.com"}}']);
});

test.each([
  ['/api/email-marketing', 'http://localhost/api/email-marketing'],
  ['https://app.test:8443/a/b/', 'https://app.test:8443/a/b/'],
  ['/api?next=/a/b&c=d', 'http://localhost/api?next=/a/b&c=d'],
  ['/api/#top', 'http://localhost/api/'],
])('sends the calls of a client of %s to %s', async (url, address) => {
  const { page, fetch, paths } = pageAt(url);
  await page.tags.create({ name: 'vip' });
  await page.senders.list();
  expect(fetch.mock.calls.map(([to]) => to)).toEqual([address, address]);
  const withoutQuery = address.replace(/\?.*/, '');
  expect(paths).toEqual([withoutQuery, withoutQuery]);
});

test('the query of its address, such as a token, appears in no event or error', async () => {
  const seen: unknown[] = [];
  const see = (event: unknown) => void seen.push(event);
  const replies = [Response.json({ data: { id: 'tag_1' } }), new Response('', { status: 503 })];
  const page = createBrowserClient({
    url: 'https://app.test/api?token=5ecret-token',
    hooks: { onRequest: see, onSuccess: see, onRetry: see, onError: see, onCancel: see },
    fetch: async () => replies.shift() ?? new Response('no', { status: 404 }),
  });
  await page.tags.create({ name: 'vip' });
  see(await page.tags.create({ name: 'vip' }).safe());
  expect(seen).toHaveLength(7);
  expect(inspect(seen, { depth: 9 })).not.toContain('5ecret');
});

test('sends operation and input in one POST, with the headers of client and call, and a new id', async () => {
  const given = { 'x-csrf': 'one', 'x-app': 'shop', 'X-Call-Id': 'f'.repeat(32) };
  const { fetch, page } = pageAt('/api', {}, given);
  await page.tags.create({ name: 'vip' }, { headers: { 'X-CSRF': 'two', 'x-call-id': 'e'.repeat(32) } });
  const [, init] = fetch.mock.calls[0] ?? [];
  const body = '{"operation":"tags.create","input":{"name":"vip"}}';
  expect(init).toMatchObject({ method: 'POST', redirect: 'manual', body });
  expect(Object.fromEntries(new Headers(init?.headers))).toEqual({
    'content-type': 'application/json',
    'x-call-id': expect.stringMatching(/^(?!(.)\1+$)[0-9a-f]{32}$/),
    'x-csrf': 'two',
    'x-app': 'shop',
  });
});

test('the `callId` of its events is the id that the handler gets, even for a call that fails', async () => {
  const received: unknown[] = [];
  const reported: unknown[] = [];
  const report = ({ callId }: CallAttemptEvent) => void reported.push(callId);
  const page = createBrowserClient({
    url: 'https://app.test/api',
    hooks: { onRequest: report, onSuccess: report, onError: report },
    fetch: async (_url, { headers }) => {
      received.push(new Headers(headers).get('x-call-id'));
      return Response.json({ data: null }, { status: received.length === 1 ? 200 : 404 });
    },
  });
  await page.senders.list();
  await page.senders.list().safe();
  const [first, second] = received;
  expect(first).not.toBe(second);
  expect(reported).toEqual([first, first, second, second]);
});

test('sends headers that a function returns for each call, and nothing if it throws', async () => {
  const tokens = ['one', 'two'];
  const { fetch, page } = pageAt('/api', {}, async () => {
    if (tokens.length === 0) throw new Error('signed out');
    return { 'X-CSRF': String(tokens.shift()) };
  });
  for (let call = 0; call < 2; call++) await page.tags.create({ name: 'vip' });
  expect(await page.tags.create({ name: 'vip' }).safe()).toMatchObject({
    error: { code: 'FUNCTION_FAILED', outcome: 'not-sent', cause: { message: 'signed out' } },
  });
  const sent = fetch.mock.calls.map(([, init]) => new Headers(init.headers).get('x-csrf'));
  expect(sent).toEqual(['one', 'two']);
});

test.each([
  ...[undefined, '', 5, 'ftp://app.test/', 'javascript:alert(1)', 'api/em', './api', '?x'].map(url => ({
    url,
  })),
  ...[{ apiKey: 'k' }, { throttle: {} }, { headers: { 'X-Team-ApiKey': 'k' } }, { timeout: 0 }, { fetch: 5 }],
])('rejects the options %j', options => {
  expect(() => createBrowserClient({ url: '/', ...options } as never)).toThrow(ConfigurationError);
});

test.each(['blob:https://app.test/1', 'about:srcdoc', 'file:///app/index.html'])(
  'requires a whole URL in a page or a worker at %s, which a path cannot be relative to',
  href => {
    vi.stubGlobal('location', { href });
    expect(() => createBrowserClient({ url: '/api' })).toThrow('or a whole URL (got string).');
    expect(() => createBrowserClient({ url: 'https://app.test/api' })).not.toThrow();
  },
);

test.each(['/', '/api/email-marketing', '/api?token=5ecret'])(
  'without a page, a call to the relative address %s fails at once, and says what to do',
  async url => {
    vi.stubGlobal('location', undefined);
    const fetch = vi.fn(async () => Response.json({ data: [] }));
    vi.stubGlobal('fetch', fetch);
    const message = 'senders.list: url must be absolute outside a web page.';
    for (const client of [createBrowserClient({ url }), createBrowserClient({ url, fetch })]) {
      const { error } = await client.senders.list().safe();
      const expected = { name: 'ConfigurationError', message, option: 'url', outcome: 'not-sent' };
      expect(error).toMatchObject({ ...expected, attempts: [] });
      expect(inspect(error)).not.toContain('5ecret');
    }
    expect(fetch).not.toHaveBeenCalled();
    await createBrowserClient({ url: 'https://app.test/api' }).senders.list();
    expect(fetch).toHaveBeenCalledOnce();
  },
);
