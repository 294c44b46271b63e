// Errors and retries of the browser client: those of the handler, of what stands in between, and of the network.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BrowserClientOptions, createBrowserClient } from '../../src/browser/index.ts';
import * as errors from '../../src/index.ts';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import type { Sandbox } from '../../src/testing/index.ts';
import { makePage } from '../proxy/page.ts';

const allow = ['tags.create', 'legacy.identify', 'contacts.list'] as const;

/** The error that creating a tag ends with, in the page and on the server. */
async function bothErrors(prepare: (sandbox: Sandbox) => unknown, options: Partial<ProxyOptions> = {}) {
  const { client, page, sandbox } = makePage({ allow, ...options });
  prepare(sandbox);
  const there = await client.tags.create({ name: 'vip' }).catch(error => error);
  const here = await page.tags.create({ name: 'vip' }).catch(error => error);
  return { there, here };
}

const { ApiError, ConnectionError, InvalidResponseError, RateLimitError, ServerError, TimeoutError } = errors;
const refused = (status: number) => ({ status, outcome: 'refused' });
const fail =
  (status: number, body: unknown = {}) =>
  (made: Sandbox) =>
    made.fail('*', { status, body });
const limit = (made: Sandbox) => made.fail('*', { status: 429, retryAfter: 7 });

test.each<[string, new (...args: never[]) => Error, object, (sandbox: Sandbox) => unknown]>([
  ['401', errors.AuthenticationError, refused(401), fail(401)],
  ['403', errors.PermissionError, refused(403), fail(403)],
  ['404', errors.NotFoundError, refused(404), fail(404)],
  ['409', errors.ConflictError, refused(409), fail(409)],
  ['422', errors.BadRequestError, refused(422), fail(422)],
  ['429', RateLimitError, { retryAfter: 7, ...refused(429) }, limit],
  ['500', ServerError, { status: 500, outcome: 'unknown' }, fail(500)],
  ['302', ApiError, { status: 302, outcome: 'unknown' }, fail(302, '')],
  ['a cut connection', ConnectionError, { outcome: 'unknown' }, made => made.drop('*')],
  ['silence', TimeoutError, { limit: 'timeout', phase: 'head', outcome: 'unknown' }, made => made.stall('*')],
  ['half a response', TimeoutError, { phase: 'body' }, made => made.stall('*', { at: 'body' })],
  ['HTML', InvalidResponseError, { outcome: 'done' }, fail(200, '<html>')],
])(
  'has the class and members of the error on the server after %s of the service',
  async (_, kind, members, prepare) => {
    const { there, here } = await bothErrors(prepare);
    expect(there).toBeInstanceOf(kind);
    expect(here.constructor).toBe(there.constructor);
    expect(here).toMatchObject({ ...members, name: there.name, operation: 'tags.create' });
    const exposed = await bothErrors(prepare, { exposeErrorDetails: true });
    expect(exposed.here).toMatchObject({ ...members, message: exposed.there.message });
  },
);

test('holds no text, body or header of the service, and no address of it', async () => {
  const body = { message: 'PRIVATE text of the service' };
  const refused = await bothErrors(made =>
    made.fail('*', { status: 422, body, headers: { 'x-inner': 'yes' } }),
  );
  expect(refused.there.message).toContain('422 from service.test: PRIVATE text of the service');
  expect(refused.here.message).toBe('tags.create: the service rejected the request.');
  expect(refused.here.body).toBeUndefined();
  expect([...refused.here.headers]).toEqual([]);
  const cut = await bothErrors(made => made.drop('*'));
  expect(cut.there.message).toContain('service.test:443');
  expect(cut.here.message).toBe('tags.create: the connection from the server to the service failed.');
  const html = await bothErrors(made => made.fail('*', { status: 200, body: '<html>' }));
  expect(html.here.message).toBe('tags.create: the response of the service cannot be used.');
  expect(html.here.issues).toEqual([]);
});

test('reports an input that the handler rejects field by field', async () => {
  const call = makePage({ allow }).page.legacy.identify({ email: 'nobody', birthday: '2025-02-30' });
  const error = await call.catch(thrown => thrown);
  expect(error).toBeInstanceOf(errors.InvalidRequestError);
  expect(error.issues.map(({ path }: errors.Issue) => path).sort()).toEqual(['birthday', 'email']);
});

const tagId = `tag_${'a1'.repeat(11)}`;

/** No wait before a retry. */
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Step = () => Response | Promise<Response>;

