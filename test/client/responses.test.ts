import { describe, expect, test, vi } from 'vitest';
import { type Contact, customField, type Drift } from '../../src/index.ts';
import { contact, onePerMethodAndResult } from '../endpoints.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { emptyContact, suffix } from '../support/specified-records.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

/** Operations whose response is of this kind. */
const returning = (kind: NamedRow['returns']) =>
  onePerMethodAndResult.filter(({ returns }) => returns === kind);

test.each(onePerMethodAndResult)('$name rejects a response of another type, and is done', async row => {
  respond(row.endpoint, { body: row.returns === 'listing' ? '{}' : '[]' });
  expect(await failureOf(row.call(makeClient()))).toMatchObject({
    name: 'InvalidResponseError',
    operation: row.name,
    outcome: 'done',
    issues: [{ path: '' }],
  });
});

describe('absent and null', () => {
  test.each(returning('record'))('$name rejects a record without an id', async ({ call, endpoint }) => {
    for (const body of ['{"name":"n"}', '{"id":null,"name":"n"}', '{"id":"","name":"n"}', '{"id":7.5}']) {
      respond(endpoint, { body });
      const issues = [{ path: 'id' }];
      const expected = { name: 'InvalidResponseError', outcome: 'done', issues };
      expect(await failureOf(call(makeClient()))).toMatchObject(expected);
    }
  });

  test('fills the absent and null fields of a contact with their defaults', async () => {
    const nothing = Object.fromEntries(Object.keys(contact).map(key => [key, null]));
    const least = { id: contact.id };
    respond('GET /api/v1/rest/contact', { body: [least, { ...nothing, ...least }, { ...least, email: '' }] });
    const full = { ...emptyContact, email: '', ...least };
    const drift = vi.fn();
    expect(await makeClient({ onDrift: drift }).contacts.list()).toEqual([full, full, full]);
    expect(drift).not.toHaveBeenCalled();
  });

  test('fills the absent and null fields of a domain with their defaults', async () => {
    respond('POST /api/v1/rest/domain', { body: '{"id":"domain_504","dkim":null,"track":{"host":"t"}}' });
    const domain = await makeClient().domains.create({ name: 'x.test' });
    const dns = { host: '', type: '', textValue: '' };
    expect(domain).toMatchObject({
      id: 'domain_504',
      name: '',
      verified: false,
      dkim: dns,
      gpt: dns,
      track: { ...dns, host: 't' },
      dmarcFailureReason: '',
      created: '',
      updated: null,
    });
    expect(domain.dkimConfig.reveal()).toBe('');
  });
});

describe.each([200, 202, 204])('an empty body with status %i', status => {
  const rejected = { ok: false, error: { outcome: 'unknown' } };
  const empty = {
    listing: status === 204 ? { data: [] } : rejected,
    acknowledgement: { data: { status: 'success', message: '' } },
    'legacy result': { data: { status: '', message: '' } },
    record: rejected,
  };

  test.each(onePerMethodAndResult)(
    'of $name is a success if its result needs none',
    async ({ name, call, endpoint, returns }) => {
      for (const validation of ['report', 'strict'] as const) {
        respond(endpoint, { body: '', status });
        const result = await call(makeClient({ validation })).safe();
        const isRejected = validation === 'strict' || name === 'legacy.identify';
        expect(result).toMatchObject(isRejected ? rejected : empty[returns]);
      }
    },
  );
});

test('a missing contact of Identify is reported, and rejected with `strict`', async () => {
  for (const body of [{ status: '200', message: 'ok' }, { status: '200', data: null }, {}]) {
    respond('POST /api/v1/contact/identify', { body });
    const drift = vi.fn();
    const result = await makeClient({ onDrift: drift }).legacy.identify({ email: 'a@x.test' });
    expect(result).not.toHaveProperty('data');
    expect(drift).toHaveBeenCalledWith(expect.objectContaining({ path: 'data', received: 'undefined' }));
    const strict = makeClient({ validation: 'strict' }).legacy.identify({ email: 'a@x.test' });
    expect(await failureOf(strict)).toMatchObject({ name: 'InvalidResponseError', outcome: 'done' });
  }
});

