// The search for a pattern, against the engine's own.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextFinder } from '../../src/http/text-finder.ts';

/** Matches found by the engine, from left to right, none of which overlaps the one before it. */
function matches(pattern: string, text: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + pattern.length))
    found.push(at);
  return found;
}

/** Texts of two letters repeat parts of each other often. */
const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });

test('finds what a plain search finds, in texts that repeat parts of the pattern', () => {
  fc.assert(
    fc.property(letters(1, 12), fc.array(letters(0, 12)), (pattern, parts) => {
      const text = parts.join(pattern);
      expect(new TextFinder(pattern).find(text)).toEqual(matches(pattern, text));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['aa', 'aaaaa', [0, 2]],
  ['aab', 'aaab', [1]],
  ['aabaaab', 'aabaabaaab', [3]],
  ['aabaaac', 'aabaaabaaac', [4]],
  ['abacababc', 'abacabacababc', [4]],
  ['12345678x', '12345678y 12345678x', [10]],
  ['longer than the text', 'longer', []],
  ['', 'any', []],
])('finds %o in %o at %o', (pattern, text, found) => {
  expect(new TextFinder(pattern).find(text)).toEqual(found);
});

test.each([
  ['secret-of-this-test', 'secret-of…', [[0, 9]]],
  ['secret-of-this-test', 'a secr… and a sec… and a secret-of-this-tesT…', [[2, 6]]],
  ['aabaab-and-more', 'xaabaabaab…', [[4, 10]]],
  ['secret-of-this-test', 'secret-of', []],
  ['secret-of-this-test', '…', []],
])('finds the start of %o that is left of a text cut as %o at %o', (pattern, text, ranges) => {
  expect(new TextFinder(pattern).findCut(text)).toEqual(ranges);
});
