import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/client/endpoints.ts';
import type { OperationName } from '../../../src/resources/operations.ts';

const validate = (name: OperationName, input: unknown) => {
  const result = endpoints[name].input?.validateInput(input);
  if (!result) throw new Error(`${name} has no input`);
  return result;
};

const sentOf = (name: OperationName, input: unknown) => {
  const result = validate(name, input);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
};

const issuesOf = (name: OperationName, input: unknown) => {
  const result = validate(name, input);
  if (result.ok) throw new Error('expected issues');
  return result.issues;
};

test.each<[OperationName, string, string]>([
  [
    'legacy.identify',
    '{"email":"a@x.test","customFields":{"a":"b","__proto__":"c"}}',
    'customFields.__proto__',
  ],
  ['events.record', '{"name":"e","identifier":"a@x.test","data":{"__proto__":"c"}}', 'data.__proto__'],
])('%s refuses a value by the name `__proto__`, which would not be sent', (name, json, path) => {
  expect(issuesOf(name, JSON.parse(json))).toEqual([
    { path, expected: 'left out: no value can have this name', received: 'string' },
  ]);
});

describe('an unknown field', () => {
  test('is refused by name, without its value', () => {
    expect(issuesOf('tags.create', JSON.parse('{"name":"a","__proto__":"b"}'))).toMatchObject([
      {
        message: 'Unknown field "__proto__". Known names: name.',
        expected: 'left out',
        received: 'a value',
      },
    ]);
  });
});

describe('an issue', () => {
  test('shows no value of a map, as it can be secret', () => {
    const input = { name: 'e', identifier: 'c@x.test', data: { password: true, other: Symbol('canary') } };
    expect(issuesOf('events.record', input)).toEqual([
      { path: 'data.password', expected: 'a string, or a finite number that is exact', received: 'boolean' },
      { path: 'data.other', expected: 'a string, or a finite number that is exact', received: 'symbol' },
    ]);
  });
});

describe('the length of a search is counted in characters, not in UTF-16 units', () => {
  test.each([
    ['lists.list', [2, 100], [0, 1, 101]],
    ['contacts.list', [2, 255], [1, 256]],
  ] as const)('%s accepts %j emoji and refuses %j', (name, valid, invalid) => {
    for (const count of valid)
      expect(sentOf(name, { search: '🙂'.repeat(count) })).toEqual({ search: '🙂'.repeat(count) });
    for (const count of invalid)
      expect(issuesOf(name, { search: '🙂'.repeat(count) })).toMatchObject([{ path: 'search' }]);
  });
});

describe('maps of values', () => {
  const data = (values: unknown) =>
    sentOf('events.record', { name: 'e', identifier: 'c@x.test', data: values });

  test.each([
    [5, '5'],
    [-0, '0'],
    [2 ** 53 - 1, '9007199254740991'],
    [-1.5e-10, '-0.00000000015'],
    ['++5', '++5'],
  ])('%o is sent as %s', (value, sent) => {
    expect(data({ value })).toMatchObject({ data: { value: sent } });
    expect(sentOf('legacy.identify', { email: 'a@b', customFields: { value } })).toMatchObject({
      customFields: { value: sent },
    });
  });

  test('any exact number is sent without an exponent, and reads back as the same number', () => {
    const max = Number.MAX_SAFE_INTEGER;
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -max, max }), number => {
        const { data: sent } = data({ number }) as { data: { number: string } };
        expect(sent.number).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(sent.number) === number).toBe(true);
      }),
    );
  });

  test.each([2 ** 53, -(2 ** 53), 1e21])('%o is refused, as a number of that size is rounded', value => {
    const issues = (path: string) => [
      {
        path,
        expected: 'a string, or a finite number that is exact',
        received: 'number',
      },
    ];
    expect(issuesOf('events.record', { name: 'e', identifier: 'c@x.test', data: { value } })).toEqual(
      issues('data.value'),
    );
    expect(issuesOf('legacy.identify', { email: 'a@b', customFields: { value } })).toEqual(
      issues('customFields.value'),
    );
  });

  test.each([Number.NaN, Number.NEGATIVE_INFINITY, 5n, true])('%o is refused', value => {
    expect(issuesOf('events.record', { name: 'e', identifier: 'c@x.test', data: { value } })).toMatchObject([
      {
        path: 'data.value',
        expected: 'a string, or a finite number that is exact',
      },
    ]);
  });
});

test.each([
  [{ customFields: { n: '5', m: -5, o: '+-1' }, tags: ['++1'] }, true],
  [{ newEmail: 'b@b' }, false],
  [{ customFields: { a: 'x', n: '--5' } }, false],
  // A service could ignore the space.
  [{ customFields: { n: ' ++5' } }, false],
])('an identify with %o is idempotent: %o', (input, expected) => {
  const { idempotent } = endpoints['legacy.identify'];
  expect(typeof idempotent === 'function' && idempotent({ email: 'a@b', ...input })).toBe(expected);
});
