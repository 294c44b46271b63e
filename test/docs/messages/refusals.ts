// Situations in which the proxy's handler refuses a request of a page.
import { createBrowserClient } from '../../../src/browser/index.ts';
import type { ProxyOptions } from '../../../src/proxy/index.ts';
import { makePage } from '../../proxy/page.ts';
import type { Situation } from './situation.ts';

const tag = { name: 'vip' };
const id = 'a'.repeat(32);
const forever = () => new Promise<never>(() => {});

/** A browser client whose requests get other headers and members before they reach the handler. */
function changedPage(
  options: Partial<ProxyOptions>,
  headers: Record<string, string>,
  init: RequestInit = {},
) {
  const { handler } = makePage({ allow: ['tags.create'], ...options });
  return createBrowserClient({
    url: 'https://app.test/api/email-marketing',
    maxRetries: 0,
    fetch: (url, sent) => {
      const request = new Request(url, { ...sent, ...init });
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      return handler(request);
    },
  });
}

/** Creates a tag through such a client. */
const refused = (headers: Record<string, string>, options: Partial<ProxyOptions> = {}, init?: RequestInit) =>
  changedPage(options, headers, init).tags.create(tag);

/** A request whose body a function controls. */
const bodyOf = (then: (controller: ReadableStreamDefaultController) => unknown): RequestInit => {
  const body = new ReadableStream({ pull: controller => void then(controller) }, { highWaterMark: 0 });
  return { body, duplex: 'half' } as RequestInit;
};

const neverEnding = bodyOf(() => {});
const breakingOff = bodyOf(controller => controller.error(new Error('reset')));

/** Makes two calls under one id. */
async function twice(options: Partial<ProxyOptions>, second: { readonly name: string }) {
  const page = changedPage(options, { 'x-call-id': id });
  await page.tags.create(tag);
  return page.tags.create(second);
}

/** Retries a call that another server has begun. */
async function begun() {
  const values = new Map<string, string>();
  const store = {
    get: (key: string) => values.get(key),
    set: (key: string, value: string) => values.set(key, value),
  };
  void refused({ 'x-call-id': id }, { store, output: { 'tags.create': forever } }).catch(() => {});
  while (values.size === 0) await new Promise(resolve => setTimeout(resolve, 1));
  return refused({ 'x-call-id': id }, { store });
}

export const refusalSituations: readonly Situation[] = [
  ['a page of another origin', () => refused({ origin: 'https://shop.test' })],
  ['a request to another host', () => refused({ host: 'shop.test' }, { allowedHosts: ['app.test'] })],
  ['a request of another method', () => refused({}, {}, { method: 'PUT' })],
  ['a request of another content type', () => refused({ 'content-type': 'text/plain' })],
  ['a request whose body is no call', () => refused({}, {}, { body: '[]' })],
  ['a request with a body over `maxBodyBytes`', () => refused({}, { maxBodyBytes: 5 })],
  ['a request with a body beyond `bodyTimeout`', () => refused({}, { bodyTimeout: 50 }, neverEnding)],
  ['a request whose body breaks off', () => refused({}, {}, breakingOff)],
  ['a request with an invalid call id', () => refused({ 'x-call-id': 'a' })],
  ['a call id that another call has', () => twice({}, { name: 'new' })],
  ['a retried call whose first attempt is not known', () => refused({ 'x-call-retry': '1' })],
  ['a retried call that another server has begun', begun],
];
