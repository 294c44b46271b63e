import { expect, test } from 'vitest';
import { invalidRequest, valueAt } from '../../../src/core/issues.ts';

test('returns undefined as the value at a path that ends early', () => {
  const value = { list: [{ a: null }] };
  expect(valueAt(value, ['list', 0, 'a'])).toBeNull();
  expect(valueAt(value, ['list', 0, 'a', 'b'])).toBeUndefined();
});

/** Returns issues of this many fields. */
const issues = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `f${index}`, expected: 'text', received: 'null' }));

test('a message names all fields, as the issues do', () => {
  const error = invalidRequest('tags.create', issues(23));
  expect(error.message).toMatch(/ f22 must be text \(got null\)\.$/);
  expect(error.issues).toEqual(
    issues(23).map(issue => ({ ...issue, message: `${issue.path} must be text (got null).` })),
  );
});
