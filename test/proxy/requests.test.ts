// Requests that the handler performs and rejects: body, input, method, type, origin, host, preflight, authorize.
import { expect, test, vi } from 'vitest';
import { type ProxyOptions, toNodeListener } from '../../src/proxy/index.ts';
import { makePage, readReply } from './page.ts';
import { exchange, listening } from './raw-http.ts';

const identify = { operation: 'legacy.identify', input: { email: 'ada@example.com' } };
const allow = ['legacy.identify', 'tags.create'] as const;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** The proxy turns a request down: this status and class, and nothing reaches the service. */
async function expectRefused(
  send: (page: ReturnType<typeof makePage>) => Promise<Response>,
  status: number,
  name: string,
  options: Partial<ProxyOptions> = {},
) {
  const page = makePage({ allow, ...options });
  const reply = await readReply(await send(page));
  expect(reply).toMatchObject({ status, body: { error: { name, outcome: 'not-sent' } } });
  expect(page.sandbox.requests).toHaveLength(0);
  return reply.body.error;
}

test.each([
  ['nothing.here', 'an unknown operation'],
  ['tags.delete', 'an operation that is not allowed'],
  ['__proto__', 'a prototype key'],
  ['constructor', 'a member of every object'],
  ['toString', 'a method of every object'],
])('the operation %s is refused: %s', async operation => {
  await expectRefused(({ send }) => send({ operation, input: {} }), 403, 'PermissionError');
});

test('nothing is allowed by default', async () => {
  await expectRefused(({ send }) => send(identify), 403, 'PermissionError', { allow: undefined });
});

test.each([
  ['a base URL', { ...identify, baseUrl: 'https://evil.test' }],
  ['headers', { ...identify, headers: { 'x-team-apikey': 'other' } }],
  ['options', { ...identify, options: { headers: { host: 'evil.test' }, timeout: 1 } }],
  ['a prototype', `{"operation":"legacy.identify","input":{"email":"a@b.test"},"__proto__":{"baseUrl":"x"}}`],
  ['no operation', { input: { email: 'ada@example.com' } }],
  ['an operation that is no text', { operation: ['legacy.identify'], input: {} }],
  ['an array', [identify]],
  ['null', 'null'],
  ['half of it', '{"operation":'],
  ['nothing', ''],
])('a body with %s is refused', async (_, body) => {
  await expectRefused(({ send }) => send(body), 400, 'BadRequestError');
});

test.each([
  ['an extra field', { email: 'ada@example.com', admin: 'yes' }, 'admin'],
  ['a wrong type', { email: 'ada@example.com', tags: 'vip' }, 'tags'],
  ['no email', {}, 'email'],
  ['a null', { email: null }, 'email'],
  ['no object', 'ada@example.com', ''],
])('an input with %s is refused by name', async (_, input, path) => {
  const send = { operation: 'legacy.identify', input };
  const error = await expectRefused(page => page.send(send), 400, 'InvalidRequestError');
  expect(error.issues).toEqual([expect.objectContaining({ path })]);
});

test.each([['__proto__'], ['constructor'], ['prototype']])(
  'an input with the key %s changes no object',
  async key => {
    const body = `{"operation":"legacy.identify","input":{"email":"ada@example.com","${key}":{"polluted":"yes"}}}`;
    const page = makePage({ allow });
    await readReply(await page.send(body));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    for (const request of page.sandbox.requests) expect(JSON.stringify(request)).not.toContain('polluted');
  },
);

test('a custom field named __proto__ is refused', async () => {
  const body =
    '{"operation":"legacy.identify","input":{"email":"x@y.test","customFields":{"__proto__":"kept"}}}';
  await expectRefused(({ send }) => send(body), 400, 'InvalidRequestError');
});

