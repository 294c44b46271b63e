// Errors and retries of the browser client: those of the handler, of what stands in between, and of the network.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import * as errors from '../../src/index.ts';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { calls } from '../operations.ts';
import { makePage } from '../proxy/page.ts';

const allow = ['tags.create', 'tags.delete', 'legacy.identify', 'contacts.list'] as const;

/** The error that creating a tag ends with, in the page and on the server. */
async function bothErrors(
  prepare: (made: ReturnType<typeof makePage>) => unknown,
  options: Partial<ProxyOptions> = {},
) {
  const made = makePage({ allow, ...options });
  await prepare(made);
  const call = { name: 'vip' };
  const [there, here] = [
    await made.client.tags.create(call).safe(),
    await made.page.tags.create(call).safe(),
  ];
  if (there.ok || here.ok) throw new Error('Both calls were to fail');
  return { there: there.error, here: here.error as errors.EmailMarketingError & Record<string, unknown> };
}

test.each<[string, new (...args: never[]) => Error, object, (made: ReturnType<typeof makePage>) => unknown]>([
  [
    'a name in use',
    errors.ConflictError,
    { status: 409, outcome: 'refused' },
    ({ client }) => client.tags.create({ name: 'vip' }),
  ],
  [
    'a wrong key',
    errors.AuthenticationError,
    { status: 401, outcome: 'refused' },
    ({ sandbox }) => sandbox.fail('*', { status: 401 }),
  ],
  [
    'a forbidden call',
    errors.PermissionError,
    { status: 403, outcome: 'refused' },
    ({ sandbox }) => sandbox.fail('*', { status: 403 }),
  ],
  [
    'a missing resource',
    errors.NotFoundError,
    { status: 404, outcome: 'refused' },
    ({ sandbox }) => sandbox.fail('*', { status: 404, body: {} }),
  ],
  [
    'a malformed body',
    errors.BadRequestError,
    { status: 422, outcome: 'refused' },
    ({ sandbox }) => sandbox.fail('*', { status: 422, body: {} }),
  ],
  [
    'too many requests',
    errors.RateLimitError,
    { status: 429, retryAfter: 7, outcome: 'refused' },
    ({ sandbox }) => sandbox.fail('*', { status: 429, retryAfter: 7 }),
  ],
  [
    'a failing service',
    errors.ServerError,
    { status: 500, outcome: 'unknown' },
    ({ sandbox }) => sandbox.fail('*', { status: 500 }),
  ],
  [
    'a redirect',
    errors.ApiError,
    { status: 302, outcome: 'unknown' },
    ({ sandbox }) => sandbox.fail('*', { status: 302, body: '' }),
  ],
  ['a cut connection', errors.ConnectionError, { outcome: 'unknown' }, ({ sandbox }) => sandbox.drop('*')],
  [
    'silence',
    errors.TimeoutError,
    { limit: 'timeout', phase: 'head', outcome: 'unknown' },
    ({ sandbox }) => sandbox.stall('*'),
  ],
  [
    'half a response',
    errors.TimeoutError,
    { phase: 'body', outcome: 'unknown' },
    ({ sandbox }) => sandbox.stall('*', { at: 'body' }),
  ],
  [
    'an unusable response',
    errors.InvalidResponseError,
    { outcome: 'done' },
    ({ sandbox }) => sandbox.fail('*', { status: 200, body: '<html>' }),
  ],
])('%s comes out in the page as the same class', async (_, kind, members, prepare) => {
  const { there, here } = await bothErrors(prepare);
  expect(there).toBeInstanceOf(kind);
  expect(here).toBeInstanceOf(kind);
  expect(here).toMatchObject({ ...members, name: there.name, operation: 'tags.create' });
  expect(here.constructor).toBe(there.constructor);
  const exposed = await bothErrors(prepare, { exposeErrorDetails: true });
  expect(exposed.here).toMatchObject({ ...members, message: exposed.there.message });
});

