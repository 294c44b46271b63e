import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OperationName } from '../../../src/endpoints.ts';
import { operations } from '../../../src/operations/index.ts';
import { identify } from '../../../src/operations/legacy.ts';

const validate = (name: OperationName, input: unknown) => {
  const result = operations[name].input?.validate(input);
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

test.each(Object.entries(operations))('%s is named as in the table', (name, operation) => {
  expect(operation.name).toBe(name);
});

describe('unknown fields', () => {
  test.each([
    [
      'legacy.identify',
      { email: 'a@x.test', firstname: 'Ada' },
      'unknown field "firstname"; did you mean "firstName"?',
    ],
    ['legacy.track', { email: 'a@x.test', addTag: ['a'] }, 'unknown field "addTag"; did you mean "addTags"?'],
    ['contacts.list', { offsets: 2 }, 'unknown field "offsets"; did you mean "offset"?'],
    ['contacts.list', { ofset: 2 }, 'unknown field "ofset"'],
    ['tags.create', { name: 'a', colour: 'red' }, 'unknown field "colour"'],
  ] as const)('%s: %o is refused by name', (name, input, message) => {
    expect(issuesOf(name, input)).toMatchObject([
      { message, expected: expect.stringMatching(/no such field/) },
    ]);
  });

  test('named `__proto__` are refused', () => {
    expect(issuesOf('tags.create', JSON.parse('{"name":"a","__proto__":"b"}'))).toMatchObject([
      { path: '__proto__', message: 'unknown field "__proto__"' },
    ]);
  });

  test('are reported up to 100', () => {
    const input = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`f${index}`, index]));
    expect(issuesOf('tags.create', { name: 'a', ...input })).toHaveLength(100);
    expect(issuesOf('tags.create', { name: 7, ...input })).toHaveLength(100);
  });
});

describe('an issue', () => {
  test.each([
    [
      'contacts.list',
      { limit: 1000 },
      { path: 'limit', expected: 'a whole number from 1 to 100', received: '1000' },
    ],
    ['contacts.list', { offset: -1 }, { path: 'offset', expected: 'a whole number from 0', received: '-1' }],
    [
      'contacts.list',
      { search: 'x' },
      { path: 'search', expected: 'a string of 2 to 255 characters', received: '"x"' },
    ],
    [
      'legacy.identify',
      { email: 'nobody' },
      { path: 'email', expected: 'an email address', received: '"nobody"' },
    ],
    ['legacy.identify', { email: 'a@b', tags: 'vip' }, { path: 'tags', received: '"vip"' }],
    [
      'legacy.identify',
      { email: 'a@b', tags: ['a', ''] },
      { path: 'tags', expected: 'an array of non-empty strings', received: '"" at index 1' },
    ],
    ['tags.create', { name: null }, { path: 'name', received: 'null' }],
    ['tags.create', { name: true }, { path: 'name', received: 'true' }],
    ['tags.create', { name: 5n }, { path: 'name', received: '5' }],
    ['tags.create', { name: 'a', colour: 'red' }, { path: 'colour', received: 'string' }],
    ['tags.create', {}, { path: 'name', received: 'undefined' }],
    ['tags.create', undefined, { path: '', expected: 'an object', received: 'undefined' }],
    ['contacts.list', 'ada', { path: '', expected: 'an object', received: '"ada"' }],
    ['tags.create', [], { path: '', expected: 'an object', received: 'array' }],
  ] as const)('shows the value in %s with %o', (name, input, issue) => {
    expect(issuesOf(name, input)).toMatchObject([issue]);
  });

  test('shows the first wrong item of a list alone', () => {
    expect(issuesOf('legacy.identify', { email: 'a@b', tags: ['a', '', 7] })).toEqual([
      { path: 'tags', expected: 'an array of non-empty strings', received: '"" at index 1' },
    ]);
  });

  test('shows no value of a map, as it can be secret', () => {
    const input = { name: 'e', identifier: 'c', data: { password: true, other: Symbol('canary') } };
    expect(issuesOf('events.record', input)).toEqual([
      { path: 'data.password', expected: 'a string or a finite number', received: 'boolean' },
      { path: 'data.other', expected: 'a string or a finite number', received: 'symbol' },
    ]);
  });
});

describe('search is counted in characters, not in UTF-16 units', () => {
  test.each([
    ['lists.list', 2],
    ['lists.list', 100],
    ['contacts.list', 255],
  ] as const)('%s: %i emoji are valid', (name, count) => {
    expect(sentOf(name, { search: '🙂'.repeat(count) })).toEqual({ search: '🙂'.repeat(count) });
  });

  test.each([
    ['lists.list', 0],
    ['lists.list', 1],
    ['lists.list', 101],
    ['contacts.list', 1],
    ['contacts.list', 256],
  ] as const)('%s: %i emoji are refused', (name, count) => {
    expect(issuesOf(name, { search: '🙂'.repeat(count) })).toMatchObject([{ path: 'search' }]);
  });
});

