// Which requests the handler performs: by operation, input, method, content type, origin, host and `authorize`.
import { describe, expect, test, vi } from 'vitest';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { makePage, readReply } from './page.ts';

const identify = { operation: 'legacy.identify', input: { email: 'ada@example.com' } };
const allow = ['legacy.identify', 'tags.create', 'senders.list'] as const;
const shop = 'https://shop.test';
const json = { 'content-type': 'application/json' };

/** Sends exactly this request, and returns the reply and the requests that the service got. */
async function reply(
  { method = 'POST', headers = json, body = JSON.stringify(identify) }: RequestInit,
  options: Partial<ProxyOptions> = {},
) {
  const { handler, sandbox } = makePage({ allow, ...options });
  const content = method === 'GET' || method === 'OPTIONS' ? null : (body as string);
  const request = new Request('https://app.test/api/email-marketing', { method, headers, body: content });
  const response = await handler(request);
  const sent = { headers: Object.fromEntries(response.headers), requests: sandbox.requests };
  return { ...(await readReply(response)), ...sent };
}

/** Rejections, with their status, the class of the page's error, and its message. */
const rejections = {
  operation: [403, 'PermissionError', 'The operation is not allowed. Add it to allow.'],
  origin: [403, 'PermissionError', 'This origin is not allowed. Add it to allowedOrigins.'],
  host: [403, 'PermissionError', 'This host is not allowed. Add it to allowedHosts.'],
  authorize: [403, 'PermissionError', 'legacy.identify: not allowed for this request.'],
  method: [405, 'BadRequestError', 'The method must be POST.'],
  contentType: [415, 'BadRequestError', 'The content type must be application/json.'],
  body: [400, 'BadRequestError', 'The body must be a JSON object with only operation and input.'],
  input: [400, 'InvalidRequestError', expect.any(String)],
  serverInput: [500, 'ServerError', 'The server failed.'],
} as const;

/** Checks that the handler rejects a request so, and that nothing reaches the service. */
async function expectRejected(
  request: RequestInit,
  rejection: keyof typeof rejections,
  options: Partial<ProxyOptions> = {},
  outcome = 'not-sent',
) {
  const [status, name, message] = rejections[rejection];
  const rejected = await reply(request, options);
  expect(rejected).toMatchObject({ status, body: { error: { name, message, outcome } } });
  expect(rejected.requests).toHaveLength(0);
  return rejected;
}

