// Each limit at its edge and one beyond, and malformed bodies at every reader.
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { rows } from '../endpoints.ts';
import { memoryInUse } from '../support/memory.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { legacy, outcome, rest, send } from './http.ts';

const id = 'A1b2C3d4E5f6G7h8I9j0K1';
const a = (length: number) => 'a'.repeat(length);
const emailOf = (length: number) => `${a(length - 7)}@x.test`;
const event = (time: number) => ({ name: 'a', identifier: 'a@x.test', data: {}, time });
/** A domain name of this length, of labels of at most 63 characters. */
const hostname = (length: number) => `${'b'.repeat(length - 248)}.${'a.'.repeat(120)}example`;
const label = (length: number) => `${a(length)}.test`;
const malformed = { status: 'error', message: 'request body not in proper format' };

const seed = {
  contacts: [{ email: 'a@x.test' }],
  tags: [{ id: `tag_${id}`, name: 'a' }],
  lists: [{ id: `list_${id}`, name: 'a' }],
};

type Limit = [title: string, within: string, beyond: string, status: number];

/** Requests with each bound of the parameters of listings, and one beyond. An emoji is one character, but two code units. */
function queryLimits(): Limit[] {
  const found: Limit[] = [];
  for (const { method, endpoint, fields } of rows)
    for (const [parameter, bounds] of Object.entries((method === 'GET' && fields.query) || {}))
      for (const [bound, value] of Object.entries(bounds)) {
        // The service may accept an empty text: the client rejects it.
        if (typeof value !== 'number' || (bound === 'minLength' && value === 1)) continue;
        const request = (size: number) =>
          `${endpoint.replace('/api/v1/rest', '')}?${parameter}=${bound.endsWith('Length') ? '😀'.repeat(size) : size}`;
        const beyond = request(bound.startsWith('min') ? value - 1 : value + 1);
        found.push([`${bound} of ${parameter} in ${endpoint}`, request(value), beyond, 400]);
      }
  return found;
}

test.each<Limit>([
  ...queryLimits(),
  ['identifier, most', `DELETE /tag/${id}`, `DELETE /tag/${id}a`, 404],
  ['identifier of a list', `DELETE /list/list_${id}`, `DELETE /list/list_${id}a`, 400],
])('%s: a request at the limit succeeds, one beyond does not', async (_, within, beyond, status) => {
  const sandbox = createSandbox({ seed });
  expect((await rest(sandbox, within)).status).toBe(200);
  expect((await rest(sandbox, beyond)).status).toBe(status);
});

test.each([
  ['domain name', 'POST /domain', { name: hostname(253) }, { name: hostname(254) }],
  ['label of a domain', 'POST /domain', { name: label(63) }, { name: label(64) }],
  ['time of an event, most', 'POST /events/custom', event(2 ** 53 - 1), event(2 ** 53)],
  ['time of an event, least', 'POST /events/custom', event(1 - 2 ** 53), event(-(2 ** 53))],
  ['email', 'POST /contact/identify', { email: emailOf(320) }, { email: emailOf(321) }],
])('%s: a body at the limit succeeds, one beyond is malformed', async (_, request, within, beyond) => {
  const sandbox = createSandbox({ seed });
  const call = request.startsWith('POST /contact/') ? legacy : rest;
  expect((await call(sandbox, request, within)).status).toBe(200);
  expect((await call(sandbox, request, beyond)).status).toBe(400);
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

test('large bodies of unauthorized requests are not kept in memory', async () => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  const before = memoryInUse();
  const body = Buffer.alloc(4 * megabyte, 'a');
  for (let sent = 0; sent < 12; sent++) {
    const headers = { 'content-type': 'text/plain', origin: 'https://evil.example' };
    for (const [path, status] of [
      ['api/v1/rest/tag', 401],
      ['_sandbox/snapshot', 404],
    ] as const)
      expect((await fetch(`${server.url}/${path}`, { method: 'POST', headers, body })).status).toBe(status);
  }
  expect(memoryInUse() - before).toBeLessThan(24 * megabyte);
});

test('a snapshot over HTTP can have up to 100 megabytes', async () => {
  await using server = await createSandbox({ seed: { tags: [{ name: a(2 * megabyte) }] } }).listen();
  const url = `${server.url}/_sandbox/snapshot`;
  const put = (body: string | Uint8Array<ArrayBuffer>) => fetch(url, { method: 'PUT', body });
  expect((await put(await (await fetch(url)).text())).status).toBe(200);
  const refused = await put(new Uint8Array(100 * megabyte + 1));
  const message = 'The body is larger than 100 MB.';
  expect([refused.status, await refused.json()]).toEqual([413, { status: 'error', message }]);
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
