// The browser client, with the handler behind it or something in its place: what it sends, returns and refuses.
import { expect, expectTypeOf, test, vi } from 'vitest';
import { type BrowserClient, createBrowserClient } from '../../src/browser/index.ts';
import {
  ConfigurationError,
  type EmailMarketingClient,
  InvalidRequestError,
  type Issue,
  type Resources,
} from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { calls } from '../operations.ts';
import { makePage } from '../proxy/page.ts';
import { sandboxForEveryOperation } from '../support/sandbox-seed.ts';

const whole = (result: unknown) => result;

test.each(calls)(
  '$title: a page gets what the server gets by the same request, where output returns it whole',
  async ({ name, call }) => {
    const now = () => new Date(0);
    const answers = await Promise.all(
      (['client', 'page'] as const).map(async side => {
        const sandbox = createSandbox({ ...sandboxForEveryOperation, now });
        const made = makePage({ allow: [name], output: { [name]: whole } }, sandbox);
        const value = JSON.stringify(await call(made[side]));
        const [request] = sandbox.requests;
        return { value, path: request?.path, query: request?.query, body: request?.body };
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  },
);

test('the private key of a domain stays on the server, and its place is kept', async () => {
  const { page, client } = makePage({ allow: ['domains.create'], output: { 'domains.create': whole } });
  const there = await client.domains.create({ name: 'a.example.com' });
  const here = await page.domains.create({ name: 'b.example.com' });
  expect(there.dkimConfig.reveal()).toContain('PrivKey');
  expect(here.dkimConfig.reveal()).toBe('[redacted]');
  expect(JSON.stringify(here)).toContain('"dkimConfig":"[redacted]"');
  expect(here.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
});

test('a page has the resources of the full client, by type as well', () => {
  const { page, client } = makePage();
  expect(Object.keys(page)).toEqual([...Object.keys(client), 'request']);
  expectTypeOf(page).toEqualTypeOf<BrowserClient>();
  expectTypeOf(page).toExtend<Resources>();
  expectTypeOf<EmailMarketingClient>().toExtend<typeof page>();
});

test('pagination uses the listing that is allowed', async () => {
  const { page } = makePage({ allow: ['contacts.list'] }, createSandbox({ seed: { contacts: 250 } }));
  const emails = new Set<string>();
  for await (const contact of page.contacts.all()) emails.add(contact.email);
  expect(emails.size).toBe(250);
});

test('withResponse and safe return the response of the proxy', async () => {
  const { page } = makePage({ allow: ['tags.create'] });
  const { data, response } = await page.tags.create({ name: 'vip' }).withResponse();
  expect(data.name).toBe('vip');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const again = await page.tags.create({ name: 'vip' }).safe();
  expect(again).toMatchObject({ ok: false, error: { name: 'ConflictError' } });
});

/** A page whose fetch is looked at. */
function watchedPage(options: Partial<Parameters<typeof createBrowserClient>[0]> = {}) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json({ data: { id: 'tag_1' } }));
  return { fetch, page: createBrowserClient({ url: '/api/email-marketing', fetch, ...options }) };
}

test('a call is one POST of its operation and input, with the headers that are wanted', async () => {
  const { fetch, page } = watchedPage({ headers: { 'x-csrf': 'one', 'x-app': 'shop' } });
  await page.tags.create({ name: 'vip' }, { headers: { 'X-CSRF': 'two' } });
  const [url, init] = fetch.mock.calls[0] ?? [];
  expect(url).toBe('http://localhost/api/email-marketing');
  expect(init).toMatchObject({ method: 'POST', redirect: 'manual' });
  expect(JSON.parse(String(init?.body))).toEqual({ operation: 'tags.create', input: { name: 'vip' } });
  expect(new Headers(init?.headers).get('content-type')).toBe('application/json');
  expect(new Headers(init?.headers).get('x-csrf')).toBe('two');
  expect(new Headers(init?.headers).get('x-app')).toBe('shop');
});

test('a time travels as whole Unix seconds', async () => {
  const { fetch, page } = watchedPage();
  await page.events.record({
    name: 'seen',
    identifier: 'ada@example.com',
    time: new Date(1_700_000_000_999),
  });
  expect(JSON.parse(String(fetch.mock.calls[0]?.[1].body)).input.time).toBe(1_700_000_000);
});

test.each<[string, unknown, string]>([
  ['a Map', new Map([['plan', 'pro']]), 'customFields'],
  ['a bigint', { plan: 5n }, 'customFields.plan'],
  ['a function', { plan: () => 'pro' }, 'customFields.plan'],
  ['not a number', { plan: Number.NaN }, 'customFields.plan'],
  ['an impossible date', { plan: new Date(Number.NaN) }, 'customFields.plan'],
])('what JSON would lose is refused in the page: %s', async (_, customFields, path) => {
  const { fetch, page } = watchedPage();
  const call = page.legacy.identify({
    email: 'a@b.test',
    customFields: customFields as Record<string, string>,
  });
  const error = await call.catch(thrown => thrown);
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.issues).toEqual([expect.objectContaining({ path })]);
  expect(fetch).not.toHaveBeenCalled();
});

test('an input that holds itself is refused', async () => {
  const { page } = watchedPage();
  const circle: Record<string, unknown> = {};
  circle.circle = circle;
  await expect(page.tags.create(circle as never)).rejects.toBeInstanceOf(InvalidRequestError);
});

test.each([[undefined], [''], [5], ['ftp://app.test/'], ['javascript:alert(1)']])(
  'the address %j is refused',
  url => {
    expect(() => createBrowserClient({ url: url as string })).toThrow(ConfigurationError);
  },
);

test.each(['throttle', 'onDrift', 'validation', 'maxResponseBytes', 'apiKey'])(
  'refuses the option %s, which only the full client has',
  name => {
    const make = () => createBrowserClient({ url: '/', [name]: {} } as never);
    expect(make).toThrow(`Unknown option "${name}" of createBrowserClient.`);
  },
);

test('a header that would hold a key is refused', () => {
  const make = () => createBrowserClient({ url: '/', headers: { 'X-Team-ApiKey': 'k' } });
  expect(make).toThrow(ConfigurationError);
});

/** A page whose handler responds with this data; the addresses and bodies of its requests, and the paths of its events. */
function pageAt(url: string, data: unknown = { id: 'tag_1' }) {
  const urls: string[] = [];
  const bodies: unknown[] = [];
  const paths: string[] = [];
  const page = createBrowserClient({
    url,
    logLevel: 'off',
    fetch: async (address, init) => {
      urls.push(address);
      bodies.push(init.body);
      return Response.json({ data });
    },
    hooks: { onRequest: ({ origin, path }) => paths.push(origin + path) },
  });
  return { page, urls, bodies, paths };
}

test.each([
  ['/', 'http://localhost/'],
  ['/api/email-marketing', 'http://localhost/api/email-marketing'],
  ['https://app.test:8443/a/b/', 'https://app.test:8443/a/b/'],
  ['/api?next=/a/b&c=d', 'http://localhost/api?next=/a/b&c=d'],
  ['/api/#top', 'http://localhost/api/'],
])('sends the calls of a client of %s to %s', async (url, address) => {
  const { page, urls, paths } = pageAt(url);
  await page.tags.create({ name: 'vip' });
  await page.request({ method: 'GET', path: '/contact' });
  expect(urls).toEqual([address, address]);
  expect(paths).toEqual([address, address]);
});

test('iterates over the lists that a search finds, 500 per request', async () => {
  const lists = Array.from({ length: 600 }, (_, index) => ({ name: `News ${index}` }));
  const sandbox = createSandbox({ seed: { lists: [...lists, { name: 'Other' }] } });
  const { page } = makePage({ allow: ['lists.list'] }, sandbox);
  const names = await page.lists.all({ search: 'News' }).toArray({ max: 1000 });
  expect(new Set(names.map(({ name }) => name)).size).toBe(600);
  expect(sandbox.requests[0]).toMatchObject({ query: { limit: '500', search: 'News' } });
});

test('iterates over the contacts that a search finds, 100 per request', async () => {
  const sandbox = createSandbox({
    seed: { contacts: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }] },
  });
  const { page } = makePage({ allow: ['contacts.list'] }, sandbox);
  const found = await page.contacts.all({ search: 'ada' }).toArray({ max: 10 });
  expect(found.map(({ email }) => email)).toEqual(['ada@example.com']);
  expect(sandbox.requests[0]).toMatchObject({ query: { limit: '100', search: 'ada' } });
});

