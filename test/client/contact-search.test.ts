// The search of contacts: the name of its parameter, which is not documented, and a service that ignores it.
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ClientOptions, Drift } from '../../src/index.ts';
import { contact } from '../endpoints.ts';
import { second, suffix } from '../support/specified-records.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

afterEach(() => void vi.unstubAllEnvs());

const variable = 'EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER';
const endpoint = 'GET /api/v1/rest/contact';

describe('contactSearchParameter', () => {
  test.each<[string, ClientOptions, string | undefined]>([
    ['search', {}, undefined],
    ['q', { contactSearchParameter: 'q' }, undefined],
    ['filter%5Btext%5D', { contactSearchParameter: 'filter[text]' }, 'other'],
    ['query', {}, 'query'],
  ])('sends the search as %s', async (name, options, variableText) => {
    if (variableText !== undefined) vi.stubEnv(variable, variableText);
    const seen = respond(endpoint, { body: [] });
    const lists = respond('GET /api/v1/rest/list', { body: [] });
    const client = makeClient(options);
    await client.contacts.list({ offset: 5, limit: 7, search: 'ada' });
    await client.contacts.findByEmail('ada@x.test');
    await client.withOptions({ timeout: 5_000 }).contacts.all({ search: 'a b' }).toArray();
    await client.lists.list({ search: 'ada' });
    expect(seen.map(({ query }) => query)).toEqual([
      `?offset=5&limit=7&${name}=ada`,
      `?offset=0&limit=30&${name}=ada%40x.test`,
      `?offset=0&limit=100&${name}=a+b`,
      `?offset=0&limit=30&${name}=a+b`,
    ]);
    expect(lists[0]?.query).toBe('?search=ada');
  });

  test.each(['', 'offset', 'limit', 7, null])('is rejected as %j', name => {
    const make = () => makeClient({ contactSearchParameter: name as string });
    expect(make).toThrow('contactSearchParameter must be the name of a query parameter');
  });
});

describe('a page in which a contact does not contain the searched text', () => {
  const ada = {
    id: `contact_${suffix}`,
    firstName: 'Ada',
    lastName: 'Łovelace-Ångström',
    email: 'Ada+1@X.test',
  };
  const bob = { id: `contact_${second}`, firstName: 'Bob', lastName: '', email: '' };
  const searching = async (search: string, body: unknown[], options: ClientOptions = {}) => {
    respond(endpoint, { body });
    const drift: Drift[] = [];
    const client = makeClient({ onDrift: each => drift.push(each), ...options });
    await client.contacts.list({ search });
    return drift;
  };

  test('is reported as drift, and names the option', async () => {
    expect(await searching('ada', [ada, bob])).toEqual([
      {
        operation: 'contacts.list',
        path: '[]',
        expected: 'contacts that contain the searched text',
        received: 'others',
        message: expect.stringContaining('contactSearchParameter'),
      },
    ]);
    expect(await searching('nobody@x.test', [ada])).toHaveLength(1);
    expect(await searching('ada', [{ id: `contact_${second}` }])).toHaveLength(1);
  });

  test('is an error with strict', async () => {
    respond(endpoint, { body: [{ ...contact, ...bob }] });
    const strict = makeClient({ validation: 'strict' });
    expect(await strict.contacts.list({ search: 'bob' })).toHaveLength(1);
    expect(await failureOf(strict.contacts.list({ search: 'ada' }))).toMatchObject({
      name: 'InvalidResponseError',
      issues: [{ path: '[]' }],
    });
  });

  test('is not reported if the search may compare in another way', async () => {
    for (const search of ['angstrom', 'ÅNGSTRÖM', 'łovelace ada', 'ada byron', ' ada ', '  '])
      expect(await searching(search, [ada]), search).toEqual([]);
    expect(await searching('STRASSE', [{ ...bob, lastName: 'Straße' }])).toEqual([]);
    const turkish = ['IRMAK', 'İrmak'].map(lastName => ({ ...bob, lastName }));
    expect(await searching('ırmak', turkish)).toEqual([]);
  });
});
