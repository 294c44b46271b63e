// Situations of the proxy, the page's client and the sandbox.
import { createBrowserClient } from '../../../src/browser/index.ts';
import { createProxyHandler } from '../../../src/proxy/index.ts';
import { createSandbox } from '../../../src/testing/index.ts';
import { makePage } from '../../proxy/page.ts';
import { suffix } from '../../support/specified-records.ts';
import { refusalSituations } from './refusals.ts';
import { clientWith, failing, type Situation, untyped } from './situation.ts';

const tag = { name: 'vip' };
const allow = ['tags.create'] as const;
const pageClient = (options: object) =>
  createBrowserClient(untyped({ url: '/api/email-marketing', ...options }));
const handlerWith = (options: object) =>
  createProxyHandler(clientWith(), untyped({ authorize: 'public', ...options }));

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
  ['a page that calls what is not allowed', () => makePage({ allow: [] }).page.tags.create(tag)],
  [
    'a page whose call is not authorized',
    () => makePage({ allow, authorize: () => false }).page.tags.create(tag),
  ],
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
      return makePage({ allow, authorize, onError: () => {} }).page.tags.create(tag);
    },
  ],
  ...refusalSituations,
  ['a page without a network', () => pageClient({ fetch: failing('ECONNREFUSED') }).tags.create(tag)],
];

/** Makes a call to a sandbox of these options. */
function sandboxed(options: object, call: (client: ReturnType<typeof clientWith>) => unknown): unknown {
  const sandbox = createSandbox(untyped(options));
  const { apiKey, teamId, fetch } = sandbox;
  return call(clientWith({ apiKey, teamId, fetch }));
}

/** Makes a call after a fault was set. */
function faulty(kind: 'fail' | 'drop', options: object): unknown {
  const sandbox = createSandbox();
  sandbox[kind]('GET /sender', untyped(options));
  return clientWith({ apiKey: sandbox.apiKey, fetch: sandbox.fetch }).senders.list();
}

const list = `list_${suffix}`;
const template = `template_${suffix}`;
const campaign = `campaign_${suffix}`;

export const sandboxSituations: readonly Situation[] = [
  ['a wrong key', () => sandboxed({}, () => clientWith({ fetch: createSandbox().fetch }).senders.list())],
  ['an unknown identifier', () => sandboxed({}, client => client.tags.delete(suffix))],
  ['a name that is in use', () => sandboxed({ seed: { tags: [tag] } }, client => client.tags.create(tag))],
  ['an invalid domain name', () => sandboxed({}, client => client.domains.create({ name: 'mail' }))],
  [
    'a system list',
    () =>
      sandboxed({ seed: { lists: [{ id: list, name: 'All', system: true }] } }, client =>
        client.lists.delete(list),
      ),
  ],
  [
    'a system template',
    () => {
      const seed = { templates: [{ id: template, name: 'T', system: true }] };
      return sandboxed({ seed }, client => client.templates.delete(template));
    },
  ],
  [
    'a shared template',
    () => {
      const seed = { templates: [{ id: template, name: 'T', shared: true }] };
      return sandboxed({ seed }, client => client.templates.delete(template));
    },
  ],
  [
    'a sent campaign',
    () => {
      const seed = { campaigns: [{ id: campaign, name: 'C', state: 'sent' }] };
      return sandboxed({ seed }, client => client.campaigns.delete(campaign));
    },
  ],
  [
    'a limit above the cap',
    () => sandboxed({ ambiguities: { contactPageCap: 30 } }, client => client.contacts.list({ limit: 100 })),
  ],
  [
    'a new email that another contact has',
    () => {
      const seed = { contacts: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }] };
      const change = { email: 'ada@example.com', newEmail: 'bob@example.com' };
      return sandboxed({ seed }, client => client.legacy.identify(change));
    },
  ],
  ['`fail` with status 503', () => faulty('fail', { status: 503 })],
  ['`fail` with status 429', () => faulty('fail', { status: 429, retryAfter: 2 })],
  ['`drop`', () => faulty('drop', {})],
  ['an endpoint that does not exist', () => createSandbox().fail(untyped('GET /senders'), { status: 503 })],
  ['an operation that does not exist', () => createSandbox().fail(untyped('senders.get'), { status: 503 })],
  ['an impossible fault', () => createSandbox().fail('GET /sender', { status: 99 })],
  ['an option that does not exist', () => createSandbox(untyped({ seeds: 3 }))],
  ['an option that cannot be used', () => createSandbox(untyped({ order: 'nonsense' }))],
  ['a negative page cap', () => createSandbox(untyped({ ambiguities: { contactPageCap: -1 } }))],
];
