import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { isObject, isPlainObject, parseExact, typeName } from '../../src/http/json.ts';

describe('reading JSON exactly', () => {
  test.each([
    ['1766397850613907001', '1766397850613907001'],
    ['-1766397850613907001', '-1766397850613907001'],
    ['[{"a":9007199254740993}]', [{ a: '9007199254740993' }]],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['0.1', 0.1],
    ['9007199254740993.5', 9007199254740994],
    ['1e30', 1e30],
    ['12e20', 12e20],
    ['"1766397850613907001"', '1766397850613907001'],
  ])('reads %s without rounding an integer', (text, value) => {
    expect(parseExact(text)).toEqual(value);
  });

  test('reads a large integer as a number where a reviver receives no source', () => {
    const parse = JSON.parse;
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) =>
      parse(text, (key, value) => reviver?.call({}, key, value)),
    );
    try {
      expect(parseExact('{"a":1766397850613907001}')).toEqual({ a: Number('1766397850613907001') });
    } finally {
      vi.restoreAllMocks();
    }
  });
});

test.each([
  [null, 'null'],
  [[], 'array'],
  [{}, 'object'],
  ['', 'string'],
  [undefined, 'undefined'],
])('the type of %j is named %s', (value, name) => {
  expect(typeName(value)).toBe(name);
});

test('an object of JSON is neither null nor an array', () => {
  expect([{}, null, [], 'text'].map(isObject)).toEqual([true, false, false, false]);
});

describe('a plain object', () => {
  test.each([
    ['a literal', {}],
    ['an object without a prototype', Object.create(null)],
    ['an object of another realm', runInNewContext('({})')],
  ])('is %s', (_, value) => {
    expect(isPlainObject(value)).toBe(true);
  });

  test.each([
    ['a Map', new Map()],
    ['an instance of a class', new (class Row {})()],
    ['an array', []],
    ['null', null],
    ['undefined', undefined],
    ['a text', 'text'],
  ])('is not %s', (_, value) => {
    expect(isPlainObject(value)).toBe(false);
  });
});
