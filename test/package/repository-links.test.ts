import { expect, test } from 'vitest';
import { linkToRepository } from '../release/repository-links.ts';

const repository = 'https://git.example.com/team/client';

test.each([
  ['[a](../examples/a.ts#b)', `[a](${repository}/blob/HEAD/examples/a.ts#b)`],
  ['[`a`](../examples/a.ts)', `[\`a\`](${repository}/blob/HEAD/examples/a.ts)`],
  ['![a](a.svg)', `![a](${repository}/raw/HEAD/docs/a.svg)`],
  ['<source srcset="a.svg">', `<source srcset="${repository}/raw/HEAD/docs/a.svg">`],
  ['<img src="a.svg">', `<img src="${repository}/raw/HEAD/docs/a.svg">`],
  ['<a href="../LICENSE">', `<a href="${repository}/blob/HEAD/LICENSE">`],
  ['[a](errors.md#b)', '[a](errors.md#b)'],
  ['[a](#b)', '[a](#b)'],
  ['[a](https://example.com/a)', '[a](https://example.com/a)'],
  ['`[a](gone.md)`', '`[a](gone.md)`'],
  ['```md\n[a](gone.md)\n```', '```md\n[a](gone.md)\n```'],
])('%s in a guide becomes %s', (text, expected) => {
  expect(linkToRepository(text, 'docs/a.md', { files: ['docs/errors.md'], repository })).toBe(expected);
});
