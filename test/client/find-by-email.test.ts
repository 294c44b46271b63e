// `contacts.findByEmail`, of the client and of the browser client, and listings of a service that reports an empty one as "not found".
import { beforeEach, describe, expect, test } from 'vitest';
import type { Contact, EmailMarketingClient } from '../../src/index.ts';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { listingsInPages } from '../endpoints.ts';
import { makePage } from '../proxy/page.ts';
import { clientOfServer, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});

/** Returns the contacts of the client and of the browser client. */
const contactsOf = (side: 'client' | 'page', output: ProxyOptions['output'] = {}) =>
  makePage({ allow: ['contacts.list'], output }, sandbox)[side].contacts;

const queries = () => sandbox.requests.map(({ query }) => Object.fromEntries(Object.entries(query)));

describe.each([
  ['the client', 'client'],
  ['the browser client', 'page'],
] as const)('contacts.findByEmail of %s', (_, side) => {
  test('finds a contact by its email in upper or lower case, in one request', async () => {
    sandbox.state.contacts.add({ email: 'Ada@Example.com', firstName: 'Ada' });
    const contact: Contact | undefined = await contactsOf(side).findByEmail('ada@eXample.com');
    expect(contact).toMatchObject({ email: 'Ada@Example.com', firstName: 'Ada' });
    expect(queries()).toEqual([{ search: 'ada@eXample.com', offset: '0', limit: '30' }]);
  });

  test('reads further pages only while the search returns more', async () => {
    for (let index = 0; index < 70; index++)
      sandbox.state.contacts.add({ email: `x${index}.ada@example.com` });
    expect(await contactsOf(side).findByEmail('ada@example.com')).toBeUndefined();
    // Pages overlap by one contact, and the last one holds nothing but that. Then the start is read again.
    expect(queries().map(({ offset }) => offset)).toEqual(['0', '29', '58', '69', '0']);
    sandbox.state.contacts.add({ email: 'ada@example.com' });
    const found = await contactsOf(side).findByEmail('ada@example.com');
    expect(found?.email).toBe('ada@example.com');
  });

  test('gives up after 50 pages of other contacts, because the service seems to ignore the search', async () => {
    sandbox.on('GET /contact', ({ query }) => ({
      body: Array.from({ length: 10 }, (_, at) => ({
        id: `c${Number(query.offset) + at}`,
        email: `${at}@x.test`,
      })),
    }));
    const { error } = await contactsOf(side).findByEmail('ada@example.com').safe();
    expect(error).toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'done',
      message:
        'contacts.findByEmail: the response cannot be used: expected contacts that match the search, got others in 50 pages.',
    });
    expect(sandbox.requests).toHaveLength(50);
  });

  test('returns the response of the last call, and an error of a page names the search and has no checkpoint', async () => {
    const contacts = contactsOf(side);
    const { data, response } = await contacts.findByEmail('ada@example.com').withResponse();
    expect([data, response.status]).toEqual([undefined, 200]);
    sandbox.fail('contacts.list', { status: 500 });
    const { error } = await contacts.findByEmail('ada@example.com').safe();
    expect(error).toMatchObject({ name: 'ServerError', operation: 'contacts.findByEmail' });
    expect(error?.message).toMatch(/^contacts\.findByEmail: /);
    expect(error?.stack).toMatch(/^\w+: contacts\.findByEmail: [\s\S]*find-by-email\.test/);
    expect(JSON.stringify(error)).not.toMatch(/contacts\.list|checkpoint/);
  });
});

test.each([undefined, 'ada', 'a b@x.test', 'a\u200b@x.test', 'a,b@x.test', 'a@x..test', 'mailto:a@x.test'])(
  'does not search for %o, which is not an email address',
  async email => {
    const { error } = await contactsOf('client')
      .findByEmail(email as never)
      .safe();
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      operation: 'contacts.findByEmail',
      issues: [{ path: 'email', expected: 'an email address' }],
    });
    expect(sandbox.requests).toEqual([]);
  },
);

type Call = (client: EmailMarketingClient) => PromiseLike<unknown>;

test.each<[string, Call, empty: unknown]>([
  ...listingsInPages.map(({ resource }): [string, Call, unknown] => [
    `${resource}.all`,
    client => client[resource].all().toArray(),
    [],
  ]),
  ['contacts.findByEmail', client => client.contacts.findByEmail('nobody@example.com'), undefined],
])('%s is empty if the service says "not found"', async (_, call, empty) => {
  const own = '{"status":"error","message":"resource not found"}';
  for (const status of [200, 400, 404, 422])
    for (const validation of ['report', 'strict'] as const) {
      const fetch = async () => new Response(own, { status });
      expect(await call(clientOfServer('https://api.example.com', { validation, fetch }))).toEqual(empty);
    }
});
