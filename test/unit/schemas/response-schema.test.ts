// Mismatches between a response and its schema: how they are counted, named and limited. `client/responses.test.ts` shows them
// to a user.
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/client/endpoints.ts';
import { typeName } from '../../../src/core/json.ts';
import type { Secret } from '../../../src/helpers/secret.ts';
import type { OperationName } from '../../../src/resources/operations.ts';
import type { Validation } from '../../../src/schemas/lenient-parser.ts';
import { contact, domain } from '../../endpoints.ts';
import { suffix } from '../../support/specified-records.ts';

const parse = (name: OperationName, json: unknown, validation: Validation = 'report') =>
  endpoints[name].output.parseResponse(json, validation) as {
    ok: boolean;
    value?: unknown;
    drift?: { path: string; expected: string; received: string }[];
    issues?: { path: string; expected: string; received: string }[];
  };

/** A domain as the client reads it: integers beyond 2^53 as the text of their digits. */
const domainJson = (created: unknown, dkimConfig: unknown = '') => ({
  ...JSON.parse(domain),
  created,
  updated: 0,
  dkimConfig,
});

const pageOf = (count: number, fields: (index: number) => object) =>
  Array.from<unknown, unknown>({ length: count }, (_, index) => ({ ...contact, ...fields(index) }));

test.each([
  ['253402300799999999999', '9999-12-31T23:59:59.999999999Z'],
  ['-62167219200000000000', '0000-01-01T00:00:00.000000000Z'],
  ...['253402300800000000000', '-62167219200000000001', '1e18', 1e300, true].map(time => [time, undefined]),
])('%j nanoseconds are the time %s: others are kept and reported', (nanoseconds, text) => {
  const { value, drift } = parse('domains.create', domainJson(nanoseconds));
  expect(value).toMatchObject({ created: text ?? nanoseconds });
  const expected = 'whole nanoseconds since the epoch';
  expect(drift).toEqual(text ? [] : [{ path: 'created', expected, received: typeName(nanoseconds) }]);
});

test('a value that fails several checks is one issue', () => {
  expect(parse('tags.create', { id: 1e300, name: '' }).issues).toEqual([
    { path: 'id', expected: 'a string of 1 to 1000 characters', received: 'number' },
  ]);
});

test('a DKIM configuration that is not a string becomes a secret, too', () => {
  const { value, drift } = parse('domains.create', domainJson(0, { PrivKey: 'canary' }));
  expect(JSON.stringify(value)).not.toContain('canary');
  expect((value as { dkimConfig: Secret }).dkimConfig.reveal()).toBe('{"PrivKey":"canary"}');
  expect(drift).toEqual([{ path: 'dkimConfig', expected: 'a string', received: 'object' }]);
});

test('an integer that a number may have rounded is a mismatch', () => {
  expect(parse('contacts.list', [{ ...contact, ltv: 2 ** 53 }]).drift).toEqual([
    { path: '[].ltv', expected: 'a whole number', received: 'number' },
  ]);
});

test('each value of a map is a mismatch, and the first of a list, in any record', () => {
  const customFields = { a: 'x', b: 1, c: 2 };
  const page = pageOf(20_000, index => ({
    ...(index === 0 && { customFields, tags: [`tag_${suffix}`, 1, 2] }),
    ...(index === 50 && { customFields: { rare: 1 } }),
    ...(index === 19_999 && { lists: [7] }),
  }));
  expect(parse('contacts.list', page).drift?.map(({ path }) => path)).toEqual([
    ...['[].customFields.b', '[].customFields.c', '[].tags[]', '[].customFields.rare', '[].lists[]'],
  ]);
});

test('at most 100 mismatches are reported', () => {
  const page = pageOf(200, index => ({ customFields: { [`f${index}`]: index } }));
  expect(parse('contacts.list', page).drift).toHaveLength(100);
  for (const fields of [{ company: 1 }, { company: 1, firstName: 1, lastName: 1 }])
    expect(
      parse(
        'contacts.list',
        pageOf(200, () => fields),
        'strict',
      ).issues,
    ).toHaveLength(100);
});

test.each(['failed', 'successful', 'Success'])(
  'the status %s of a delete is kept and reported, and is an issue with strict',
  status => {
    const issue = { path: 'status', expected: 'the string success', received: 'string' };
    const json = { status, message: 'm' };
    expect(parse('tags.delete', { ...json })).toEqual({ ok: true, value: json, drift: [issue] });
    expect(parse('tags.delete', { ...json }, 'strict')).toEqual({ ok: false, issues: [issue] });
  },
);

test('every record of a large page gets its own defaults, lists and maps included', () => {
  const page = Array.from<unknown, unknown>({ length: 20_000 }, () => ({ id: contact.id, firstName: 7 }));
  const { value, drift } = parse('contacts.list', page);
  const [first, last] = [0, -1].map(at => (value as Record<string, unknown>[]).at(at));
  const empty = { firstName: 7, company: '', tags: [], lists: [], customFields: {}, ltv: 0 };
  expect([first, last]).toMatchObject([empty, empty]);
  for (const name of ['tags', 'lists', 'customFields']) expect(first?.[name]).not.toBe(last?.[name]);
  expect(drift?.map(({ path }) => path)).toEqual(['[].firstName']);
});

describe('of a hundred thousand wrong items, only the first hundred are read', () => {
  test.each<[string, OperationName, (list: unknown) => unknown]>([
    ['of a field in a listing', 'contacts.list', tags => [{ ...contact, tags }]],
    ['of a field of a result', 'legacy.identify', tags => ({ status: '200', message: '', data: { tags } })],
    ['in place of records', 'contacts.list', list => list],
  ])('%s', (_, name, bodyWith) => {
    for (const validation of ['report', 'strict'] as const) {
      let reads = 0;
      const list = new Proxy(Array(100_000).fill(7), {
        get(target, key) {
          if (/^\d+$/.test(String(key))) reads += 1;
          return Reflect.get(target, key);
        },
      });
      parse(name, bodyWith(list), validation);
      expect(reads).toBeLessThan(500);
    }
  });
});
