// Situations of the proxy and the browser client.
import { createBrowserClient } from '../../../src/browser/index.ts';
import { createProxyHandler, type ProxyOptions } from '../../../src/proxy/index.ts';
import { makePage } from '../../proxy/page.ts';
import { refusalSituations } from './refusals.ts';
import { clientWith, failing, type Situation, untyped } from './situation.ts';

const tag = { name: 'vip' };
const allow = ['tags.create'] as const;
const pageClient = (options: object) =>
  createBrowserClient(untyped({ url: '/api/email-marketing', ...options }));
const handlerWith = (options: object) =>
  createProxyHandler(clientWith(), untyped({ authorize: 'public', ...options }));
/** Creates a tag from a page of such a handler. */
const created = (options: Partial<ProxyOptions>) => makePage({ allow, ...options }).page.tags.create(tag);

export const proxySituations: readonly Situation[] = [
  ['a page without the URL of its handler', () => pageClient({ url: undefined })],
  ['a page whose headers carry a key', () => pageClient({ headers: { 'X-Team-ApiKey': 'the-key' } })],
  ['a page with an option that does not exist', () => pageClient({ apiKey: 'the-key' })],
  ['a handler without `authorize`', () => handlerWith({ authorize: undefined })],
  ['a handler that allows an operation that does not exist', () => handlerWith({ allow: ['tags.update'] })],
  ['a handler with an invalid origin', () => handlerWith({ origins: ['example.com'] })],
  ['a handler with an option that does not exist', () => handlerWith({ origin: 'https://example.com' })],
  ['a handler without a client', () => createProxyHandler(untyped(undefined), { authorize: 'public' })],
  ['a handler with an allowed host that has a port', () => handlerWith({ allowedHosts: ['app.test:8443'] })],
  ['a page that calls what is not allowed', () => created({ allow: [] })],
  ['a page whose call is not authorized', () => created({ authorize: () => false })],
  ['a page whose input is wrong', () => makePage({ allow }).page.tags.create({ name: '' })],
  [
    'a page whose call the service refuses',
    async () => {
      const { page } = makePage({ allow });
      await page.tags.create(tag);
      return page.tags.create(tag);
    },
  ],
  [
    'a page when `authorize` throws',
    () => {
      const authorize = () => {
        throw new Error('the session store is down');
      };
      return created({ authorize, onError: () => {} });
    },
  ],
  ...refusalSituations,
  ['a page without a network', () => pageClient({ fetch: failing('ECONNREFUSED') }).tags.create(tag)],
];
