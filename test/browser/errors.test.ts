// Errors and retries of the browser client: after errors of the handler, of servers in between, and of the network.
import { afterEach, expect, test, vi } from 'vitest';
import { type BrowserClientOptions, createBrowserClient } from '../../src/browser/index.ts';
import type { ApiError, Scope } from '../../src/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { errorOf, useNoRetryDelay } from '../client/support.ts';
import { ended, restoreClock, stopClock } from '../client/timed-client.ts';
import { makePage } from '../proxy/page.ts';

useNoRetryDelay();
afterEach(restoreClock);

const allow = ['tags.create', 'legacy.identify', 'contacts.list'] as const;

test.each<[string, (made: Sandbox) => unknown, object]>([
  [
    '429',
    made => made.fail('*', { status: 429, retryAfter: 7 }),
    { name: 'RateLimitError', retryable: true },
  ],
  ['503', made => made.fail('*', { status: 503, retryAfter: 7 }), { name: 'ServerError', retryable: false }],
])('an error after %s has the same members in a page as on the server', async (_, prepare, members) => {
  const { client, page, sandbox } = makePage({ allow });
  prepare(sandbox);
  for (const side of [client, page])
    expect(await errorOf(create(side))).toMatchObject({ ...members, retryAfterMs: 7_000 });
});

test('in a web page, an error after half a response of the service has the time limit and its phase', async () => {
  stopClock();
  const { page, sandbox } = makePage({ allow }, undefined, { timeout: 50 });
  sandbox.stall('*', { at: 'body' });
  const timeout = { name: 'TimeoutError', limit: 'timeout', phase: 'body' };
  expect(await ended(errorOf(create(page)))).toMatchObject(timeout);
});

const tagId = `tag_${'a1'.repeat(11)}`;

type Step = () => Response | Promise<Response>;

