import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { packedFiles } from '../../.ci/copy-package.ts';
import { linkToRepository } from '../release/repository-links.ts';

const root = join(import.meta.dirname, '../..');
const repository = 'https://git.example.com/team/client';
const files = packedFiles();
const documents = files.filter(file => file.endsWith('.md'));

test.each(documents)('relative links of %s lead to files of the package', file => {
  const text = linkToRepository(readFileSync(join(root, file), 'utf8'), file, { files, repository });
  const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, 'code');
  const paths = [...prose.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)|(?:src|href)="([^"#]+)/g)]
    .map(([, inline, attribute]) => inline ?? attribute ?? '')
    .filter(path => !/^[a-z]+:/.test(path));
  expect(paths.filter(path => !files.includes(posix.join(posix.dirname(file), path)))).toEqual([]);
});

test('the readme leads to files that are not in the package, such as a picture, in the repository', () => {
  const text = linkToRepository(readFileSync(join(root, 'README.md'), 'utf8'), 'README.md', {
    files,
    repository,
  });
  expect(text).toContain(`](${repository}/blob/HEAD/docs/images/sandbox.png)`);
  expect(text).toContain(`](${repository}/blob/HEAD/docs/CONTRIBUTING.md)`);
  expect(text).toContain('](docs/errors.md)');
});

test.each([
  ['[a](../examples/a.ts#b)', `[a](${repository}/blob/HEAD/examples/a.ts#b)`],
  ['![a](a.svg)', `![a](${repository}/raw/HEAD/docs/a.svg)`],
  ['<source srcset="a.svg">', `<source srcset="${repository}/raw/HEAD/docs/a.svg">`],
  ['<img src="a.svg">', `<img src="${repository}/raw/HEAD/docs/a.svg">`],
  ['[a](#b)', '[a](#b)'],
  ['[a](https://example.com/a)', '[a](https://example.com/a)'],
  ['`[a](gone.md)`', '`[a](gone.md)`'],
])('%s in a guide becomes %s', (text, expected) => {
  expect(linkToRepository(text, 'docs/a.md', { files: ['docs/errors.md'], repository })).toBe(expected);
});