const withBody = (body: unknown) => ({ body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('rejects', () => {
  test.each([
    ['an unknown operation', 'nothing.here'],
    ['an operation that is not allowed', 'tags.delete'],
  ])('%s', async (_, operation) => {
    await expectRejected(withBody({ operation, input: {} }), 'operation');
  });

  test.each([
    ['a base URL', { ...identify, baseUrl: 'https://evil.test' }],
    ['no operation', { input: { email: 'ada@example.com' } }],
    ['an operation that is not text', { operation: ['legacy.identify'], input: {} }],
    ['an array', [identify]],
    ['null', 'null'],
    ['half of its JSON', '{"operation":'],
  ])('a body with %s', async (_, body) => {
    await expectRejected(withBody(body), 'body');
  });

  test.each([
    ['an extra field', { email: 'ada@example.com', admin: 'yes' }, 'admin'],
    ['a wrong type', { email: 'ada@example.com', tags: 'vip' }, 'tags'],
    ['no object', 'ada@example.com', ''],
  ])('an input with %s, and names the field', async (_, input, path) => {
    const request = withBody({ operation: 'legacy.identify', input });
    const { body } = await expectRejected(request, 'input');
    expect(body.error.issues).toEqual([expect.objectContaining({ path })]);
  });

  test.each(['GET', 'PUT', 'OPTIONS'])('the method %s, and names the one that it allows', async method => {
    const { headers } = await expectRejected({ method }, 'method', {}, 'unknown');
    expect(headers.allow).toBe('POST');
  });

  test.each(['text/plain', 'application/jsonp', 'text/plain; application/json', ''])(
    'the content type %j, which a form of another site could send',
    async type => {
      await expectRejected({ headers: { 'content-type': type } }, 'contentType');
    },
  );

  test.each<[string, Record<string, string>]>([
    ['another host', { origin: 'https://evil.test' }],
    ['another port', { origin: 'https://app.test:8443' }],
    ['a frame without an origin', { origin: 'null' }],
    ['an origin with a user', { origin: 'https://evil.test@app.test' }],
    ['an origin that no web page has', { origin: 'ftp://app.test' }],
    ['a page of an app with the same host', { origin: 'capacitor://app.test' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('a request from %s', async (_, headers) => {
    await expectRejected({ headers: { ...json, ...headers } }, 'origin');
  });

  test.each([
    ['another name', 'evil.test'],
    ['a name with the same beginning', 'app.test.evil.test'],
    ['an allowed name before a path', 'app.test/.evil.test'],
    ['an allowed name after a user', 'evil.test@app.test'],
  ])('a request to a host that is not allowed: %s', async (_, host) => {
    const options = { allowedHosts: ['app.test', 'localhost'] };
    await expectRejected({ headers: { ...json, host } }, 'host', options);
  });

  test('a preflight request to another host', async () => {
    const headers = { host: 'evil.test', origin: shop };
    const options = { allowedHosts: ['app.test'], allowedOrigins: [shop] };
    await expectRejected({ method: 'OPTIONS', headers }, 'host', options);
  });
});

describe('performs the call of a request', () => {
  test.each<[string, Record<string, string>]>([
    ['with a charset', { 'content-type': 'application/json;charset=utf-8' }],
    ['with a content type in another case', { 'content-type': 'Application/JSON' }],
    ['to an allowed host', { host: 'app.test' }],
    ['to an allowed host in another case, with a port', { host: 'APP.test:8443' }],
    ['to an allowed address', { host: '[::1]:80' }],
    ['from a page of the host that it is sent to', { origin: 'https://localhost', host: 'localhost' }],
    [
      'from a page behind a server that changes the host',
      { origin: shop, host: 'localhost', 'sec-fetch-site': 'same-origin' },
    ],
    ['from a program, which sends no origin', {}],
  ])('%s', async (_, headers) => {
    const options = { allowedHosts: ['app.test', 'localhost', '[::1]'] };
    expect((await reply({ headers: { ...json, ...headers } }, options)).status).toBe(200);
  });

  test('without the input of the page if the operation has none', async () => {
    const authorize = vi.fn(() => true);
    const call = { operation: 'senders.list', input: { limit: 5 } };
    const { status, requests } = await reply(withBody(call), { authorize });
    expect(status).toBe(200);
    expect(authorize).toHaveBeenCalledExactlyOnceWith(expect.any(Request), { ...call, input: undefined });
    expect(requests[0]).toMatchObject({ path: '/api/v1/rest/sender', query: {} });
  });
});

describe('for pages of other origins', () => {
  const options = { allowedOrigins: [shop] };
  const readable = {
    vary: 'origin',
    'access-control-allow-origin': shop,
    'access-control-allow-credentials': 'true',
  };

  test.each<[Record<string, string>, string]>([
    [{ 'access-control-request-headers': 'content-type,x-call-id' }, 'content-type,x-call-id'],
    [{}, 'content-type'],
  ])('responds to a preflight request with %j by allowing the headers %s', async (asked, allowed) => {
    const request = { method: 'OPTIONS', headers: { origin: shop, ...asked } };
    const { status, body, headers, requests } = await reply(request, options);
    expect({ status, body, requests: [...requests] }).toEqual({ status: 204, body: undefined, requests: [] });
    expect(headers).toEqual({
      ...readable,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': allowed,
      'access-control-max-age': '600',
    });
  });

  test.each<[string, string, number, Record<string, string>]>([
    ['OPTIONS', 'its own origin', 405, { origin: 'https://app.test' }],
    ['OPTIONS', 'another origin', 405, { origin: 'https://evil.test' }],
    ['OPTIONS', 'no origin', 405, {}],
    ['POST', 'another origin', 403, { origin: 'https://evil.test' }],
    ['POST', 'its own origin', 200, { origin: 'https://app.test' }],
  ])('lets no page read the response to a %s from %s, which is %i', async (method, _, status, headers) => {
    const got = await reply({ method, headers: { ...json, ...headers } }, options);
    expect(got).toMatchObject({ status, headers: { vary: 'origin' } });
    expect(got.headers['access-control-allow-origin']).toBeUndefined();
  });

  test.each([
    'capacitor://localhost',
    'app://.',
    'moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc',
    'http://localhost:5173',
  ])('lets a page of the listed %s call, and no other of that scheme', async origin => {
    const listed = { allowedOrigins: [origin] };
    const headers = { ...json, origin, 'sec-fetch-site': 'cross-site' };
    expect(await reply({ headers }, listed)).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': origin },
    });
    expect((await reply({ headers: { ...headers, origin: `${origin}x` } }, listed)).status).toBe(403);
  });

  test('sends no CORS headers if no origin is listed', async () => {
    expect((await reply({ headers: { ...json, origin: 'https://app.test' } })).headers.vary).toBeUndefined();
  });
});

describe('authorize', () => {
  const denied = { allowed: false, input: { email: 'ada@example.com' } };

  test.each([[false], [undefined], [{}], ['yes'], [denied]])('rejects a call with %j', async decision => {
    const authorize = (() => decision) as ProxyOptions['authorize'];
    await expectRejected({}, 'authorize', { authorize });
  });

  test('may return an input for an operation that has none, which is not sent', async () => {
    const authorize = (() => ({
      input: { headers: { 'x-from': 'authorize' } },
    })) as ProxyOptions['authorize'];
    const { status, requests } = await reply(withBody({ operation: 'senders.list' }), { authorize });
    expect(status).toBe(200);
    expect(requests[0]).toMatchObject({ method: 'GET', path: '/api/v1/rest/sender', query: {} });
    expect(requests[0]?.headers).not.toHaveProperty('x-from');
  });

  test('may change the input in place, and what it changed is checked', async () => {
    const onError = vi.fn();
    const changing =
      (email: string): ProxyOptions['authorize'] =>
      (_, { input }) => {
        Object.assign(input as object, { email });
        return true;
      };
    const { requests } = await reply({}, { authorize: changing('grace@example.com') });
    expect(requests.map(({ body }) => body)).toEqual([{ email: 'grace@example.com' }]);
    await expectRejected({}, 'serverInput', { authorize: changing('no email'), onError });
    const error = expect.objectContaining({ issues: [expect.objectContaining({ path: 'email' })] });
    expect(onError).toHaveBeenCalledExactlyOnceWith(error, 'legacy.identify');
  });
});
