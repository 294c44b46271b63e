// Listings: rules 4.1 to 4.6 of docs/service-rules.md. Bounds of their parameters are in `limits.test.ts`.
import { expect, test } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import { type Ambiguities, createSandbox } from '../../src/testing/index.ts';
import { fieldsOf, outcome, rest } from './http.ts';

const outOfRange = { status: 'error', message: 'query parameter out of range' };
/** Emails of contacts by number, from the first to the last. */
const people = (first: number, last: number) =>
  Array.from(
    { length: Math.abs(last - first) + 1 },
    (_, index) => `person${first + Math.sign(last - first) * index}@example.com`,
  );

test.each<[ambiguities: Partial<Ambiguities>, query: string, found: readonly string[] | undefined]>([
  [{}, '', people(1, 10)],
  [{}, '?offset=58&limit=5', people(59, 60)],
  [{}, '?offset=500', []],
  [{}, '?limit=ten', undefined],
  [{}, '?limit=1.5', undefined],
  [{}, '?offset=', undefined],
  [{ contactPageCap: 30 }, '?limit=30', people(1, 30)],
  [{ contactPageCap: 30 }, '?limit=31', undefined],
  [{ contactPageCap: 30, overCap: 'cap' }, '?limit=100', people(1, 30)],
  [{ contactPageCap: 5 }, '', people(1, 5)],
  [{ order: 'newest-first' }, '?offset=1&limit=2', people(59, 58)],
  [{ order: 'newest-first' }, '?offset=58&limit=3', people(2, 1)],
  [{ order: 'newest-first' }, '?offset=61', []],
  [{ order: 'newest-first' }, '?search=person&offset=58&limit=1', people(2, 2)],
])('with the options %j, GET /contact%s returns %j', async (ambiguities, query, found) => {
  const sandbox = createSandbox({ seed: { contacts: 60 }, ambiguities });
  const answer = await rest(sandbox, `GET /contact${query}`);
  if (found === undefined) expect(outcome(answer)).toEqual([400, outOfRange]);
  else expect(fieldsOf(answer, 'email')).toEqual(found);
});

test.each([
  ['lodi', ['one@x.test', 'two@x.test', 'LODIE@x.test']],
  ['%C3%89LODIE', ['one@x.test']],
  ['byron+king', ['a+b@x.test']],
  ['king+byron', []],
  ['a%2Bb', ['a+b@x.test']],
  ['.*', []],
  ['%28%28', []],
  ['%5C%5C', []],
])('search for %s finds parts of firstName, lastName and email in any case: %j', async (text, found) => {
  const contacts = [
    { email: 'one@x.test', firstName: 'Élodie' },
    { email: 'two@x.test', lastName: 'McLODIE' },
    { email: 'LODIE@x.test' },
    { email: 'a+b@x.test', company: 'lodie', lastName: 'Byron King' },
  ];
  const answer = await rest(createSandbox({ seed: { contacts } }), `GET /contact?search=${text}`);
  expect(fieldsOf(answer, 'email')).toEqual(found);
});

test('contactSearchParameter renames the search parameter', async () => {
  const other = createSandbox({ seed: { contacts: 12 }, ambiguities: { contactSearchParameter: 'query' } });
  const page = await new EmailMarketingClient(other.clientOptions).contacts.list({ search: 'PERSON12@' });
  expect(fieldsOf({ body: page }, 'email')).toEqual(people(12, 12));
  expect(other.requests.last()?.query).toEqual({ query: 'PERSON12@' });
  expect(fieldsOf(await rest(other, 'GET /contact?search=person12'), 'email')).toEqual(people(1, 10));
});

test.each<[listPageCap: number, query: string, length: number | undefined]>([
  [500, '', 10],
  [500, '?limit=500&offset=100', 20],
  [5, '', 5],
  [5, '?limit=6', undefined],
])('with listPageCap %d, GET /list%s returns %j of 120 lists', async (listPageCap, query, length) => {
  const sandbox = createSandbox({ seed: { lists: 120 }, ambiguities: { listPageCap } });
  const answer = await rest(sandbox, `GET /list${query}`);
  if (length === undefined) expect(outcome(answer)).toEqual([400, outOfRange]);
  else expect(answer.body).toHaveLength(length);
});
