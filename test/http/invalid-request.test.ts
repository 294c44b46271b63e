import { expect, test } from 'vitest';
import { invalidRequest } from '../../src/http/invalid-request.ts';

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