test('sends a page no text of the service, and no address of it', async () => {
  const message = 'PRIVATE text of the service';
  const refused = await bothErrors(({ sandbox }) => sandbox.fail('*', { status: 422, body: { message } }));
  expect(refused.there.message).toContain(`422 from service.test: ${message}`);
  expect(refused.here.message).toBe('tags.create: the service rejected the request.');
  const cut = await bothErrors(({ sandbox }) => sandbox.drop('*'));
  expect(cut.there.message).toContain('service.test:443');
  expect(cut.here.message).toBe('tags.create: the connection from the server to the service failed.');
  const html = await bothErrors(({ sandbox }) => sandbox.fail('*', { status: 200, body: '<html>' }));
  expect(html.here.message).toBe('tags.create: the response of the service cannot be used.');
  expect(html.here.issues).toEqual([]);
});

test('an input that the server refuses is reported field by field', async () => {
  const { page } = makePage({ allow });
  const error = await page.legacy
    .identify({ email: 'nobody', birthday: '2025-02-30' })
    .catch(thrown => thrown);
  expect(error).toBeInstanceOf(errors.InvalidRequestError);
  expect(error.issues.map((issue: errors.Issue) => issue.path).sort()).toEqual(['birthday', 'email']);
});

test('a server that is not configured shows the page no more than the missing option', async () => {
  const made = makePage({ allow, onError: () => {} }, undefined, { teamId: undefined });
  const error = await made.page.legacy.identify({ email: 'a@b.test' }).catch(thrown => thrown);
  expect(error).toBeInstanceOf(errors.ConfigurationError);
});

test('an error of the service crosses without its body and headers', async () => {
  const { here } = await bothErrors(({ sandbox }) =>
    sandbox.fail('*', {
      status: 500,
      body: { status: 'error', message: 'oh', debug: 'inner' },
      headers: { 'x-inner': 'yes' },
    }),
  );
  expect((here as unknown as errors.ApiError).body).toBeUndefined();
  expect([...(here as unknown as errors.ApiError).headers]).toEqual([]);
});

const tagId = `tag_${'a1'.repeat(11)}`;

/** No wait before a retry. */
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A page whose way to the proxy fails so many times first. */
function shakyPage(failures: (() => Response | Promise<Response>)[]) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) =>
    (failures.shift() ?? (() => Response.json({ data: { id: tagId } })))(),
  );
  return { fetch, page: createBrowserClient({ url: '/api', fetch, timeout: 50, logLevel: 'off' }) };
}

const reset = () => Promise.reject(new TypeError('Failed to fetch'));
const notFound = () =>
  Response.json(
    { error: { name: 'NotFoundError', message: 'gone', outcome: 'refused', status: 404 } },
    { status: 404 },
  );

