// Each limit at its edge and one beyond, and malformed bodies at every reader.
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox, type Seed } from '../../src/testing/index.ts';
import { rows } from '../endpoints.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { legacy, outcome, rest, send } from './http.ts';

const id = 'A1b2C3d4E5f6G7h8I9j0K1';
const a = (length: number) => 'a'.repeat(length);
const email = (length: number) => ({ email: `${a(length - 7)}@x.test` });
const event = (time: number) => ({ name: 'a', identifier: 'a@x.test', data: {}, time });
/** A domain name of this length, of labels of at most 63 characters. */
const domain = (length: number) => ({ name: `${'b'.repeat(length - 248)}.${'a.'.repeat(120)}example` });
const label = (length: number) => ({ name: `${a(length)}.test` });
/** A search for this many characters: an emoji is one character, but two code units. */
const search = (path: string, length: number) => `GET ${path}?search=${'😀'.repeat(length)}`;
const malformed = { status: 'error', message: 'request body not in proper format' };

type Call = [request: string, body?: object];

test.each<[limit: string, within: Call, beyond: Call, status: number]>([
  ['offset of contacts', ['GET /contact?offset=0'], ['GET /contact?offset=-1'], 400],
  ['least limit of contacts', ['GET /contact?limit=1'], ['GET /contact?limit=0'], 400],
  ['greatest limit of contacts', ['GET /contact?limit=100'], ['GET /contact?limit=101'], 400],
  ['shortest search for contacts', [search('/contact', 2)], [search('/contact', 1)], 400],
  ['longest search for contacts', [search('/contact', 255)], [search('/contact', 256)], 400],
  ['offset of lists', ['GET /list?offset=0'], ['GET /list?offset=-1'], 400],
  ['least limit of lists', ['GET /list?limit=1'], ['GET /list?limit=0'], 400],
  ['greatest limit of lists', ['GET /list?limit=500'], ['GET /list?limit=501'], 400],
  ['shortest search for lists', [search('/list', 2)], [search('/list', 1)], 400],
  ['longest search for lists', [search('/list', 100)], [search('/list', 101)], 400],
  ['identifier of a tag', [`DELETE /tag/${id}`], [`DELETE /tag/${id}a`], 404],
  ['identifier of a list', [`DELETE /list/list_${id}`], [`DELETE /list/list_${id}a`], 400],
  ['domain name', ['POST /domain', domain(253)], ['POST /domain', domain(254)], 400],
  ['label of a domain', ['POST /domain', label(63)], ['POST /domain', label(64)], 400],
  ['latest event', ['POST /events/custom', event(2 ** 53 - 1)], ['POST /events/custom', event(2 ** 53)], 400],
  [
    'first event',
    ['POST /events/custom', event(1 - 2 ** 53)],
    ['POST /events/custom', event(-(2 ** 53))],
    400,
  ],
  ['email', ['POST /contact/identify', email(320)], ['POST /contact/identify', email(321)], 400],
])('%s: a request at the limit succeeds, one beyond does not', async (_, within, beyond, status) => {
  const [tags, lists] = ['tag', 'list'].map(kind => [{ id: `${kind}_${id}`, name: 'a' }]);
  const sandbox = createSandbox({ seed: { tags, lists, contacts: [{ email: 'a@x.test' }] } as Seed });
  const call = within[0].startsWith('POST /contact/') ? legacy : rest;
  expect((await call(sandbox, ...within)).status).toBe(200);
  expect((await call(sandbox, ...beyond)).status).toBe(status);
});

/** A body of this many bytes that names a tag. */
const tagOf = (bytes: number) => `{"name":"${a(bytes - '{"name":""}'.length)}"}`;
const megabyte = 1_000_000;

test('a body of a megabyte succeeds, and one byte more gets 413, with `fetch` as over HTTP', async () => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  for (const call of [sandbox.fetch, fetch]) {
    const post = (body: string, key = sandbox.apiKey) =>
      call(`${server.url}/api/v1/rest/tag`, { method: 'POST', headers: { 'X-Team-ApiKey': key }, body });
    expect((await post(tagOf(megabyte))).status).toBe(200);
    const refused = await post(tagOf(megabyte + 1));
    const message = 'request body larger than 1 MB';
    expect([refused.status, await refused.json()]).toEqual([413, { status: 'error', message }]);
    const { body, error } = sandbox.requests.last() ?? {};
    expect([body, error]).toEqual([undefined, { kind: 'tooLarge', reason: message, rule: '13.2' }]);
    expect((await post(tagOf(megabyte + 1), 'wrong')).status).toBe(401);
    sandbox.state.tags.clear();
  }
});

test('a snapshot over HTTP can be larger, and gets 413 at 100 megabytes and more', async () => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  const put = async (body: string | Uint8Array<ArrayBuffer>) =>
    (await fetch(`${server.url}/_sandbox/snapshot`, { method: 'PUT', body })).status;
  expect(await put(`{"tags":[${tagOf(2 * megabyte)}]}`)).toBe(200);
  expect(await put(new Uint8Array(100 * megabyte + 1))).toBe(413);
  expect(sandbox.state.tags.size).toBe(1);
});

/** Rows of the operations that take a body. */
const bodied = rows.filter(({ body }) => body !== undefined);
const zoe = { contacts: [{ email: 'zoe+news@example.com' }] };

/** Returns a function that sends a body to the endpoint of a row. */
function callOf({ method, endpoint, query = '', authentication }: NamedRow, sandbox: Sandbox) {
  const path = endpoint.replace(`${method} `, '') + query.replace('team-7', sandbox.teamId);
  return (body: unknown) => send(sandbox, method, path, { [authentication]: sandbox.apiKey }, body);
}

test.each(bodied)(
  'with unknownFields, an unknown field of $name is malformed, and the log names the fields',
  async row => {
    const sandbox = createSandbox({ ambiguities: { unknownFields: 'reject' }, seed: zoe });
    const call = callOf(row, sandbox);
    const valid = JSON.parse(row.body ?? '');
    expect((await call(valid)).status).toBe(200);
    const before = sandbox.snapshot();
    expect(outcome(await call({ ...valid, '?': 'x' }))).toEqual([400, malformed]);
    expect(sandbox.snapshot()).toEqual(before);
    const reason = sandbox.requests.last()?.error?.reason;
    const [, fields = ''] = /^Unknown field "\?"\. Known names: (.*)\.$/.exec(`${reason}`) ?? [];
    const specified = Object.keys(row.fields.body ?? {}).map(field => field.replace('?', ''));
    expect(fields.split(', ').sort()).toEqual(specified.sort());
  },
);

test.each(bodied)('a malformed body of $name gets 400, and nothing is stored', async row => {
  const sandbox = createSandbox({ seed: zoe });
  const before = sandbox.snapshot();
  const valid = JSON.parse(row.body ?? '');
  /** Bodies with a member of another type, or of a wrong form. */
  const wrong = Object.entries(valid).flatMap(([name, value]) =>
    [null, true, 5.5, 'text', [5], [['a']], { a: 5 }, { a: null }]
      .filter(each => typeof each !== 'string' || typeof value !== 'string' || /email|birthday/i.test(name))
      .map(each => JSON.stringify({ ...valid, [name]: each })),
  );
  for (const body of ['', ' ', '{', 'null', '[]', '5', '"name"', '{}{}', '\uFEFF{}', ...wrong])
    expect(outcome(await callOf(row, sandbox)(body)), body).toEqual([400, malformed]);
  expect(sandbox.snapshot()).toEqual(before);
});
