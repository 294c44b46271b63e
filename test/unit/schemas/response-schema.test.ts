import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/client/endpoints.ts';
import { typeName } from '../../../src/core/json.ts';
import type { Secret } from '../../../src/helpers/secret.ts';
import type { OperationName } from '../../../src/resources/operations.ts';
import type { Validation } from '../../../src/schemas/derived-schemas.ts';
import { contact, domain, rows } from '../../endpoints.ts';
import { suffix } from '../../support/specified-records.ts';

const parse = (name: OperationName, json: unknown, validation: Validation = 'report') =>
  endpoints[name].output.parseResponse(json, validation) as {
    ok: boolean;
    value?: unknown;
    drift?: { path: string; expected: string; received: string }[];
    issues?: { path: string; expected: string; received: string }[];
  };

const jsonOf = (response: unknown) =>
  typeof response === 'string' ? JSON.parse(response) : structuredClone(response);

/** A domain as the client reads it: integers beyond 2^53 as the text of their digits. */
const domainJson = (created: unknown, updated: unknown) => ({
  ...JSON.parse(domain),
  created,
  updated,
});

describe.each(['report', 'strict'] as const)('with validation %s', validation => {
  test.each([
    ['253402300799999999999', '9999-12-31T23:59:59.999999999Z'],
    ['-62167219200000000000', '0000-01-01T00:00:00.000000000Z'],
  ])('converts %s nanoseconds, a limit of years with four digits, to %s', (created, text) => {
    expect(parse('domains.create', domainJson(created, 0), validation).value).toMatchObject({
      created: text,
    });
  });
});

describe("with validation 'report'", () => {
  test('reports a value that fails several checks once', () => {
    const { value, drift } = parse('tags.create', { id: `tag_${suffix}`, name: 7 });
    expect(value).toMatchObject({ name: 7 });
    expect(drift).toHaveLength(1);
    expect(parse('domains.create', domainJson(1e300, 2)).drift).toEqual([
      { path: 'created', expected: 'whole nanoseconds since the epoch', received: 'number' },
    ]);
    expect(parse('tags.create', { id: 1e300, name: '' }).issues).toEqual([
      { path: 'id', expected: 'a string of 1 to 1000 characters', received: 'number' },
    ]);
  });

  test('makes a secret of a DKIM configuration that is not a string', () => {
    const json = { ...domainJson(1, 2), dkimConfig: { PrivKey: 'canary' } };
    const { value, drift } = parse('domains.create', json);
    expect(JSON.stringify(value)).not.toContain('canary');
    expect((value as { dkimConfig: Secret }).dkimConfig.reveal()).toBe('{"PrivKey":"canary"}');
    expect(drift).toEqual([{ path: 'dkimConfig', expected: 'a string', received: 'object' }]);
  });

  test.each(['253402300800000000000', '-62167219200000000001', '1e18', true])(
    'keeps a time of %j nanoseconds as sent, and reports it',
    created => {
      const { value, drift } = parse('domains.create', domainJson(created, 0));
      expect(value).toMatchObject({ created });
      expect(drift).toEqual([
        { path: 'created', expected: 'whole nanoseconds since the epoch', received: typeName(created) },
      ]);
    },
  );

  test('reports an integer that a number may have rounded', () => {
    expect(parse('contacts.list', [{ ...contact, ltv: 2 ** 53 }]).drift).toEqual([
      { path: '[].ltv', expected: 'a whole number', received: 'number' },
    ]);
  });

  test('reports at most 100 mismatches, each value of a map and the first of a list', () => {
    const customFields = { a: 'x', b: 1, c: 2 };
    const { drift } = parse('contacts.list', [{ ...contact, customFields, tags: [`tag_${suffix}`, 1, 2] }]);
    expect(drift?.map(({ path }) => path)).toEqual(['[].customFields.b', '[].customFields.c', '[].tags[]']);
    const page = Array.from({ length: 200 }, (_, index) => ({
      ...contact,
      customFields: { [`f${index}`]: index },
    }));
    expect(parse('contacts.list', page).drift).toHaveLength(100);
  });

  test('reports a value of a map that differs in one record only, beside one that differs in all', () => {
    const page = Array.from({ length: 100 }, (_, index) => ({
      ...contact,
      customFields: index === 50 ? { rare: 1 } : { common: 1 },
    }));
    const paths = parse('contacts.list', page).drift?.map(({ path }) => path);
    expect(paths).toEqual(['[].customFields.common', '[].customFields.rare']);
  });
});

