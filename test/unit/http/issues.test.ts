import { describe, expect, test } from 'vitest';
import { cut, invalidRequest, oneLine, pathText, valueAt } from '../../../src/http/issues.ts';

describe('oneLine', () => {
  test.each([
    ['a line break', 'a\nb'],
    ['an escape sequence', 'a\x1bb'],
    ['several control characters', 'a\r\n\0\x7f\x9bb'],
    ['a line separator', 'a\u2028b'],
    ['a change of direction', 'a\u202e\u2066b'],
  ])('replaces %s by one space', (_, text) => {
    expect(oneLine(text)).toBe('a b');
  });
});

describe('pathText', () => {
  test.each<[readonly PropertyKey[], string]>([
    [[], ''],
    [['a'], 'a'],
    [[3], '[3]'],
    [[3, 'a', 'b', 0], '[3].a.b[0]'],
    [['a.b', 'c'], 'a.b.c'],
    [['', 'a'], '.a'],
    [['x'.repeat(51), 'a'], `${'x'.repeat(51)}.a`],
    [[Symbol('s')], 'Symbol(s)'],
  ])('writes %o as code has it', (path, text) => {
    expect(pathText(path)).toBe(text);
  });
});

describe('cut', () => {
  test('keeps 50 characters, and marks that others followed', () => {
    expect(cut('x'.repeat(50), 50)).toBe('x'.repeat(50));
    expect(cut('x'.repeat(51), 50)).toBe(`${'x'.repeat(50)}…`);
  });

  test('keeps as many characters as are given, and halves no pair of surrogates', () => {
    expect(cut('a😀b😀', 2)).toBe('a😀…');
  });
});

describe('valueAt', () => {
  test('returns the value at a path, and undefined if the path ends early', () => {
    const value = { list: [{ a: null }] };
    expect(valueAt(value, ['list', 0, 'a'])).toBeNull();
    expect(valueAt(value, [])).toBe(value);
    for (const path of [
      ['list', 1, 'a'],
      ['list', 0, 'a', 'b'],
      ['none', 'b', 'c'],
    ])
      expect(valueAt(value, path)).toBeUndefined();
  });
});

/** Issues of so many fields. */
const issues = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `f${index}`, expected: 'text', received: 'null' }));

test('the message names each of 20 fields, and all that is wrong with the whole', () => {
  const sentences = issues(20).map(({ path }) => `${path} must be text (got null)`);
  expect(invalidRequest('tags.create', issues(20)).message).toBe(`tags.create: ${sentences.join('; ')}`);
  expect(invalidRequest('tags.create', [{ path: '', expected: 'an object', received: 'null' }]).message).toBe(
    'tags.create: input must be an object (got null)',
  );
});

test('the message names 20 of more fields and the number of the others, and the error holds all', () => {
  const error = invalidRequest('tags.create', issues(23));
  expect(error.message).toMatch(/; f19 must be text \(got null\); and 3 more$/);
  expect(error.issues).toEqual(issues(23));
});
