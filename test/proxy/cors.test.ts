import { expect, test } from 'vitest';
import { type ProxyOptions, toNodeListener } from '../../src/proxy/index.ts';
import { makePage } from './page.ts';
import { exchange, listening } from './raw-http.ts';

const address = 'https://app.test/api/email-marketing';
const shop = 'https://shop.test';
const body = '{"operation":"tags.create","input":{"name":"vip"}}';
const options: Partial<ProxyOptions> = { allow: ['tags.create'], origins: [shop] };

/** Sends a request with exactly these headers; its response and the requests that the service gets. */
async function request(method: string, headers: Record<string, string>, own = options) {
  const { handler, sandbox } = makePage(own);
  const json = { 'content-type': 'application/json', ...headers };
  const init = method === 'POST' ? { method, headers: json, body } : { method, headers };
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
  listening(toNodeListener(makePage(options).handler), async port => {
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
  ['says that it varies by origin where origins are listed', options, 'origin'],
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
  ['an origin that is no URL', { origin: 'app.test' }],
  ['a request that a person made by the address bar', { 'sec-fetch-site': 'none' }],
  ['another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
])('refuses a call of %s', async (_, headers) => {
  const { status, sandbox } = await request('POST', headers);
  expect(status).toBe(403);
  expect(sandbox.requests).toHaveLength(0);
});