/** Creates a page that gets these responses, and then always the response of a created tag. */
function pageWith(steps: readonly Step[], options: Partial<BrowserClientOptions> = {}) {
  const rest = [...steps];
  const fetch = vi.fn(async (_url: string, _init: RequestInit) =>
    (rest.shift() ?? (() => Response.json({ data: { id: tagId } })))(),
  );
  const url = 'https://app.test:8443/api';
  const page = createBrowserClient({ url, fetch, ...options });
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
const plain =
  (status: number): Step =>
  () =>
    new Response('', { status });
const gone = { name: 'NotFoundError', message: 'gone', outcome: 'refused', status: 404 };
const notFound = failed(404, { ...gone, notFound: true });

type Page = ReturnType<typeof createBrowserClient>;

const create = ({ tags }: Pick<Page, 'tags'>) => tags.create({ name: 'vip' });

test.each<[string, string, (page: Page) => PromiseLike<unknown>]>([
  ['a creation', '{"operation":"tags.create","input":{"name":"vip"}}', create],
  ['a listing', '{"operation":"senders.list"}', page => page.senders.list()],
  ['a deletion', `{"operation":"tags.delete","input":"${tagId}"}`, page => page.tags.delete(tagId)],
])('retries %s after a reset with the same call id, and marks the retry', async (_, body, call) => {
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
});

test('a retry is marked once the service may have acted', async () => {
  const { page, sent } = pageWith([plain(429), plain(502), plain(429)], { maxRetries: 3 });
  await page.tags.delete(tagId);
  expect(sent().map(({ retry }) => retry)).toEqual([null, null, '1', '1']);
});

test.each([
  [408, 'unknown'],
  [421, 'refused'],
  [503, 'unknown'],
])(
  'a %i from a server in front of the handler is retried, and its outcome is %s',
  async (status, outcome) => {
    for (const call of [create, (page: Page) => page.senders.list()]) {
      const failing = pageWith([plain(status)], { maxRetries: 0 });
      await expect(call(failing.page)).rejects.toMatchObject({ response: { status }, outcome });
      const { fetch, page } = pageWith([plain(status), plain(status)]);
      await call(page);
      expect(fetch).toHaveBeenCalledTimes(3);
    }
  },
);

test('a failure that the handler calls an abort is an error: the page aborted nothing', async () => {
  const aborted = { name: 'CallAbortedError', message: 'the server aborted the call.', outcome: 'not-sent' };
  const { page } = pageWith([failed(502, aborted)], { maxRetries: 0 });
  await expect(create(page)).rejects.toMatchObject({ name: 'EmailMarketingError', message: aborted.message });
});

const success = { status: 'success', message: '' };
const forbidden = failed(403, { name: 'PermissionError', message: 'no', outcome: 'not-sent', status: 403 });
const elsewhere: Step = () => new Response('Cannot POST /api', { status: 404 });

test.each<[string, object, Step[]]>([
  ['fails if the handler finds nothing at first', { name: 'NotFoundError' }, [notFound]],
  ['fails if another server responds 404', { name: 'NotFoundError' }, [reset, elsewhere]],
  ['fails if it is rejected after a reset', { name: 'PermissionError' }, [reset, forbidden]],
])('a deletion %s', async (_, expected, steps) => {
  const deleted = await pageWith(steps)
    .page.tags.delete(tagId)
    .catch(error => error);
  expect(deleted).toMatchObject(expected);
});

// The gateway stands between the handler and the service.
test.each([
  ['404 of the service', 404, '{"status":"error","message":"resource not found"}', success],
  ['404 of a gateway', 404, '{"message":"no Route matched with those values"}', { name: 'NotFoundError' }],
])('a deletion whose first response was lost, and then a %s', async (_, status, body, expected) => {
  const { handler } = makePage({ allow: ['tags.delete'] }, undefined, {
    fetch: async () => new Response(body, { status }),
  });
  const { page, fetch } = pageWith([reset]);
  fetch.mockImplementation((url, init) => handler(new Request(url, init)));
  fetch.mockImplementationOnce(async () => reset());
  expect(await page.tags.delete(tagId).catch(error => error)).toMatchObject(expected);
  expect(fetch).toHaveBeenCalledTimes(2);
});

// The second body stands for what the service may respond to an offset past its last record.
test.each(['resource not found', 'offset out of range'])(
  'a listing that the service ends with 404 and "%s"',
  async message => {
    const { page, sandbox } = makePage({ allow }, createSandbox({ seed: { contacts: 120 } }));
    sandbox.fail('contacts.list', { status: 404, body: { status: 'error', message }, after: 2 });
    expect(await page.contacts.all().toArray()).toHaveLength(120);
    expect(await page.contacts.findByEmail('ada@example.com')).toBeUndefined();
    for (const body of ['<html>', { status: 'error' }]) {
      sandbox.clearFaults();
      sandbox.fail('contacts.list', { status: 404, body });
      await expect(page.contacts.all().toArray()).rejects.toMatchObject({ name: 'NotFoundError' });
    }
  },
);

const used = { name: 'ConflictError', message: 'used', outcome: 'refused' };

// An open tab outlives a deployment: today's page calls a newer handler.
test.each<[string, Step, object]>([
  [
    'a class that it does not know',
    failed(503, { name: 'QueueFullError', message: 'the queue is full.', outcome: 'not-sent' }),
    { name: 'EmailMarketingError', message: 'the queue is full.', outcome: 'not-sent' },
  ],
  [
    'members that it does not know, and without its issues',
    failed(502, { name: 'InvalidResponseError', message: 'x', outcome: 'done', code: 'TEAM', until: 9 }),
    { name: 'InvalidResponseError', outcome: 'done', issues: [] },
  ],
  [
    'an outcome that it does not know',
    failed(409, { ...used, outcome: 'perhaps' }),
    { name: 'ConflictError', outcome: 'unknown' },
  ],
])('a page reports an error with %s, after one request', async (_, step, expected) => {
  const { page, fetch } = pageWith([step]);
  await expect(create(page)).rejects.toMatchObject({ ...expected, operation: 'tags.create' });
  expect(fetch).toHaveBeenCalledOnce();
});

const login = () => new Response(null, { status: 302, headers: { location: '/login' } });

const html = '<!doctype html>';

test.each<[string, Step, string, Scope?]>([
  ['HTML', () => new Response(html), 'InvalidResponseError', 'account'],
  ['HTML with status 400', () => new Response(html, { status: 400 }), 'BadRequestError', 'account'],
  ['HTML with status 404', () => new Response(html, { status: 404 }), 'NotFoundError', 'account'],
  ['HTML with status 413', () => new Response(html, { status: 413 }), 'ApiError'],
  ['HTML with status 502', () => new Response(html, { status: 502 }), 'ServerError'],
  ['nothing with status 401', plain(401), 'AuthenticationError', 'account'],
  ['an error with status 200', failed(200, used), 'InvalidResponseError', 'account'],
  ['an error without a message', failed(404, { ...used, message: undefined }), 'NotFoundError'],
  ['an error without an outcome', failed(404, { ...used, outcome: undefined }), 'NotFoundError'],
  ['an error whose class is an object', failed(404, { ...used, name: { toString: 'x' } }), 'NotFoundError'],
  ['an error that is null', () => Response.json({ error: null }, { status: 404 }), 'NotFoundError'],
])(
  'the status decides the error if the response is not one of the handler: %s',
  async (_, step, name, scope) => {
    const { page } = pageWith([step], { maxRetries: 0 });
    const error = { name, operation: 'tags.create', scope: scope ?? 'call' };
    await expect(create(page)).rejects.toMatchObject(error);
  },
);

// In a browser, the status of a redirect is hidden.
test.each<[string, Step]>([
  ['302', login],
  ['a redirect', () => Response.error()],
])('the error of a redirect names the handler and the option: %s', async (what, step) => {
  await expect(create(pageWith([step]).page)).rejects.toMatchObject({
    message: `tags.create: ${what} from app.test:8443: not a response from createProxyHandler. Check the option url: createProxyHandler must respond there. The call may have taken effect. Check before you repeat it.`,
    name: 'ApiError',
    outcome: 'unknown',
    scope: 'account',
  });
});

test('the error of a response that is not from the handler has its body and headers', async () => {
  const body = { error: 'bad gateway', region: ['eu', 1] };
  const step = () => Response.json(body, { status: 502, headers: { 'x-id': '1' } });
  const error = await errorOf(pageWith([step], { maxRetries: 0 }).page.senders.list());
  expect(error).toMatchObject({ name: 'ServerError', response: { status: 502 }, body });
  expect((error as ApiError).response.headers.get('x-id')).toBe('1');
});

test('a 200 of another server, in another form, is not a success', async () => {
  const identify = (text: string) =>
    pageWith([() => new Response(text)]).page.legacy.identify({ email: 'ada@example.com' });
  const call = identify('{"code":401,"data":null,"msg":"please sign in"}');
  await expect(call).rejects.toMatchObject({ name: 'InvalidResponseError', outcome: 'unknown' });
  expect(await identify('{"data":null}')).toBeNull();
});

const caution = 'The call may have taken effect. Check before you repeat it.';
const badGateway = '502 from app.test:8443: not a response from createProxyHandler.';
const broken = 'the request to app.test:8443 failed before the response was complete (network error).';
const breaking: Step = () =>
  new Response(new ReadableStream({ start: controller => controller.error(new TypeError('network error')) }));
const [email, newEmail] = ['ada@example.com', 'b@example.com'];

test.each<[string, string, (page: Page) => PromiseLike<unknown>, Step?]>([
  ['tags.create', `${badGateway} ${caution}`, create],
  ['legacy.identify', `${badGateway} ${caution}`, page => page.legacy.identify({ email, newEmail })],
  ['legacy.identify', `${badGateway} ${caution}`, page => page.legacy.identify({ email })],
  ['legacy.track', `${badGateway} Try again later.`, page => page.legacy.track({ email, addTags: ['vip'] })],
  ['tags.create', `${broken} ${caution}`, create, breaking],
])('the error of %s names the handler and says what to do: %s', async (name, message, call, step) => {
  const { page } = pageWith([step ?? plain(502)], { maxRetries: 0 });
  await expect(call(page)).rejects.toMatchObject({ message: `${name}: ${message}`, outcome: 'unknown' });
});

/** Makes a page whose handler counts each call as a visit, or not, and whose gateway loses its first response. */
function visitingPage(counts: boolean, loses: boolean) {
  const customFields = counts ? { visits: '++1' } : {};
  const authorize = () => ({ input: { email, customFields } });
  const sandbox = createSandbox({ seed: { contacts: [{ email, customFields: { visits: '0' } }] } });
  const { handler } = makePage({ allow, authorize }, sandbox);
  const fetch = async (url: string, init: RequestInit) => {
    const response = await handler(new Request(url, init));
    return loses ? new Response('', { status: 502 }) : response;
  };
  const page = createBrowserClient({ url: 'https://app.test/api', fetch, maxRetries: 0 });
  return { page, sandbox };
}

test.each<[string, boolean, boolean, boolean]>([
  ['is not retryable if its response was lost: authorize may have made it count', true, true, false],
  ['is not retryable if its response was lost, even if it does not count', false, true, false],
  ['is retryable if the handler says so', false, false, true],
  ['is not retryable if the handler does not say so', true, false, false],
])('after an unknown outcome, `identify` %s', async (_, counts, loses, retryable) => {
  const { page, sandbox } = visitingPage(counts, loses);
  if (!loses) sandbox.fail('legacy.identify', { status: 503, acted: true });
  await expect(page.legacy.identify({ email })).rejects.toMatchObject({ outcome: 'unknown', retryable });
  expect(sandbox.requests.count('legacy.identify')).toBe(1);
});

test.each<[string, Step[], object, object]>([
  ['a call', [silence], {}, { phase: 'head', limit: 'timeout', outcome: 'unknown' }],
  ['a retry', [breaking, silence], { maxRetries: 1 }, { phase: 'head', limit: 'timeout' }],
])('%s without a response ends at the time limit', async (_, steps, options, members) => {
  const { page } = pageWith(steps, { maxRetries: 0, timeout: 50, ...options });
  await expect(create(page)).rejects.toMatchObject({ name: 'TimeoutError', ...members });
});
