import * as z from 'zod/mini';

/** Schema of a whole number that a JavaScript number holds exactly. */
export const integer = () => z.int('a whole number');

/** Schema of a whole number within bounds. */
export function boundedInteger(min: number, max?: number) {
  const expected = `a whole number from ${min}${max === undefined ? '' : ` to ${max}`}`;
  const upperBound = max === undefined ? [] : [z.maximum(max, expected)];
  return z.int(expected).check(z.minimum(min, expected), ...upperBound);
}

/** Schema of `true` or `false`. */
export const flag = () => z.boolean('true or false');
