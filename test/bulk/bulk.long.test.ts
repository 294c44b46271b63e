// A bulk of very many items at once, which would take hours if the time of each grew with their number.
import { expect, test } from 'vitest';
import { bulk } from '../../src/index.ts';

test.each([true, false])(
  'takes 200 000 items at once, with `ordered: %s`',
  { timeout: 300_000 },
  async ordered => {
    const count = 200_000;
    const results = bulk(Array(count).keys(), async input => input, { concurrency: 1e9, ordered });
    let sum = 0;
    for await (const { index } of results) sum += index;
    expect(sum).toBe((count * (count - 1)) / 2);
  },
);
