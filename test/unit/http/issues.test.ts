import { describe, expect, test } from 'vitest';
import { invalidRequest, oneLine, pathText, redactIssue, valueAt } from '../../../src/http/issues.ts';
import { noSecrets } from '../../../src/http/redactor.ts';

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
  ])('writes %o as in code', (path, text) => {
    expect(pathText(path)).toBe(text);
  });
});

test('redactIssue keeps the first 500 characters of a path, and marks that others followed', () => {
  const pathOf = (length: number) =>
    redactIssue({ path: 'x'.repeat(length), expected: '', received: '' }, noSecrets).path;
  expect(pathOf(500)).toBe('x'.repeat(500));
  expect(pathOf(501)).toBe(`${'x'.repeat(500)}…`);
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

/** Returns issues of this many fields. */
const issues = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `f${index}`, expected: 'text', received: 'null' }));

test('a message names up to 20 fields, or the input as a whole', () => {
  const sentences = issues(20).map(({ path }) => `${path} must be text (got null)`);
  expect(invalidRequest('tags.create', issues(20)).message).toBe(`tags.create: ${sentences.join('; ')}`);
  expect(invalidRequest('tags.create', [{ path: '', expected: 'an object', received: 'null' }]).message).toBe(
    'tags.create: input must be an object (got null)',
  );
});

test('a message names 20 of 23 fields and counts the others, which the error has too', () => {
  const error = invalidRequest('tags.create', issues(23));
  expect(error.message).toMatch(/; f19 must be text \(got null\); and 3 more$/);
  expect(error.issues).toEqual(issues(23));
});
