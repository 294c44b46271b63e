import { describe, expect, test } from 'vitest';
import { anObject, anything, aWholeNumber, optionIssues } from '../../../src/core/option-rules.ts';

const nested = { ...anObject, issuesOf: () => [{ path: 'a', expected: 'x', received: 'y' }] };
const rules = { timeout: aWholeNumber(0), nested };

describe('the issues of options', () => {
  test('are of unknown options, then of invalid options, then of invalid members of options', () => {
    const issues = optionIssues({ nested: {}, timeout: -1, constructor: 1 }, rules);
    expect(issues).toMatchObject([
      { path: 'constructor', message: 'Unknown option "constructor". Known names: timeout, nested.' },
      { path: 'timeout', expected: 'a whole number from 0', received: '-1', message: undefined },
      { path: 'nested.a', expected: 'x', received: 'y' },
    ]);
  });

  test.each([
    ['timout', 'Did you mean timeout?'],
    ['time_out', 'Did you mean timeout?'],
    ['tiemout', 'Did you mean timeout?'],
    ['NESTED', 'Did you mean nested?'],
    ['rested', 'Did you mean nested?'],
    ['time', 'Known names: timeout, nested.'],
  ])('suggest the nearest name for %s, if there is one', (name, hint) => {
    const message = `Unknown option "${name}". ${hint}`;
    expect(optionIssues({ [name]: 1 }, rules)).toMatchObject([{ path: name, message }]);
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