describe('a record with additional or different fields than documented', () => {
  test.each([
    [{ id: 'contact_504' }, 'id', 'a contact id (contact_ and 22 letters or digits)'],
    [{ id: `tag_${suffix}` }, 'id', 'a contact id (contact_ and 22 letters or digits)'],
    [{ created: 'yesterday' }, 'created', 'a time in ISO 8601, UTC'],
    [{ created: '2025-13-22T09:04:10Z' }, 'created', 'a time in ISO 8601, UTC'],
    [{ updated: '2025-12-22T09:04:10+01:00' }, 'updated', 'a time in ISO 8601, UTC'],
    [{ updated: '2025-12-22T09:04:10' }, 'updated', 'a time in ISO 8601, UTC'],
    [{ lists: [`list_${suffix}`, 'News'] }, 'lists[1]', 'a list id (list_ and 22 letters or digits)'],
    [{ tags: ['tag_504'] }, 'tags[0]', 'a tag id (tag_ and 22 letters or digits)'],
    [{ contactSource: 9 }, 'contactSource', 'one of 1, 2, 3, 4'],
    [{ contactSource: 1.5 }, 'contactSource', 'one of 1, 2, 3, 4'],
    [
      { customFields: { plan: 'gold' } },
      'customFields',
      'an object of strings by id of the custom field (field_…)',
    ],
  ])('keeps and reports %j, and rejects it with strict', async (other, path, expected) => {
    respond('GET /api/v1/rest/contact', { body: [{ ...contact, ...other }] });
    const drift = vi.fn();
    expect(await makeClient({ onDrift: drift }).contacts.list()).toEqual([{ ...contact, ...other }]);
    expect(drift.mock.calls).toMatchObject([[{ path: `[].${path.replace(/\d/, '')}`, expected }]]);
    const strict = makeClient({ validation: 'strict' }).contacts.list();
    const issues = [{ path: `[0].${path}`, expected }];
    expect(await failureOf(strict)).toMatchObject({ name: 'InvalidResponseError', issues });
  });

  test.each([
    { created: '2025-12-22T09:04:10+00:00', updated: '2025-12-22T09:04:10.123Z' },
    { created: '2025-12-22T09:04:10.613907001Z', updated: '' },
    { contactSource: 0, lists: [], tags: [], customFields: {} },
    { customFields: { [`field_${suffix}`]: 'a', [`custom_field_${suffix}`]: 'b' } },
  ])('accepts %j with strict', async other => {
    respond('GET /api/v1/rest/contact', { body: [{ ...contact, ...other }] });
    const client = makeClient({ validation: 'strict' });
    expect(await client.contacts.list()).toEqual([{ ...contact, ...other }]);
  });

  test('returns an id that is a number as the text of its exact digits', async () => {
    const text = JSON.stringify([contact, { ...contact, id: 504 }]);
    respond('GET /api/v1/rest/contact', { body: text.replace(`"${contact.id}"`, '9007199254740993') });
    expect(await makeClient().contacts.list()).toEqual([
      { ...contact, id: '9007199254740993' },
      { ...contact, id: '504' },
    ]);
  });

  test('gives a number that JavaScript would round as text, in records and of any endpoint', async () => {
    const number = '12345678901234567.89';
    const { customFields: _, ...others } = contact;
    const body = JSON.stringify([{ customFields: { points: 0 }, ...others }]).replace(':0}', `:${number}}`);
    respond('GET /api/v1/rest/contact', { body });
    const client = makeClient();
    expect(await client.contacts.list()).toMatchObject([{ customFields: { points: number } }]);
    const request = { api: 'rest', method: 'GET', path: '/contact' } as const;
    expect(await client.request(request)).toMatchObject([{ customFields: { points: number } }]);
  });

  test('returns an integer that a number would round as text, and reports it as drift', async () => {
    const drifts: unknown[] = [];
    const text = JSON.stringify([{ ...contact, ltv: 0 }]).replace('"ltv":0', '"ltv":-9007199254740993');
    respond('GET /api/v1/rest/contact', { body: text });
    const client = makeClient({ onDrift: drift => drifts.push(drift) });
    expect(await client.contacts.list()).toEqual([{ ...contact, ltv: '-9007199254740993' }]);
    expect(drifts).toEqual([
      { operation: 'contacts.list', path: '[].ltv', expected: 'a whole number', received: 'string' },
    ]);
    const strict = makeClient({ validation: 'strict' });
    expect(await failureOf(strict.contacts.list())).toMatchObject({ issues: [{ path: '[0].ltv' }] });
  });

  test('treats `__proto__` in a record and among custom fields as any other key', async () => {
    const body = '[{"id":"c","email":"e","customFields":{"__proto__":"gold"},"__proto__":{"ltv":9}}]';
    respond('GET /api/v1/rest/contact', { body });
    const [found] = (await makeClient().contacts.list()) as [Contact];
    expect(Object.entries(found.customFields)).toEqual([['__proto__', 'gold']]);
    expect(customField(found, '__proto__')).toBe('gold');
    expect(customField(found, 'toString')).toBeUndefined();
    expect(({} as Record<string, unknown>).gold).toBeUndefined();
    expect([Object.hasOwn(found, '__proto__'), found.ltv]).toEqual([true, 0]);
  });
});

describe("drift, with validation 'report', the default", () => {
  test('is reported once for each path, and the response is as it was sent', async () => {
    const odd = { ...contact, firstName: 7, tags: 'vip', customFields: { age: 41 } };
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

  test('is reported for the same field of two operations, even if `onDrift` throws', async () => {
    const drifts: string[] = [];
    respond('POST /api/v1/rest/tag', { body: { id: `tag_${suffix}`, name: 7 } });
    respond('POST /api/v1/rest/list', { body: { id: `list_${suffix}`, name: 7 } });
    const onDrift = ({ operation }: Drift) => {
      drifts.push(operation);
      throw new Error('mine');
    };
    const client = makeClient({ onDrift });
    expect(await client.tags.create({ name: 'n' })).toMatchObject({ id: `tag_${suffix}` });
    await client.lists.create({ name: 'n' });
    expect(drifts).toEqual(['tags.create', 'lists.create']);
  });
});
