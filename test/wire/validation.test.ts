import { describe, expect, test } from 'vitest';
import type { Drift } from '../../src/index.ts';
import { row, rows } from '../operations.ts';
import { contact } from '../support/specified-records.ts';
import { answer, failure, makeClient } from './wire.ts';

const odd = { ...contact, firstName: 7, tags: 'vip', customFields: { age: 41 } };

describe("'report', the default", () => {
  test('keeps what differs as it was sent, and tells each place once', async () => {
    const drifts: Drift[] = [];
    answer('GET /api/v1/rest/contact', { body: [contact, odd, odd] });
    const client = makeClient({ onDrift: drift => drifts.push(drift) });
    expect(await client.contacts.list()).toEqual([contact, odd, odd]);
    await client.contacts.list();
    expect(drifts.map(({ operation, path, received }) => [operation, path, received])).toEqual([
      ['contacts.list', '[].firstName', 'number'],
      ['contacts.list', expect.stringMatching(/^\[\]\.customFields/), expect.any(String)],
      ['contacts.list', '[].tags', 'string'],
    ]);
    expect(drifts.every(({ expected }) => expected !== '')).toBe(true);
    expect(JSON.stringify(drifts)).not.toMatch(/41|vip/);
  });

  test('tells of the same field of two operations apart', async () => {
    const drifts: string[] = [];
    answer('POST /api/v1/rest/tag', { body: { id: 'tag_1', name: 7 } });
    answer('POST /api/v1/rest/list', { body: { id: 'list_1', name: 7 } });
    const client = makeClient({ onDrift: ({ operation }) => drifts.push(operation) });
    await client.tags.create({ name: 'n' });
    await client.lists.create({ name: 'n' });
    expect(drifts).toEqual(['tags.create', 'lists.create']);
  });

  test('names the field within a record within the record', async () => {
    const drifts: Drift[] = [];
    const data = { email: 'ada@example.com', firstName: 7, tags: 'vip' };
    answer('POST /api/v1/contact/identify', { body: { status: 'success', message: 'ok', data } });
    const client = makeClient({ onDrift: drift => drifts.push(drift) });
    expect((await client.legacy.identify({ email: 'ada@example.com' })).data).toMatchObject(data);
    expect(drifts.map(({ operation, path, received }) => [operation, path, received])).toEqual([
      ['legacy.identify', 'data.firstName', 'number'],
      ['legacy.identify', 'data.tags', 'string'],
    ]);
  });

  test('writes a warning where nobody listens', async () => {
    const lines: [string, object][] = [];
    const note = (message: string, fields: object) => void lines.push([message, fields]);
    const logger = { error: note, warn: note, info: note, debug: note };
    answer('POST /api/v1/rest/tag', { body: { id: 'tag_1', name: 7 } });
    await makeClient({ logger, logLevel: 'warn' }).tags.create({ name: 'n' });
    expect(lines).toEqual([
      [expect.stringContaining('tags.create'), expect.objectContaining({ path: 'name', received: 'number' })],
    ]);
  });

  test('a listener that throws ends no call', async () => {
    answer('POST /api/v1/rest/tag', { body: { id: 'tag_1', name: 7 } });
    const onDrift = () => {
      throw new Error('mine');
    };
    expect(await makeClient({ onDrift }).tags.create({ name: 'n' })).toMatchObject({ id: 'tag_1' });
  });

  test('absent, null and unknown fields are no drift', async () => {
    const drifts: Drift[] = [];
    answer('GET /api/v1/rest/contact', { body: [{ id: 'c', email: 'e', lists: null, more: 1 }] });
    await makeClient({ onDrift: drift => drifts.push(drift) }).contacts.list();
    expect(drifts).toEqual([]);
  });
});

describe("'strict'", () => {
  const client = () => makeClient({ validation: 'strict' });

  test.each(rows)('$name as documented passes', async ({ call, endpoint, response, result = response }) => {
    answer(endpoint, { body: response });
    expect(await call(client())).toEqual(result);
  });

  test('any mismatch throws, with every place of it', async () => {
    answer('GET /api/v1/rest/contact', { body: [contact, odd] });
    const error = await failure(client().contacts.list());
    expect(error).toMatchObject({ name: 'InvalidResponseError', outcome: 'done' });
    expect((error as { issues: { path: string }[] }).issues.map(({ path }) => path)).toEqual([
      '[1].firstName',
      expect.stringMatching(/^\[1\]\.customFields/),
      '[1].tags',
    ]);
  });

  test.each([
    { ...contact, company: undefined },
    { ...contact, company: null },
  ])('absent and null throw: %o', async body => {
    answer('GET /api/v1/rest/contact', { body: [body] });
    expect(await failure(client().contacts.list())).toMatchObject({ issues: [{ path: '[0].company' }] });
  });

  test('a listing that is null throws', async () => {
    answer('GET /api/v1/rest/sender', { body: 'null' });
    expect(await failure(client().senders.list())).toMatchObject({
      issues: [{ path: '', expected: 'an array', received: 'null' }],
    });
  });

  test('an unknown field passes', async () => {
    answer('GET /api/v1/rest/contact', { body: [{ ...contact, more: 1 }] });
    expect(await client().contacts.list()).toEqual([{ ...contact, more: 1 }]);
  });
});

describe("'off'", () => {
  test('takes any JSON, and still gives zero values and times', async () => {
    const client = makeClient({ validation: 'off', onDrift: () => expect.unreachable() });
    answer('GET /api/v1/rest/contact', { body: [{ firstName: 7 }] });
    expect(await client.contacts.list()).toMatchObject([{ firstName: 7, lists: [] }]);
    const { call, endpoint, response, result } = row('domains.create');
    answer(endpoint, { body: response });
    expect(await call(client)).toEqual(result);
  });

  test('what is no JSON is still an error, and so is a failure', async () => {
    const client = makeClient({ validation: 'off' });
    answer('GET /api/v1/rest/sender', { body: '<html>' });
    expect(await failure(client.senders.list())).toMatchObject({ name: 'InvalidResponseError' });
    answer('GET /api/v1/rest/sender', { body: { status: 401 } });
    expect(await failure(client.senders.list())).toMatchObject({ name: 'AuthenticationError' });
  });
});
