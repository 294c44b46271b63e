// Each limit at its edge and one beyond, and malformed bodies at every reader.
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { rows } from '../operations.ts';
import { legacy, outcome, rest, send } from './http.ts';

const id = 'A1b2C3d4E5f6G7h8I9j0K1';
const emailOf = (length: number) => `${'a'.repeat(length - 7)}@x.test`;
const event = (fields: object) => ({ name: 'a', identifier: 'a@x.test', data: {}, ...fields });
/** A domain name of this length, of labels of at most 63 characters. */
const hostname = (length: number) => `${'b'.repeat(length - 248)}.${'a.'.repeat(120)}example`;
const label = (length: number) => `${'a'.repeat(length)}.test`;

/** The statuses that a request at a limit and one beyond get, and both requests. */
const limits: readonly (readonly [
  string,
  number,
  number,
  readonly [string, unknown?],
  readonly [string, unknown?],
])[] = [
  ['limit of contacts, least', 200, 400, ['GET /contact?limit=1'], ['GET /contact?limit=0']],
  ['limit of contacts, most', 200, 400, ['GET /contact?limit=100'], ['GET /contact?limit=101']],
  ['limit of lists, least', 200, 400, ['GET /list?limit=1'], ['GET /list?limit=0']],
  ['limit of lists, most', 200, 400, ['GET /list?limit=500'], ['GET /list?limit=501']],
  ['offset of contacts', 200, 400, ['GET /contact?offset=0'], ['GET /contact?offset=-1']],
  ['offset of lists', 200, 400, ['GET /list?offset=0'], ['GET /list?offset=-1']],
  ['search of contacts, least', 200, 400, ['GET /contact?search=ab'], ['GET /contact?search=a']],
  ['search of contacts in characters', 200, 400, ['GET /contact?search=😀😀'], ['GET /contact?search=😀']],
  [
    'search of contacts, most',
    200,
    400,
    [`GET /contact?search=${'a'.repeat(255)}`],
    [`GET /contact?search=${'a'.repeat(256)}`],
  ],
  ['search of lists, least', 200, 400, ['GET /list?search=ab'], ['GET /list?search=a']],
  [
    'search of lists, most',
    200,
    400,
    [`GET /list?search=${'a'.repeat(100)}`],
    [`GET /list?search=${'a'.repeat(101)}`],
  ],
  ['identifier, least', 200, 404, [`DELETE /tag/tag_${id}`], [`DELETE /tag/tag_${id.slice(1)}`]],
  ['identifier, most', 200, 404, [`DELETE /tag/${id}`], [`DELETE /tag/${id}a`]],
  ['identifier of a list', 200, 400, [`DELETE /list/list_${id}`], [`DELETE /list/list_${id}a`]],
  [
    'domain name',
    200,
    400,
    ['POST /domain', { name: hostname(253) }],
    ['POST /domain', { name: hostname(254) }],
  ],
  [
    'label of a domain',
    200,
    400,
    ['POST /domain', { name: label(63) }],
    ['POST /domain', { name: label(64) }],
  ],
  [
    'time of an event, most',
    200,
    400,
    ['POST /events/custom', event({ time: 2 ** 53 - 1 })],
    ['POST /events/custom', event({ time: 2 ** 53 })],
  ],
  [
    'time of an event, least',
    200,
    400,
    ['POST /events/custom', event({ time: 1 - 2 ** 53 })],
    ['POST /events/custom', event({ time: -(2 ** 53) })],
  ],
  [
    'email',
    200,
    400,
    ['POST /contact/identify', { email: emailOf(320) }],
    ['POST /contact/identify', { email: emailOf(321) }],
  ],
  [
    'new email',
    200,
    400,
    ['POST /contact/identify', { email: 'a@x.test', newEmail: emailOf(320) }],
    ['POST /contact/identify', { email: 'a@x.test', newEmail: emailOf(321) }],
  ],
];

test.each(limits)('%s: %d at the limit, %d beyond', async (_, within, beyond, ...requests) => {
  const sandbox = createSandbox({
    seed: {
      contacts: [{ email: 'a@x.test' }],
      tags: [{ id: `tag_${id}`, name: 'a' }],
      lists: [{ id: `list_${id}`, name: 'a' }],
    },
  });
  const statuses = [];
  for (const [request, body] of requests) {
    const call = request.startsWith('POST /contact/') ? legacy : rest;
    statuses.push((await call(sandbox, request, body)).status);
  }
  expect(statuses).toEqual([within, beyond]);
});

test('a body can have maxBodyBytes bytes, with `fetch` as over HTTP, and one more is too large', async () => {
  const body = '{"name":"é"}';
  const sandbox = createSandbox({ maxBodyBytes: 13, ambiguities: { uniqueNames: [] } });
  await using server = await sandbox.listen();
  for (const call of [sandbox.fetch, fetch]) {
    const init = { method: 'POST', headers: { 'X-Team-ApiKey': sandbox.apiKey } };
    expect((await call(`${server.url}/api/v1/rest/tag`, { ...init, body: '\uFEFF{}' })).status).toBe(400);
    const at = (text: string) => call(`${server.url}/api/v1/rest/tag`, { ...init, body: text });
    expect([(await at(body)).status, (await at(`${body} `)).status]).toEqual([200, 413]);
  }
  expect(sandbox.state.tags.all.map(({ name }) => name)).toEqual(['é', 'é']);
  expect(outcome(await rest(sandbox, 'POST /tag', `${body}  `))).toEqual([
    413,
    { status: 'error', message: 'request body too large' },
  ]);
});

/** Rows of the operations that take a body, with their path and keys. */
const bodied = rows.filter(({ body }) => body !== undefined);
const keysOf = (authentication: string) => ({ [authentication]: 'sandbox-key' });
const pathOf = ({ path, query = '', identifier = '' }: (typeof rows)[number]) =>
  path.replace('{identifier}', identifier) + query.replace('team-7', 'sandbox-team');

describe('a malformed body', () => {
  test.each(bodied)('gets 400 from $name, and nothing is stored', async row => {
    const sandbox = createSandbox({ seed: { contacts: [{ email: 'zoe+news@example.com' }] } });
    const before = sandbox.snapshot();
    for (const body of ['', ' ', '{', '{]', 'null', '[]', '5', '"name"', '{}{}', '\uFEFF{}']) {
      const answer = await send(sandbox, row.method, pathOf(row), keysOf(row.authentication), body);
      expect([answer.status, answer.body], body).toEqual([
        400,
        { status: 'error', message: 'request body not in proper format' },
      ]);
    }
    expect(sandbox.snapshot()).toEqual(before);
  });

  test.each(bodied)('is each body of $name with a member of another type', async row => {
    for (const [name, value] of Object.entries(JSON.parse(row.body ?? '')))
      for (const wrong of [null, true, 5.5, 'text', [5], [['a']], { a: 5 }, { a: null }]) {
        if (typeof wrong === 'string' && typeof value === 'string' && !/email|birthday/i.test(name)) continue;
        const body = { ...JSON.parse(row.body ?? ''), [name]: wrong };
        const sandbox = createSandbox({ seed: { contacts: [{ email: 'zoe+news@example.com' }] } });
        const answer = await send(sandbox, row.method, pathOf(row), keysOf(row.authentication), body);
        expect(answer.status, JSON.stringify(body)).toBe(400);
      }
  });
});
