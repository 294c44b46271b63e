// What a page's client sends, reads and refuses.
import { expect, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { ConfigurationError, type Issue } from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { makePage } from './page.ts';

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

test.each([{ requestsPerSecond: 0 }, { acquire: 5 }, { burst: 1 }])(
  'refuses the limits %j when the client is made',
  throttle => {
    const make = () => createBrowserClient({ url: '/api', throttle: throttle as never });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/throttle/);
  },
);

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
    { path: '', expected: 'an input that can be read', received: 'another' },
  ]);
});

test('refuses an input that is nested more than 8 levels deep, with the place', async () => {
  const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
  expect(await issuesOf(nested(9))).toEqual([
    { path: 'a.a.a.a.a.a.a.a.a', expected: 'less deeply nested', received: 'object' },
  ]);
  const { page, urls } = pageAt('/api');
  await page.tags.create(nested(8) as never);
  expect(urls).toHaveLength(1);
});

test('refuses lists that are nested more than 8 levels deep, with the place', async () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'vip' : [nested(levels - 1)]);
  expect(await issuesOf({ name: nested(8) })).toEqual([
    { path: 'name[0][0][0][0][0][0][0][0]', expected: 'less deeply nested', received: 'string' },
  ]);
});

test('sends null, booleans and lists as they are, and leaves the fields of value undefined out', async () => {
  const { page, bodies } = pageAt('/api');
  const input = { name: null, flags: [true, false], label: undefined };
  await page.tags.create(input as never);
  expect(bodies).toEqual(['{"operation":"tags.create","input":{"name":null,"flags":[true,false]}}']);
});

test('reports at most 100 values that JSON cannot hold, by their places', async () => {
  const issues = await issuesOf({ list: Array.from({ length: 101 }, () => 5n) });
  expect(issues).toHaveLength(100);
  expect(issues[99]).toEqual({ path: 'list[99]', expected: 'what JSON can hold', received: 'bigint' });
});

test.each<[string, unknown, Issue]>([
  ['nothing', undefined, { path: '', expected: 'an object', received: 'undefined' }],
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
    { path: '', expected: 'an object that can be read', received: 'another' },
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

test('says of a response that is none of a handler what it expected', async () => {
  const page = createBrowserClient({
    url: '/api',
    logLevel: 'off',
    fetch: vi.fn(async () => Response.json([])),
  });
  expect(await page.tags.create({ name: 'vip' }).safe()).toMatchObject({
    error: {
      name: 'InvalidResponseError',
      issues: [{ path: '', expected: 'a response of createProxyHandler', received: 'array' }],
    },
  });
});