test.each(['contacts', 'lists'] as const)(
  'an iteration over %s that is wrongly begun fails by its name',
  async name => {
    const { page } = pageAt('/api');
    const begin = () => page[name].all({}, { pageSize: 0 }).toArray({ max: 1 });
    await expect((async () => begin())()).rejects.toMatchObject({
      name: 'InvalidRequestError',
      operation: `${name}.all`,
    });
  },
);

/** Issues of the input of a call, which sends nothing. */
async function issuesOf(input: unknown): Promise<readonly Issue[]> {
  const { page, urls } = pageAt('/api');
  const result = await page.tags.create(input as never).safe();
  expect(urls).toEqual([]);
  expect(result).toMatchObject({ ok: false, error: { name: 'InvalidRequestError', outcome: 'not-sent' } });
  return (result as unknown as { error: { issues: readonly Issue[] } }).error.issues;
}

const unreadable = {
  get name(): string {
    throw new Error('PRIVATE');
  },
};

test('refuses an input whose members cannot be read, without the words of what they throw', async () => {
  expect(await issuesOf(unreadable)).toEqual([
    { path: '', expected: 'readable, without cycles', received: 'object' },
  ]);
});

test('sends null, booleans and lists as they are, and leaves the fields of value undefined out', async () => {
  const { page, bodies } = pageAt('/api');
  const input = { name: null, flags: [true, false], label: undefined };
  await page.tags.create(input as never);
  expect(bodies).toEqual(['{"operation":"tags.create","input":{"name":null,"flags":[true,false]}}']);
});

test.each<[string, unknown, Issue]>([
  ['nothing', undefined, { path: '', expected: 'an object that can be read', received: 'undefined' }],
  [
    'a schema of no standard',
    { schema: {} },
    { path: 'schema', expected: 'a Standard Schema', received: 'object' },
  ],
  [
    'a value that JSON cannot hold',
    { body: 5n },
    { path: 'body', expected: 'what JSON can hold', received: 'bigint' },
  ],
  [
    'members that cannot be read',
    unreadable,
    { path: '', expected: 'an object that can be read', received: 'object' },
  ],
])('refuses a request of %s before anything is sent', async (_, request, issue) => {
  const { page, urls } = pageAt('/api');
  const result = await page.request(request as never).safe();
  expect(result).toMatchObject({ ok: false, error: { operation: 'request', issues: [issue] } });
  expect(urls).toEqual([]);
});

test('keeps a field named dkimConfig of any other call than the creation of a domain', async () => {
  const { page } = pageAt('/api', { dkimConfig: 'shown by the output of the server' });
  expect(await page.request({ method: 'GET', path: '/domain' })).toEqual({
    dkimConfig: 'shown by the output of the server',
  });
});