/** A page that gets these responses first, and then the one of a created tag. */
function pageWith(steps: readonly Step[], options: Partial<BrowserClientOptions> = {}) {
  const rest = [...steps];
  const fetch = vi.fn(async (_url: string, _init: RequestInit) =>
    (rest.shift() ?? (() => Response.json({ data: { id: tagId } })))(),
  );
  const url = 'https://app.test:8443/api';
  const page = createBrowserClient({ url, fetch, timeout: 50, logLevel: 'off', ...options });
  const sent = () =>
    fetch.mock.calls.map(([address, { headers, body }]) => {
      const own = new Headers(headers);
      return { address, body, id: own.get('x-call-id'), retry: own.get('x-call-retry') };
    });
  return { fetch, page, sent };
}

const reset: Step = () => Promise.reject(new TypeError('Failed to fetch'));
const silence: Step = () => new Promise(() => {});
const failed =
  (status: number, error: object): Step =>
  () =>
    Response.json({ error }, { status });
const notFound = failed(404, { name: 'NotFoundError', message: 'gone', outcome: 'refused', status: 404 });

type Page = ReturnType<typeof createBrowserClient>;

test.each<[string, string, (page: Page) => PromiseLike<unknown>]>([
  [
    'a creation',
    '{"operation":"tags.create","input":{"name":"vip"}}',
    page => page.tags.create({ name: 'vip' }),
  ],
  ['a listing', '{"operation":"senders.list"}', page => page.senders.list()],
  ['a deletion', `{"operation":"tags.delete","input":"${tagId}"}`, page => page.tags.delete(tagId)],
  [
    'another endpoint',
    '{"operation":"request","input":{"api":"rest","method":"POST","path":"/contact/{id}","params":{"id":"1"},"body":{"a":1}}}',
    page => page.request({ method: 'POST', path: '/contact/{id}', params: { id: '1' }, body: { a: 1 } }),
  ],
])(
  'retries %s after a reset under the id of the call, and says that it is a retry',
  async (_, body, call) => {
    const { page, sent } = pageWith([reset]);
    await call(page);
    const same = { address: 'https://app.test:8443/api', body, id: expect.stringMatching(/^[0-9a-f]{32}$/) };
    expect(sent()).toEqual([
      { ...same, retry: null },
      { ...same, retry: '1' },
    ]);
    expect(sent()[1]?.id).toBe(sent()[0]?.id);
    await call(page);
    expect(sent()[2]?.id).not.toBe(sent()[0]?.id);
  },
);

