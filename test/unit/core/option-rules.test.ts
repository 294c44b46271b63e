import { describe, expect, test } from 'vitest';
import { anObject, anything, aWholeNumber, optionIssues } from '../../../src/core/option-rules.ts';

const rules = {
  timeout: aWholeNumber(0),
  nested: { ...anObject, issuesOf: () => [{ path: 'a', expected: 'x', received: 'y' }] },
};

describe('the issues of options', () => {
  test('name unknown options, then invalid options, then invalid members of options', () => {
    expect(optionIssues({ nested: {}, timeout: -1, constructor: 1, Timeout: 2 }, rules)).toEqual([
      expect.objectContaining({
        path: 'constructor',
        message: 'Unknown option "constructor"; known options: timeout, nested',
      }),
      expect.objectContaining({
        path: 'Timeout',
        message: expect.stringContaining('Unknown option "Timeout"; known options: '),
      }),
      { path: 'timeout', expected: 'a whole number from 0', received: '-1' },
      { path: 'nested.a', expected: 'x', received: 'y' },
    ]);
  });

  test('include no omitted option, and no member of a prototype', () => {
    expect(optionIssues({ timeout: undefined }, rules)).toEqual([]);
    expect(optionIssues(Object.create({ nonsense: 1 }), rules)).toEqual([]);
  });

  test('are at most 100, however many names there are', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`name${index}`, index]));
    expect(optionIssues(many, { x: anything })).toHaveLength(100);
  });
});