test("reports at most 100 issues with validation 'strict'", () => {
  const page = Array.from({ length: 200 }, () => ({ ...contact, company: 1 }));
  expect(parse('contacts.list', page, 'strict').issues).toHaveLength(100);
  const wrongTwice = page.slice(0, 67).map(record => ({ ...record, firstName: 1, lastName: 1 }));
  expect(parse('contacts.list', wrongTwice, 'strict').issues).toHaveLength(100);
});

test.each(['failed', 'successful', 'Success'])(
  'the status %s of a delete is kept and reported, and is an issue under strict',
  status => {
    const issue = { path: 'status', expected: 'the string success', received: 'string' };
    const json = { status, message: 'm' };
    expect(parse('tags.delete', { ...json })).toEqual({ ok: true, value: json, drift: [issue] });
    expect(parse('tags.delete', { ...json }, 'strict')).toEqual({ ok: false, issues: [issue] });
  },
);

test('parses JSON nested a hundred thousand levels deep, in every field and mode', () => {
  const depth = 100_000;
  const deep = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  for (const validation of ['report', 'strict'] as const)
    for (const { name, response } of rows) {
      const json = jsonOf(response);
      const record = Array.isArray(json) ? json[0] : json;
      for (const field of [...Object.keys(record), 'more'].filter(name => name !== 'dkimConfig')) {
        const changed = { ...record, [field]: deep };
        expect(
          typeof parse(name as OperationName, Array.isArray(json) ? [changed] : changed, validation).ok,
        ).toBe('boolean');
      }
    }
});

describe('of a hundred thousand wrong items', () => {
  /** Items that count how many of them are read. */
  function countedItems(count: number) {
    const items = Array.from({ length: count }, () => 7);
    const state = { reads: 0 };
    const list = new Proxy(items, {
      get(target, key) {
        if (/^\d+$/.test(String(key))) state.reads += 1;
        return Reflect.get(target, key);
      },
    });
    return { list, state };
  }

  test.each(['report', 'strict'] as const)(
    'in one field, only the first hundred are read with validation %s',
    validation => {
      const { list, state } = countedItems(100_000);
      parse('contacts.list', [{ ...contact, tags: list }], validation);
      expect(state.reads).toBeLessThan(500);
      const ofContact = countedItems(100_000);
      parse('legacy.identify', { status: '200', message: '', data: { tags: ofContact.list } }, validation);
      expect(ofContact.state.reads).toBeLessThan(500);
    },
  );

  test('in a page, every record gets its own defaults, lists and maps included', () => {
    const page = Array.from<unknown, unknown>({ length: 20_000 }, (_, index) => ({
      id: contact.id,
      index,
      firstName: 7,
      company: null,
    }));
    const { value, drift } = parse('contacts.list', page);
    const [first, last] = [0, -1].map(at => (value as Record<string, unknown>[]).at(at));
    const empty = { firstName: 7, company: '', tags: [], lists: [], customFields: {}, ltv: 0 };
    expect([first, last]).toMatchObject([empty, empty]);
    for (const name of ['tags', 'lists', 'customFields']) expect(first?.[name]).not.toBe(last?.[name]);
    expect(drift?.map(({ path }) => path)).toEqual(['[].firstName']);
  });

  test('in a page, none hides a later mismatch of another field', () => {
    const page = Array.from<unknown, unknown>({ length: 20_000 }, () => ({ ...contact, tags: [7, 7] }));
    page[19_999] = { ...contact, lists: [7] };
    expect(parse('contacts.list', page).drift?.map(({ path }) => path)).toEqual(['[].tags[]', '[].lists[]']);
  });

  test('in place of records, only the first hundred are read', () => {
    const { list, state } = countedItems(100_000);
    expect(parse('contacts.list', list).issues).toHaveLength(100);
    expect(state.reads).toBeLessThan(500);
  });
});