test('waits for the `Retry-After` of a server in front of the handler', async () => {
  const busy = () => new Response('busy', { status: 503, headers: { 'retry-after': '0' } });
  const { fetch, page } = pageWith([busy]);
  await page.tags.create({ name: 'vip' });
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('says that the service may have acted if something in front of the handler sends 503', async () => {
  const busy = () => new Response('busy', { status: 503, headers: { 'retry-after': '1' } });
  const { page } = pageWith([busy]);
  await expect(page.tags.create({ name: 'vip' }, { maxRetries: 0 })).rejects.toMatchObject({
    name: 'ServerError',
    outcome: 'unknown',
  });
});

test('does not retry what the server has already retried', async () => {
  const { page, sandbox } = makePage({ allow });
  sandbox.fail('*', { status: 500 });
  await expect(page.contacts.list()).rejects.toBeInstanceOf(ServerError);
  expect(sandbox.requests).toHaveLength(1);
});

const success = { status: 'success', message: '' };
const forbidden = failed(403, { name: 'PermissionError', message: 'no', outcome: 'not-sent', status: 403 });
const elsewhere: Step = () => new Response('Cannot POST /api', { status: 404 });

test.each<[string, object, Step[]]>([
  ['is done if the handler finds nothing after a reset', success, [reset, notFound]],
  ['is not done if the handler finds nothing at first', { name: 'NotFoundError' }, [notFound]],
  ['is not done if something else responds 404', { name: 'NotFoundError' }, [reset, elsewhere]],
  ['is not done if it is rejected after a reset', { name: 'PermissionError' }, [reset, forbidden]],
])('a deletion %s', async (_, expected, steps) => {
  const deleted = await pageWith(steps)
    .page.tags.delete(tagId)
    .catch(error => error);
  expect(deleted).toMatchObject(expected);
});

test('a read that finds nothing after a reset fails', async () => {
  const read = pageWith([reset, notFound]).page.postTags.get(tagId.replace('tag_', 'post_tag_') as never);
  await expect(read).rejects.toBeInstanceOf(errors.NotFoundError);
});

const plain =
  (status: number): Step =>
  () =>
    new Response('', { status });
const login = () => new Response(null, { status: 302, headers: { location: '/login' } });
const used = { name: 'ConflictError', message: 'used', outcome: 'refused' };
const unknownClass = { name: 'constructor', message: 'x', outcome: 'done' };

test.each<[string, Step, string]>([
  ['HTML', () => new Response('<!doctype html>'), 'InvalidResponseError'],
  ['other JSON', () => Response.json({ hello: 'world' }), 'InvalidResponseError'],
  ['null', () => Response.json(null), 'InvalidResponseError'],
  ['an error under 200', failed(200, used), 'InvalidResponseError'],
  ['an error without a message', failed(404, { ...used, message: undefined }), 'NotFoundError'],
  ['an error without an outcome', failed(404, { ...used, outcome: undefined }), 'NotFoundError'],
  ['an error of an unknown class', failed(500, unknownClass), 'ServerError'],
  ['an error whose class is an object', failed(404, { ...used, name: { toString: 'x' } }), 'NotFoundError'],
  ['an error that is text', () => Response.json({ error: 'gone' }, { status: 404 }), 'NotFoundError'],
  ['an error that is null', () => Response.json({ error: null }, { status: 404 }), 'NotFoundError'],
  ['a login page elsewhere', login, 'ApiError'],
  ['400', plain(400), 'BadRequestError'],
  ['401', plain(401), 'AuthenticationError'],
  ['403', plain(403), 'PermissionError'],
  ['409', plain(409), 'ConflictError'],
  ['418', plain(418), 'ApiError'],
  ['422', plain(422), 'BadRequestError'],
  ['429', plain(429), 'RateLimitError'],
])('is by the status of what is not a response of the handler: %s', async (_, step, name) => {
  const { page } = pageWith([step, step, step], { maxRetries: 0 });
  await expect(page.tags.create({ name: 'vip' })).rejects.toMatchObject({ name, operation: 'tags.create' });
});

test('keeps the body and the headers of what is not a response of the handler', async () => {
  const body = { error: 'bad gateway', region: ['eu', 1] };
  const step = () => Response.json(body, { status: 502, headers: { 'x-id': '1' } });
  const error = await pageWith([step], { maxRetries: 0 })
    .page.senders.list()
    .catch(thrown => thrown);
  expect(error).toMatchObject({ name: 'ServerError', status: 502, body });
  expect(error.headers.get('x-id')).toBe('1');
});

test('says what was expected of a response that is not of the handler', async () => {
  const { page } = pageWith([() => Response.json([])]);
  await expect(page.tags.create({ name: 'vip' })).rejects.toMatchObject({
    message:
      'tags.create: the response of app.test:8443 cannot be used: body: expected a response of createProxyHandler, got array. Check the option url: createProxyHandler must respond there. It may have taken effect: check before you repeat it.',
    issues: [{ path: '', expected: 'a response of createProxyHandler', received: 'array' }],
  });
});

const caution = 'It may have taken effect: check before you repeat it.';
const badGateway = '502 from app.test:8443: not a response of createProxyHandler.';
const unreachable =
  'no response from app.test:8443 (network failure, or blocked by CORS). Check the network, and that the server allows requests from this page (CORS).';
const broken = 'the connection to app.test:8443 closed before the whole response came.';
const breaking: Step = () =>
  new Response(new ReadableStream({ start: controller => controller.error(new Error('reset')) }));
const again = `${badGateway} Try again later.`;
const email = 'ada@example.com';
const create = (page: Page) => page.tags.create({ name: 'vip' });

test.each<[string, Step, (page: Page) => PromiseLike<unknown>, string]>([
  ['tags.create', plain(502), create, `${badGateway} ${caution}`],
  ['tags.delete', plain(502), page => page.tags.delete(tagId), `${badGateway} Try again later.`],
  ['senders.list', plain(502), page => page.senders.list(), `${badGateway} Try again later.`],
  [
    'GET /a',
    plain(502),
    page => page.request({ method: 'GET', path: '/a' }),
    `${badGateway} Try again later.`,
  ],
  ['POST /a', plain(502), page => page.request({ method: 'POST', path: '/a' }), `${badGateway} ${caution}`],
  [
    'HEAD /a',
    plain(502),
    page => page.request({ method: 'HEAD', path: '/a' }),
    `${badGateway} Try again later.`,
  ],
  ['legacy.track', plain(502), page => page.legacy.track({ email, addTags: ['a'] }), again],
  ['legacy.identify', plain(502), page => page.legacy.identify({ email, firstName: 'Ada' }), again],
  [
    'legacy.identify',
    plain(502),
    page => page.legacy.identify({ email, customFields: { n: '++5' } }),
    `${badGateway} ${caution}`,
  ],
  [
    'legacy.identify',
    plain(502),
    page => page.legacy.identify({ email, newEmail: 'b@example.com' }),
    `${badGateway} ${caution}`,
  ],
  [
    'events.record',
    plain(502),
    page => page.events.record({ name: 'seen', identifier: email }),
    `${badGateway} ${caution}`,
  ],
  ['tags.create', reset, create, `${unreachable} ${caution}`],
  ['tags.create', breaking, create, `${broken} ${caution}`],
])('names the handler after %s, and cautions against a second write', async (name, step, call, message) => {
  const { page } = pageWith([step], { maxRetries: 0 });
  await expect(call(page)).rejects.toMatchObject({ message: `${name}: ${message}`, outcome: 'unknown' });
});

test.each<[string, Step[], object, object]>([
  ['no response comes', [silence], {}, { phase: 'head', limit: 'timeout', outcome: 'unknown' }],
  ['no response comes to a retry', [breaking, silence], { maxRetries: 1 }, { phase: 'head' }],
  [
    '`totalTimeout` is over',
    [silence],
    { totalTimeout: 30, timeout: Number.POSITIVE_INFINITY },
    { limit: 'totalTimeout' },
  ],
])('ends at the time limit if %s', async (_, steps, options, members) => {
  const call = pageWith(steps, { maxRetries: 0, ...options }).page.tags.create({ name: 'vip' });
  await expect(call).rejects.toMatchObject({ name: 'TimeoutError', ...members });
});

test.each([
  ['301', {}],
  ['60', { totalTimeout: 10_000 }],
])('does not wait for a `Retry-After` of %s s with the options %j', async (seconds, options) => {
  const busy = () => new Response('busy', { status: 429, headers: { 'retry-after': seconds } });
  const { page, fetch } = pageWith([busy], options);
  const error = { name: 'RateLimitError', retryAfter: Number(seconds), outcome: 'refused' };
  await expect(page.senders.list()).rejects.toMatchObject(error);
  expect(fetch).toHaveBeenCalledOnce();
});

test('makes 100 retries of failed calls at most, and one more for ten calls that succeed', async () => {
  const { page, fetch } = pageWith(
    Array.from({ length: 200 }, () => plain(500)),
    { maxRetries: 2 },
  );
  const requestsOf = async (calls: number) => {
    const before = fetch.mock.calls.length;
    for (let call = 0; call < calls; call++) await page.senders.list().safe();
    return fetch.mock.calls.length - before;
  };
  expect(await requestsOf(100)).toBe(200);
  expect(await requestsOf(10)).toBe(10);
  fetch.mockImplementationOnce(async () => new Response('', { status: 500 }));
  expect(await requestsOf(1)).toBe(2);
});

const hangs = () => new Promise<never>(() => {});
const throws = () => {
  throw new RangeError('bad');
};

test.each<[string, () => never | Promise<never>, object]>([
  ['throws', throws, { name: 'EmailMarketingError', cause: { name: 'RangeError', message: 'bad' } }],
  ['hangs', hangs, { name: 'TimeoutError', phase: 'body' }],
])('fails without a retry if the schema of a call %s', async (_, validate, error) => {
  const { page, fetch } = pageWith([]);
  const schema = { '~standard': { version: 1 as const, vendor: 'test', validate } };
  const call = page.request({ method: 'GET', path: '/contact', schema });
  await expect(call).rejects.toMatchObject({ ...error, outcome: 'done' });
  expect(fetch).toHaveBeenCalledOnce();
});

test('ends by a signal with its reason, before the call or in it, and sends nothing after it', async () => {
  const hooks = { onRequest: vi.fn(), onError: vi.fn() };
  const { page, fetch } = pageWith([silence], { maxRetries: 0, hooks });
  await expect(page.senders.list({ signal: AbortSignal.abort('left') })).rejects.toBe('left');
  expect(hooks.onRequest).not.toHaveBeenCalled();
  const controller = new AbortController();
  const aborted = page.tags.create({ name: 'vip' }, { signal: controller.signal });
  controller.abort('left');
  await expect(aborted).rejects.toBe('left');
  expect(fetch).toHaveBeenCalledOnce();
  expect(hooks.onError).toHaveBeenCalledTimes(2);
  expect(hooks.onError).toHaveBeenLastCalledWith(expect.objectContaining({ error: 'left' }));
});