test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('the method %s is refused', async method => {
  const bodiless = method === 'GET' ? { body: null } : {};
  await expectRefused(({ send }) => send(identify, { method, ...bodiless }), 405, 'BadRequestError');
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/jsonp',
  'text/plain; application/json',
  'text/plain;application/json;charset=utf-8',
  '',
])('the content type %j, as a form of a foreign page can send it, is refused', async type => {
  await expectRefused(
    ({ send }) => send(identify, { headers: { 'content-type': type } }),
    415,
    'BadRequestError',
  );
});

test('a body without a content type is refused', async () => {
  const { handler } = makePage({ allow });
  const body = new TextEncoder().encode(JSON.stringify(identify));
  expect((await handler(new Request('https://app.test/', { method: 'POST', body }))).status).toBe(415);
});

test.each(['application/json; charset=utf-8', 'application/json;charset=utf-8', 'Application/JSON'])(
  'the content type %s is accepted',
  async type => {
    const { send } = makePage({ allow });
    expect((await send(identify, { headers: { 'content-type': type } })).status).toBe(200);
  },
);

test('an operation that takes no input gets none, whatever the page sends', async () => {
  const authorize = vi.fn(() => true);
  const { send, sandbox } = makePage({ allow: ['senders.list'], authorize });
  expect((await send({ operation: 'senders.list', input: { limit: 5 } })).status).toBe(200);
  expect(authorize).toHaveBeenCalledExactlyOnceWith(expect.any(Request), {
    operation: 'senders.list',
    input: undefined,
  });
  expect(sandbox.requests[0]).toMatchObject({ path: '/api/v1/rest/sender', query: {} });
});

