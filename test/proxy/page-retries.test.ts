// What a page does where the way to its handler fails, or something else responds.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import * as errors from '../../src/index.ts';
import { calls } from '../operations.ts';
import { makePage } from './page.ts';

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
    'ApiError',
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
  await expect(call(page)).rejects.toThrow(`${name}: 502 from app.test:8443: an empty body. ${end}`);
});