test('a wish that holds if repeated is sent again when the way to the proxy fails', async () => {
  const { fetch, page } = shakyPage([reset]);
  await page.legacy.identify({ email: 'a@b.test' });
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('retries a creation under the id of the call, and says that it is a retry', async () => {
  const { fetch, page } = shakyPage([reset]);
  await page.tags.create({ name: 'vip' });
  const sent = fetch.mock.calls.map(([, init]) => new Headers(init.headers));
  expect(sent.map(headers => headers.get('x-call-retry'))).toEqual([null, '1']);
  expect(sent[0]?.get('x-call-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(sent[1]?.get('x-call-id')).toBe(sent[0]?.get('x-call-id'));
});

test('gives each call an id of its own', async () => {
  const { fetch, page } = shakyPage([]);
  await page.tags.create({ name: 'vip' });
  await page.tags.create({ name: 'vip' });
  const ids = fetch.mock.calls.map(([, init]) => new Headers(init.headers).get('x-call-id'));
  expect(new Set(ids).size).toBe(2);
});

test('a `Retry-After` of a server in front of the proxy is waited for', async () => {
  const busy = () => new Response('busy', { status: 503, headers: { 'retry-after': '0' } });
  const { fetch, page } = shakyPage([busy]);
  await page.tags.create({ name: 'vip' });
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('the page does not retry what the server has already retried', async () => {
  const made = makePage({ allow: ['contacts.list'] });
  made.sandbox.fail('*', { status: 500 });
  await expect(made.page.contacts.list()).rejects.toBeInstanceOf(errors.ServerError);
  expect(made.sandbox.requests).toHaveLength(1);
});

test('a deletion whose first response was lost succeeds when there is nothing left to delete', async () => {
  const { page } = shakyPage([reset, notFound]);
  expect(await page.tags.delete(tagId)).toMatchObject({ status: 'success' });
  await expect(shakyPage([notFound]).page.tags.delete(tagId)).rejects.toBeInstanceOf(errors.NotFoundError);
});

test.each(calls)(
  '$title: a page retries after a reset, as the handler performs each call once',
  async row => {
    const { fetch, page } = shakyPage([reset, () => Response.json({ data: row.response })]);
    const result = await row.call(page).safe();
    expect(result.ok).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(2);
  },
);

test.each(calls)(
  '$title: a page takes "not found" after a reset for success of a deletion alone',
  async row => {
    const { page } = shakyPage([reset, notFound]);
    const result = await row.call(page).safe();
    if (row.notFoundIsSuccess) expect(result).toMatchObject({ data: { status: 'success', message: '' } });
    else expect(result).toMatchObject({ ok: false, error: { name: 'NotFoundError', status: 404 } });
  },
);

test('a deletion after a reset is not done if something other than the handler responds 404', async () => {
  const { page } = shakyPage([reset, () => new Response('Cannot POST /api', { status: 404 })]);
  await expect(page.tags.delete(tagId)).rejects.toMatchObject({ name: 'NotFoundError', outcome: 'unknown' });
});

test('a deletion that is refused after a reset is no success', async () => {
  const error = { name: 'PermissionError', message: 'refused', outcome: 'not-sent', status: 403 };
  const { page } = shakyPage([reset, () => Response.json({ error }, { status: 403 })]);
  await expect(page.tags.delete(tagId)).rejects.toMatchObject({ name: 'PermissionError', status: 403 });
});

test('a page retries a request of `request` after a reset, under the id of its call', async () => {
  const { fetch, page } = shakyPage([reset, () => Response.json({ data: { id: 'contact_1' } })]);
  const request = {
    method: 'POST',
    path: '/contact/{id}',
    params: { id: 'contact_1' },
    body: { a: 1 },
  } as const;
  expect(await page.request(request)).toEqual({ id: 'contact_1' });
  const sent = fetch.mock.calls.map(([url, init]) => {
    const headers = new Headers(init.headers);
    return { url, body: init.body, id: headers.get('x-call-id'), retry: headers.get('x-call-retry') };
  });
  const same = {
    url: 'http://localhost/api',
    body: '{"operation":"request","input":{"api":"rest","method":"POST","path":"/contact/{id}","params":{"id":"contact_1"},"body":{"a":1}}}',
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
  };
  expect(sent).toEqual([
    { ...same, retry: null },
    { ...same, retry: '1' },
  ]);
  expect(sent[1]?.id).toBe(sent[0]?.id);
});

test.each<[string, () => Response, string]>([
  ['a page of HTML', () => new Response('<!doctype html>'), 'InvalidResponseError'],
  ['JSON of something else', () => Response.json({ hello: 'world' }), 'InvalidResponseError'],
  ['an empty object', () => Response.json({}), 'InvalidResponseError'],
  ['null', () => Response.json(null), 'InvalidResponseError'],
  ['a list', () => Response.json([]), 'InvalidResponseError'],
  [
    'an error under 200',
    () => Response.json({ error: { name: 'ConflictError', message: 'used', outcome: 'refused' } }),
    'InvalidResponseError',
  ],
  [
    'an error of a known class without a message',
    () => Response.json({ error: { name: 'ApiError', outcome: 'refused' } }, { status: 404 }),
    'NotFoundError',
  ],
  [
    'an error of a known class without an outcome',
    () => Response.json({ error: { name: 'ApiError', message: 'gone' } }, { status: 404 }),
    'NotFoundError',
  ],
  ['an error that is a text', () => Response.json({ error: 'gone' }, { status: 404 }), 'NotFoundError'],
  ['an error that is null', () => Response.json({ error: null }, { status: 404 }), 'NotFoundError'],
  [
    'a login page elsewhere',
    () => new Response(null, { status: 302, headers: { location: '/login' } }),
    'ApiError',
  ],
  ['no such route', () => new Response('Cannot POST /api', { status: 404 }), 'NotFoundError'],
  [
    'an error of no known class',
    () => Response.json({ error: { name: 'constructor' } }, { status: 500 }),
    'ServerError',
  ],
])('a response that does not come from the proxy is a typed error: %s', async (_, answer, name) => {
  const { page } = shakyPage([answer, answer, answer]);
  await expect(page.tags.create({ name: 'vip' })).rejects.toMatchObject({ name, operation: 'tags.create' });
});

test('a proxy that does not respond runs into the time limit', async () => {
  const { page } = shakyPage([() => new Promise(() => {})]);
  await expect(page.tags.create({ name: 'vip' }, { maxRetries: 0 })).rejects.toMatchObject({
    name: 'TimeoutError',
    phase: 'head',
  });
});

test.each<[string, () => Promise<Response>, string]>([
  [
    'that could not be reached',
    reset,
    'app.test could not be reached, as far as the page can know. Check the network, and that the server allows requests from this page (CORS). It may have taken effect: check before you repeat it.',
  ],
  [
    'whose response broke off',
    async () =>
      new Response(new ReadableStream({ start: controller => controller.error(new Error('reset')) })),
    'the connection to app.test closed before the whole response came. It may have taken effect: check before you repeat it.',
  ],
])('says what to check of a server %s', async (_, fetch, message) => {
  const page = createBrowserClient({ url: 'https://app.test/api', fetch, logLevel: 'off', maxRetries: 0 });
  await expect(page.tags.create({ name: 'vip' })).rejects.toMatchObject({
    name: 'ConnectionError',
    message: `tags.create: ${message}`,
    outcome: 'unknown',
  });
});

test('a call that is cancelled ends with the reason given', async () => {
  const { page } = shakyPage([() => new Promise(() => {})]);
  const controller = new AbortController();
  const call = page.tags.create({ name: 'vip' }, { signal: controller.signal });
  controller.abort('left');
  await expect(call).rejects.toBe('left');
});

const caution = 'It may have taken effect: check before you repeat it.';

test.each<[string, (page: ReturnType<typeof createBrowserClient>) => PromiseLike<unknown>, string]>([
  ['tags.create', page => page.tags.create({ name: 'vip' }), caution],
  ['legacy.track', page => page.legacy.track({ email: 'a@b.test', addTags: ['vip'] }), caution],
  ['tags.delete', page => page.tags.delete(tagId), 'Try again later.'],
  ['postTags.get', page => page.postTags.get(tagId), 'Try again later.'],
  ['senders.list', page => page.senders.list(), 'Try again later.'],
  ['GET /stats', page => page.request({ method: 'GET', path: '/stats' }), 'Try again later.'],
  ['POST /stats', page => page.request({ method: 'POST', path: '/stats' }), caution],
])('names the host of the handler after %s, and cautions against a second write', async (name, call, end) => {
  const fetch = async () => new Response('', { status: 502 });
  const page = createBrowserClient({
    url: 'https://app.test:8443/api',
    fetch,
    logLevel: 'off',
    maxRetries: 0,
  });
  await expect(call(page)).rejects.toThrow(
    `${name}: 502 from app.test:8443: not a response of createProxyHandler. ${end}`,
  );
});

test('a response that is not from the handler keeps its body and its headers in the error', async () => {
  const body = { error: 'bad gateway', region: ['eu', 1] };
  const fetch = async () => Response.json(body, { status: 502, headers: { 'x-id': '1' } });
  const page = createBrowserClient({ url: 'https://app.test/api', fetch, maxRetries: 0 });
  const error = await page.senders.list().catch((thrown: errors.ServerError) => thrown);
  expect(error).toMatchObject({ name: 'ServerError', status: 502, body });
  expect((error as errors.ServerError).headers.get('x-id')).toBe('1');
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
