// The option `validation`.
import { describe, expect, test } from 'vitest';
import type { Drift } from '../../src/index.ts';
import { row } from '../operations.ts';
import { contact } from '../support/specified-records.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

const odd = { ...contact, firstName: 7, tags: 'vip', customFields: { age: 41 } };

describe("'report', the default", () => {
  test('keeps a mismatch as sent and reports each path once', async () => {
    const drifts: Drift[] = [];
    respond('GET /api/v1/rest/contact', { body: [contact, odd, odd] });
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

  test('reports the same field of two operations separately', async () => {
    const drifts: string[] = [];
    respond('POST /api/v1/rest/tag', { body: { id: 'tag_1', name: 7 } });
    respond('POST /api/v1/rest/list', { body: { id: 'list_1', name: 7 } });
    const client = makeClient({ onDrift: ({ operation }) => drifts.push(operation) });
    await client.tags.create({ name: 'n' });
    await client.lists.create({ name: 'n' });
    expect(drifts).toEqual(['tags.create', 'lists.create']);
  });

  test('ignores an `onDrift` that throws', async () => {
    respond('POST /api/v1/rest/tag', { body: { id: 'tag_1', name: 7 } });
    const onDrift = () => {
      throw new Error('mine');
    };
    expect(await makeClient({ onDrift }).tags.create({ name: 'n' })).toMatchObject({ id: 'tag_1' });
  });
});

describe("'strict'", () => {
  const client = () => makeClient({ validation: 'strict' });

  test('rejects any mismatch with an issue for each path', async () => {
    respond('GET /api/v1/rest/contact', { body: [contact, odd] });
    const customFields = expect.stringMatching(/^\[1\]\.customFields/);
    expect(await failureOf(client().contacts.list())).toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'done',
      issues: [{ path: '[1].firstName' }, { path: customFields }, { path: '[1].tags' }],
    });
  });

  test('rejects null in place of a listing', async () => {
    respond('GET /api/v1/rest/sender', { body: 'null' });
    expect(await failureOf(client().senders.list())).toMatchObject({
      issues: [{ path: '', expected: 'an array', received: 'null' }],
    });
  });
});

describe("'off'", () => {
  test('accepts any JSON, and still applies defaults and transforms times', async () => {
    const client = makeClient({ validation: 'off', onDrift: () => expect.unreachable() });
    respond('GET /api/v1/rest/contact', { body: [{ firstName: 7 }] });
    expect(await client.contacts.list()).toMatchObject([{ firstName: 7, lists: [] }]);
    const { call, endpoint, response, result } = row('domains.create');
    respond(endpoint, { body: response });
    expect(await call(client)).toEqual(result);
  });

  test('rejects text that is not JSON, and failures', async () => {
    const client = makeClient({ validation: 'off' });
    respond('GET /api/v1/rest/sender', { body: '<html>' });
    expect(await failureOf(client.senders.list())).toMatchObject({ name: 'InvalidResponseError' });
    respond('GET /api/v1/rest/sender', { body: { status: 401 } });
    expect(await failureOf(client.senders.list())).toMatchObject({ name: 'AuthenticationError' });
  });
});
