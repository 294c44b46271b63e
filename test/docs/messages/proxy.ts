// Situations of the proxy and the browser client.
import { createBrowserClient } from '../../../src/browser/index.ts';
import { createProxyHandler, type ProxyOptions } from '../../../src/proxy/index.ts';
import { makePage } from '../../proxy/page.ts';
import { clientWith, failing, type Situation, untyped } from './situation.ts';

const tag = { name: 'vip' };
const allow = ['tags.create'] as const;
const pageClient = (options: object) =>
  createBrowserClient(untyped({ url: '/api/email-marketing', ...options }));
const handlerWith = (options: object) =>
  createProxyHandler(clientWith(), untyped({ authorize: 'public', ...options }));
/** Creates a tag from a page of such a handler. */
const created = (options: Partial<ProxyOptions>) => makePage({ allow, ...options }).page.tags.create(tag);

/** A browser client whose requests get other headers and members before they reach the handler. */
function changedPage(
  options: Partial<ProxyOptions>,
  headers: Record<string, string | undefined>,
  init: RequestInit = {},
) {
  const { handler } = makePage({ allow, ...options });
  return createBrowserClient({
    url: 'https://app.test/api/email-marketing',
    maxRetries: 0,
    fetch: (url, sent) => {
      // No request with a stream as its body outlives its page.
      const request = new Request(url, { ...sent, ...init, keepalive: false });
      for (const [name, value] of Object.entries(headers))
        if (value === undefined) request.headers.delete(name);
        else request.headers.set(name, value);
      return handler(request);
    },
  });
}

/** Creates a tag through such a client. */
const refused = (
  headers: Record<string, string | undefined>,
  options: Partial<ProxyOptions> = {},
  init?: RequestInit,
) => changedPage(options, headers, init).tags.create(tag);

/** A request whose body a function controls. */
const bodyOf = (then: (controller: ReadableStreamDefaultController) => unknown): RequestInit => {
  const body = new ReadableStream({ pull: controller => void then(controller) }, { highWaterMark: 0 });
  return { body, duplex: 'half' } as RequestInit;
};

const neverEnding = bodyOf(() => {});
const breakingOff = bodyOf(controller => controller.error(new Error('reset')));

/** Makes two calls under one id. */
async function twice() {
  const page = changedPage({}, { 'x-call-id': 'a'.repeat(32) });
  await page.tags.create(tag);
  return page.tags.create({ name: 'new' });
}

export const proxySituations: readonly Situation[] = [
  ['a page without the URL of its handler', () => pageClient({ url: undefined })],
  ['a page that gets its URL in place of options', () => createBrowserClient(untyped('/api/em'))],
  ['a page whose calls a server makes', () => pageClient({}).tags.create(tag)],
  ['a page whose headers carry a key', () => pageClient({ headers: { 'X-Team-ApiKey': 'the-key' } })],
  ['a page with an option that does not exist', () => pageClient({ apiKey: 'the-key' })],
  ['a handler that allows an operation that does not exist', () => handlerWith({ allow: ['tags.update'] })],
  ['a handler that allows a method that is no operation', () => handlerWith({ allow: ['contacts.all'] })],
  ['a handler that allows an operation without its resource', () => handlerWith({ allow: ['identify'] })],
  ['a handler with an invalid origin', () => handlerWith({ allowedOrigins: ['example.com'] })],
  [
    'a handler with an option that does not exist',
    () => handlerWith({ allowedOrigin: 'https://example.com' }),
  ],
  [
    'a handler with a wildcard in an origin',
    () => handlerWith({ allowedOrigins: ['https://*.example.com'] }),
  ],
  ['a handler with an allowed host that has a port', () => handlerWith({ allowedHosts: ['app.test:8443'] })],
  ['a page that calls what is not allowed', () => created({ allow: [] })],
  ['a page whose call is not authorized', () => created({ authorize: () => false })],
  ['a page whose input is wrong', () => makePage({ allow }).page.tags.create({ name: '' })],
  ['a page of another origin', () => refused({ origin: 'https://shop.test' })],
  ['a request to another host', () => refused({ host: 'shop.test' }, { allowedHosts: ['app.test'] })],
  ['a request of another method', () => refused({}, {}, { method: 'PUT' })],
  ['a request of another content type', () => refused({ 'content-type': 'text/plain' })],
  ['a request whose body is no call', () => refused({}, {}, { body: '[]' })],
  ['a request with a body over `maxBodyBytes`', () => refused({}, { maxBodyBytes: 5 })],
  ['a request with a body beyond `bodyTimeout`', () => refused({}, { bodyTimeout: 50 }, neverEnding)],
  ['a request whose body breaks off', () => refused({}, {}, breakingOff)],
  ['a request with an invalid call id', () => refused({ 'x-call-id': 'a' })],
  ['a request without a call id, which a CDN took away', () => refused({ 'x-call-id': undefined })],
  ['a call id that another call has', twice],
  ['a retried call whose first attempt is not known', () => refused({ 'x-call-retry': '1' })],
  [
    'a page without a network',
    () => pageClient({ url: 'https://app.test/api', fetch: failing('ECONNREFUSED') }).tags.create(tag),
  ],
];
