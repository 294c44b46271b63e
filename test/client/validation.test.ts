// Drift, which the option `validation` reports by default. `responses.test.ts` tests its other values.
import { describe, expect, test } from 'vitest';
import type { Drift } from '../../src/index.ts';
import { contact } from '../support/specified-records.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';

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
