import { expect, test } from 'vitest';
import * as testing from '../../src/testing/index.ts';

test('the entry point has functions alone: classes that nobody can create are types', () => {
  expect(Object.keys(testing).sort()).toEqual(['createSandbox', 'rejectsWith', 'resolvesTo']);
});