describe('maps of values', () => {
  const data = (values: unknown) => sentOf('events.record', { name: 'e', identifier: 'c', data: values });

  test.each([
    [5, '5'],
    [-5, '-5'],
    [-0, '0'],
    [2.5, '2.5'],
    [1e21, '1000000000000000000000'],
    [-1.25e21, '-1250000000000000000000'],
    [1e-7, '0.0000001'],
    [-1.5e-10, '-0.00000000015'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['++5', '++5'],
    ['', ''],
  ])('%o is sent as %s', (value, sent) => {
    expect(data({ value })).toMatchObject({ data: { value: sent } });
    expect(sentOf('legacy.identify', { email: 'a@b', customFields: { value } })).toMatchObject({
      customFields: { value: sent },
    });
  });

  test('any finite number is sent without an exponent, and reads back as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => {
        const { data: sent } = data({ number }) as { data: { number: string } };
        expect(sent.number).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(sent.number) === number).toBe(true);
      }),
    );
  });

  test.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    5n,
    null,
    undefined,
    true,
    {},
    [],
  ])('%o is refused', value => {
    expect(issuesOf('events.record', { name: 'e', identifier: 'c', data: { value } })).toMatchObject([
      { path: 'data.value', expected: 'a string or a finite number' },
    ]);
  });
});

describe('track', () => {
  test.each([{}, { addTags: [] }, { removeTags: [] }, { addTags: [], removeTags: [] }])(
    'with nothing to do is refused: %o',
    changes => {
      expect(issuesOf('legacy.track', { email: 'a@b', ...changes })).toMatchObject([
        { path: 'addTags', expected: expect.stringMatching(/a non-empty array of tags/) },
      ]);
    },
  );

  test.each([{ addTags: ['a'] }, { removeTags: ['a'] }, { addTags: ['a'], removeTags: [] }])(
    '%o is valid',
    changes => {
      expect(sentOf('legacy.track', { email: 'a@b', ...changes })).toEqual({ email: 'a@b', ...changes });
    },
  );
});

describe('a hostile input', () => {
  const cyclic: Record<string, unknown> = { email: 'a@b' };
  cyclic.customFields = cyclic;
  const deep = JSON.parse('['.repeat(1e5) + ']'.repeat(1e5));
  const throwing = (name: string) =>
    Object.defineProperty({ email: 'a@b' }, name, {
      enumerable: true,
      get: () => {
        throw new TypeError('mine');
      },
    });
  const proxied = new Proxy({}, { ownKeys: () => ['email'], get: () => 'a@b' });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();

  test.each([
    ['a getter that throws', throwing('firstName')],
    ['a getter that throws in a map', { email: 'a@b', customFields: throwing('x') }],
    ['a cycle', cyclic],
    ['deep nesting', { email: 'a@b', tags: deep }],
    ['deep nesting in a map', { email: 'a@b', customFields: { deep } }],
    ['a proxy that breaks the rules', proxied],
    ['a revoked proxy', revoked.proxy],
    ['a symbol', Symbol('s')],
    ['a function', () => {}],
  ])('is refused with issues: %s', (_, input) => {
    const issues = issuesOf('legacy.identify', input);
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.length).toBeLessThanOrEqual(100);
    for (const issue of issues) expect(typeof issue.expected).toBe('string');
  });

  test.each([
    ['a getter that throws', throwing('firstName')],
    ['a revoked proxy', revoked.proxy],
  ])('is reported as one issue of the whole input: %s', (_, input) => {
    expect(issuesOf('legacy.identify', input)).toEqual([
      {
        path: '',
        expected: 'readable, with fewer mistakes',
        received: 'object',
      },
    ]);
  });

  test.each([
    ['legacy.identify', null, '', 'an object', 'null'],
    [
      'legacy.identify',
      { email: 'a@b', tags: deep },
      'tags',
      'an array of non-empty strings',
      'array at index 0',
    ],
    ['legacy.identify', cyclic, 'customFields.customFields', 'a string or a finite number', 'object'],
    [
      'legacy.identify',
      { email: 'a@b', customFields: { deep } },
      'customFields.deep',
      'a string or a finite number',
      'array',
    ],
  ] as const)('%s: %o has its issue at the field', (name, input, path, expected, received) => {
    expect(issuesOf(name, input)).toMatchObject([
      { path, expected: expect.stringContaining(expected), received },
    ]);
  });

  test('is reported as one issue of the whole input for a million mistakes', () => {
    const tags = Array.from({ length: 1e6 }, () => 7);
    expect(issuesOf('legacy.identify', { email: 'a@b', tags })).toEqual([
      { path: '', expected: 'readable, with fewer mistakes', received: 'object' },
    ]);
  });
});

describe('identify', () => {
  const { idempotent } = identify;
  const isIdempotent = (input: object) =>
    typeof idempotent === 'function' && idempotent({ email: 'a@b', ...input });

  test.each([{}, { customFields: { n: '5', m: -5, o: '+-1' } }, { tags: ['++1'] }])(
    'is idempotent with %o',
    input => {
      expect(isIdempotent(input)).toBe(true);
    },
  );

  test.each([{ newEmail: 'b@b' }, { customFields: { n: '++5' } }, { customFields: { a: 'x', n: '--5' } }])(
    'is not idempotent with %o',
    input => {
      expect(isIdempotent(input)).toBe(false);
    },
  );
});
