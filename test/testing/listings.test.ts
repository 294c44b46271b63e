// Listings: rules 4.1 to 4.6 of docs/service-rules.md.
import { describe, expect, test } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { outcome, rest } from './http.ts';

const emails = (body: unknown) => (body as { email: string }[]).map(contact => contact.email);
const people = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => `person${first + index}@example.com`);

describe('query parameters of GET /contact', () => {
  const sandbox = createSandbox({ seed: { contacts: 120 } });

  test('offset skips records, and a page past the end is empty', async () => {
    expect(emails((await rest(sandbox, 'GET /contact?offset=118&limit=5')).body)).toEqual(people(2, 119));
    expect((await rest(sandbox, 'GET /contact?offset=500')).body).toEqual([]);
  });

  test.each(['limit=ten', 'limit=1.5', 'offset='])('%s gets 400', async query => {
    const answer = await rest(sandbox, `GET /contact?${query}`);
    expect(outcome(answer)).toEqual([400, { status: 'error', message: 'query parameter out of range' }]);
  });

  test('contactPageCap is the maximum, and a higher limit is an error or lowered, by option', async () => {
    const refusing = createSandbox({ seed: { contacts: 120 }, ambiguities: { contactPageCap: 30 } });
    expect((await rest(refusing, 'GET /contact?limit=31')).status).toBe(400);
    expect(emails((await rest(refusing, 'GET /contact?limit=30')).body)).toHaveLength(30);
    const ambiguities = { contactPageCap: 30, overCap: 'cap' } as const;
    const capping = createSandbox({ seed: { contacts: 120 }, ambiguities });
    expect(emails((await rest(capping, 'GET /contact?limit=100')).body)).toEqual(people(30));
  });

  test('search finds parts of firstName, lastName and email, and ignores case', async () => {
    const contacts = [
      { email: 'one@x.test', firstName: 'Élodie' },
      { email: 'two@x.test', lastName: 'McLODIE' },
      { email: 'LODIE@x.test' },
      { email: 'no@x.test', company: 'lodie', lastName: 'Byron King' },
    ];
    const named = createSandbox({ seed: { contacts } });
    for (const [text, found] of [
      ['lodi', ['one@x.test', 'two@x.test', 'LODIE@x.test']],
      ['%C3%89LODIE', ['one@x.test']],
      ['byron+king', ['no@x.test']],
      ['king+byron', []],
    ] as const)
      expect(emails((await rest(named, `GET /contact?search=${text}`)).body), text).toEqual(found);
  });

  test('search treats every character literally', async () => {
    const odd = createSandbox({ seed: { contacts: [{ email: 'a+b@x.test' }, { email: 'aab@x.test' }] } });
    expect(emails((await rest(odd, 'GET /contact?search=a%2Bb')).body)).toEqual(['a+b@x.test']);
    for (const text of ['%5Bz', '.*', '%28%28', '%5C%5C', '--', '%2F%2F'])
      expect((await rest(odd, `GET /contact?search=${text}`)).body).toEqual([]);
  });

  test('contactSearchParameter renames the search parameter', async () => {
    const other = createSandbox({ seed: { contacts: 12 }, ambiguities: { contactSearchParameter: 'query' } });
    const page = await new EmailMarketingClient(other.clientOptions).contacts.list({ search: 'PERSON12@' });
    expect(emails(page)).toEqual(people(1, 12));
    expect(other.requests.last()?.query).toEqual({ query: 'PERSON12@' });
    expect(emails((await rest(other, 'GET /contact?query=person12')).body)).toEqual(people(1, 12));
    expect(emails((await rest(other, 'GET /contact?search=person12')).body)).toEqual(people(10));
  });

  test('listings are oldest first, or newest first by option', async () => {
    const newest = createSandbox({ seed: { contacts: 5 }, ambiguities: { order: 'newest-first' } });
    expect(emails((await rest(newest, 'GET /contact?offset=1&limit=2')).body)).toEqual(
      [...people(2, 3)].reverse(),
    );
    expect(emails((await rest(newest, 'GET /contact?offset=3&limit=3')).body)).toEqual(people(2).reverse());
    expect((await rest(newest, 'GET /contact?offset=6')).body).toEqual([]);
    expect(emails((await rest(newest, 'GET /contact?search=person&offset=3&limit=1')).body)).toEqual(
      people(1, 2),
    );
  });
});

describe('query parameters of GET /list', () => {
  test('limit defaults to 10, and offset skips records', async () => {
    const sandbox = createSandbox({ seed: { lists: 120 } });
    expect((await rest(sandbox, 'GET /list')).body).toHaveLength(10);
    expect((await rest(sandbox, 'GET /list?limit=500&offset=100')).body).toHaveLength(20);
  });

  test('listPageCap is the maximum, and of a page without `limit` too', async () => {
    const capped = createSandbox({ seed: { lists: 12 }, ambiguities: { listPageCap: 5 } });
    expect((await rest(capped, 'GET /list')).body).toHaveLength(5);
    expect((await rest(capped, 'GET /list?limit=6')).status).toBe(400);
  });
});