test.each([
  ['another host', { origin: 'https://evil.test' }],
  ['a host that only begins alike', { origin: 'https://app.test.evil.test' }],
  ['another port', { origin: 'https://app.test:8443' }],
  ['a frame without origin', { origin: 'null' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another host of the site', { 'sec-fetch-site': 'same-site' }],
])('a page of a foreign origin is refused: %s', async (_, headers) => {
  await expectRefused(({ send }) => send(identify, { headers }), 403, 'PermissionError');
});

test.each([
  ['another name', 'evil.test'],
  ['a name that only begins alike', 'app.test.evil.test'],
  ['an address', '10.0.0.7'],
  ['an allowed name before a backslash', 'app.test\\.evil.test'],
  ['an allowed name before a path', 'app.test/.evil.test'],
  ['an allowed name after a user', 'evil.test@app.test'],
])('refuses a request to a host that is not among the allowed ones: %s', async (_, host) => {
  const headers = { host };
  const options = { allowedHosts: ['app.test', 'localhost'] };
  await expectRefused(({ send }) => send(identify, { headers }), 403, 'PermissionError', options);
});

test.each(['app.test', 'APP.test:8443', 'localhost:3000', '[::1]:80'])(
  'performs a call of a request to the allowed host %s',
  async host => {
    const { send } = makePage({ allow, allowedHosts: ['app.test', 'localhost', '[::1]'] });
    expect((await send(identify, { headers: { host } })).status).toBe(200);
  },
);

test('responds to no preflight request to another host', async () => {
  const { send } = makePage({ allow, allowedHosts: ['app.test'], origins: ['https://www.app.test'] });
  const headers = { host: 'evil.test', origin: 'https://www.app.test' };
  expect((await send(identify, { method: 'OPTIONS', headers })).status).toBe(403);
});

test('reports at most 100 issues of an input, with paths cut to 200 characters', async () => {
  const key = 'k'.repeat(30_000);
  const customFields = { [key]: false, ...Object.fromEntries(numbers(1000).map(n => [`f${n}`, null])) };
  const body = { operation: 'legacy.identify', input: { email: 'a@b.test', customFields } };
  const page = makePage({ allow });
  const response = await page.send(body);
  const text = await response.text();
  expect(JSON.parse(text).error.issues).toHaveLength(100);
  expect(text.length).toBeLessThan(50_000);
});

test('a foreign page may read no refusal, and gets none for a preflight request', async () => {
  const { send } = makePage({ allow, origins: ['https://www.app.test'] });
  for (const method of ['POST', 'OPTIONS']) {
    const response = await send(identify, { method, headers: { origin: 'https://evil.test' } });
    expect(response.ok).toBe(false);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test.each([[false], [undefined], [null], [{}], ['yes'], [1]])(
  'an authorize that returns %j refuses',
  async decision => {
    const authorize = (() => decision) as ProxyOptions['authorize'];
    await expectRefused(({ send }) => send(identify), 403, 'PermissionError', { authorize });
  },
);

test('authorize may refuse an email other than the one signed in', async () => {
  const authorize: ProxyOptions['authorize'] = (_, { operation, input }) =>
    operation === 'legacy.identify' && input.email === 'grace@example.com';
  await expectRefused(({ send }) => send(identify), 403, 'PermissionError', { authorize });
});

test('authorize may put the email that is signed in in the place of any other', async () => {
  const authorize: ProxyOptions['authorize'] = async (request, { operation, input }) =>
    operation === 'legacy.identify' && {
      input: { ...input, email: `${request.headers.get('x-user')}@example.com` },
    };
  const { send, sandbox } = makePage({ allow, authorize });
  expect((await send(identify, { headers: { 'x-user': 'grace' } })).status).toBe(200);
  expect(sandbox.requests.map(request => request.body)).toEqual([{ email: 'grace@example.com' }]);
});

test('responds 500 if authorize changes the input in place, as the changed input is not checked', async () => {
  const onError = vi.fn();
  const authorize: ProxyOptions['authorize'] = (_, { input }) => {
    Object.assign(input as object, { email: 'not checked' });
    return true;
  };
  const { send, sandbox } = makePage({ allow, authorize, onError });
  expect(await readReply(await send(identify))).toMatchObject({
    status: 500,
    body: { error: { name: 'ServerError', message: 'The server failed.', outcome: 'not-sent' } },
  });
  expect(onError).toHaveBeenCalledExactlyOnceWith(
    new TypeError('authorize must return a changed input as { input }.'),
    'legacy.identify',
  );
  expect(sandbox.requests).toHaveLength(0);
});

test('checks the input that authorize changed in place and returns', async () => {
  const change =
    (email: string): ProxyOptions['authorize'] =>
    (_, { input }) => ({
      input: Object.assign(input as object, { email }),
    });
  const valid = makePage({ allow, authorize: change('grace@example.com') });
  expect((await valid.send(identify)).status).toBe(200);
  expect(valid.sandbox.requests.map(request => request.body)).toEqual([{ email: 'grace@example.com' }]);
  const invalid = makePage({ allow, authorize: change('not an email'), onError: () => {} });
  expect((await invalid.send(identify)).status).toBe(500);
  expect(invalid.sandbox.requests).toHaveLength(0);
});

test('authorize is called for valid inputs alone', async () => {
  const authorize = vi.fn(() => true);
  const { send } = makePage({ allow, authorize });
  await send({ operation: 'legacy.identify', input: { email: 5 } });
  await send({ operation: 'lists.delete', input: 'list_1234567890123456789012' });
  expect(authorize).not.toHaveBeenCalled();
  await send(identify);
  expect(authorize).toHaveBeenCalledExactlyOnceWith(expect.any(Request), identify);
});

const address = 'https://app.test/api/email-marketing';
const shop = 'https://shop.test';
const text = '{"operation":"tags.create","input":{"name":"vip"}}';
const corsOptions: Partial<ProxyOptions> = { allow: ['tags.create'], origins: [shop] };

/** Sends a request with exactly these headers; its response and the requests that the service gets. */
async function request(method: string, headers: Record<string, string>, own = corsOptions) {
  const { handler, sandbox } = makePage(own);
  const json = { 'content-type': 'application/json', ...headers };
  const init = method === 'POST' ? { method, headers: json, body: text } : { method, headers };
  const response = await handler(new Request(address, init));
  return { response, status: response.status, headers: Object.fromEntries(response.headers), sandbox };
}

test('responds to a preflight request of an allowed origin with what its pages may send', async () => {
  const { status, headers, response, sandbox } = await request('OPTIONS', {
    origin: shop,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,x-call-id',
  });
  expect(status).toBe(204);
  expect(headers).toEqual({
    vary: 'origin',
    'access-control-allow-origin': 'https://shop.test',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type,x-call-id',
    'access-control-max-age': '600',
  });
  expect(await response.text()).toBe('');
  expect(sandbox.requests).toHaveLength(0);
});

test('allows the header Content-Type alone in a preflight request that asks for no headers', async () => {
  const { headers } = await request('OPTIONS', { origin: shop });
  expect(headers['access-control-allow-headers']).toBe('content-type');
});

test('responds to a preflight request over HTTP', () =>
  listening(toNodeListener(makePage(corsOptions).handler), async port => {
    const head = `OPTIONS /api HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\nOrigin: ${shop}\r\n\r\n`;
    const received = await exchange(port, head);
    expect(received).toMatch(/^HTTP\/1\.1 204 /);
    expect(received).toContain(`access-control-allow-origin: ${shop}\r\n`);
  }));

test.each([{ origin: 'https://app.test' }, { origin: 'https://evil.test' }, {}])(
  'responds 405 to a preflight request with the headers %j, which are of no origin in the list',
  async sent => {
    const { status, headers } = await request('OPTIONS', sent as Record<string, string>);
    expect(status).toBe(405);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  },
);

test.each(['GET', 'PUT', 'DELETE'])('responds 405 to a %s of an allowed origin', async method => {
  expect((await request(method, { origin: shop })).status).toBe(405);
});

test('lets a page of an allowed origin read the response of its call', async () => {
  const sent = { origin: shop, 'sec-fetch-site': 'cross-site' };
  const { response, headers, sandbox } = await request('POST', sent);
  expect(await response.json()).toMatchObject({ data: { name: 'vip' } });
  expect(headers).toMatchObject({
    vary: 'origin',
    'access-control-allow-origin': 'https://shop.test',
    'access-control-allow-credentials': 'true',
  });
  expect(sandbox.requests).toHaveLength(1);
});

test.each<[string, Partial<ProxyOptions>, string | undefined]>([
  ['says that it varies by origin where origins are listed', corsOptions, 'origin'],
  ['does not vary by origin where none are listed', { allow: ['tags.create'] }, undefined],
])('the response to a page of the own origin %s', async (_, own, vary) => {
  const { status, headers } = await request('POST', { origin: 'https://app.test' }, own);
  expect(status).toBe(200);
  expect(headers.vary).toBe(vary);
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

test.each<[string, Record<string, string>]>([
  [
    'a page of the same origin behind a server that changes the host',
    { origin: 'https://www.shop.test', host: '10.0.0.7', 'sec-fetch-site': 'same-origin' },
  ],
  [
    'a page of the host that the request is addressed to',
    { origin: 'https://www.app.test', host: 'www.app.test' },
  ],
  ['a program, which sends no origin', {}],
])('performs a call of %s', async (_, headers) => {
  expect((await request('POST', headers)).status).toBe(200);
});

test.each<[string, Record<string, string>]>([
  ['an origin that is not a URL', { origin: 'app.test' }],
  ['an origin that a browser would not write', { origin: 'https://app.test\\.evil.test' }],
  ['an origin with a user', { origin: 'https://evil.test@app.test' }],
  ['an origin with a path', { origin: 'https://app.test/.evil.test' }],
  ['a request that a person made by the address bar', { 'sec-fetch-site': 'none' }],
  ['another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
])('refuses a call of %s', async (_, headers) => {
  const { status, sandbox } = await request('POST', headers);
  expect(status).toBe(403);
  expect(sandbox.requests).toHaveLength(0);
});
