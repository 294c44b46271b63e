import { expect, expectTypeOf, test, vi } from 'vitest';
import { type BrowserClient, createBrowserClient } from '../../src/browser/index.ts';
import {
  ConfigurationError,
  type EmailMarketingClient,
  InvalidRequestError,
  type Resources,
  type ServerError,
} from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { calls } from '../operations.ts';
import { sandboxForEveryOperation } from '../support/sandbox-seed.ts';
import { makePage } from './page.ts';

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

test('a response that is not from the handler keeps its body and its headers in the error', async () => {
  const body = { error: 'bad gateway', region: ['eu', 1] };
  const fetch = async () => Response.json(body, { status: 502, headers: { 'x-id': '1' } });
  const page = createBrowserClient({ url: 'https://app.test/api', fetch, maxRetries: 0 });
  const error = await page.senders.list().catch((thrown: ServerError) => thrown);
  expect(error).toMatchObject({ name: 'ServerError', status: 502, body });
  expect((error as ServerError).headers.get('x-id')).toBe('1');
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

test('a header that would hold a key is refused', () => {
  const make = () => createBrowserClient({ url: '/', headers: { 'X-Team-ApiKey': 'k' } });
  expect(make).toThrow(ConfigurationError);
});
