import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSandbox } from 'email-marketing-client/testing';
import { expect, test } from 'vitest';
import { packedFiles } from '../../.ci/copy-package.ts';
import { guideGroups, maintainersFiles } from '../../docs/.vitepress/guides.ts';
import { seed } from '../../docs/.vitepress/playground/shown-service.ts';
import { referencePages } from '../../docs/.vitepress/reference-pages.ts';
import { columnFields } from '../../src/cli/fields.ts';
import { operationNames } from '../../src/resources/operations.ts';
import { rows } from '../endpoints.ts';
import { filesIn } from '../support/files.ts';
import { documents, root, sitePages } from './collect.ts';

/** Returns a document without its blocks and spans of code. */
const prose = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, 'code');

/** Returns the anchors of a document's headings, by GitHub's rule. */
function anchors(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

/** Files of the package, whose readers follow its links. */
const packed = packedFiles();

const guides = documents().filter(file => !sitePages.includes(file));

test.each([...guides, 'CHANGELOG.md'])('links of %s lead to files and headings that exist', file => {
  const links = prose(readFileSync(root + file, 'utf8')).matchAll(
    /\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g,
  );
  for (const [, inline, attribute] of links) {
    const [path = '', anchor] = (inline ?? attribute ?? '').split('#');
    if (/^https?:/.test(path)) continue;
    const target = path === '' ? root + file : join(root, dirname(file), path);
    const name = target.slice(root.length).replaceAll('\\', '/');
    if (packed.includes(file)) expect(packed, `${path} in ${file}`).toContain(name);
    else expect(existsSync(target), `${path} in ${file}`).toBe(true);
    if (anchor) expect(anchors(target), `#${anchor} in ${file}`).toContain(anchor);
  }
});

test('every file that a document names exists', () => {
  const missing = guides.flatMap(file =>
    [...readFileSync(root + file, 'utf8').matchAll(/`((?:test|src|docs|examples)\/[\w./-]+\.\w+)`/g)]
      .map(([, path = '']) => path)
      .filter(path => !existsSync(root + path))
      .map(path => `${path} in ${file}`),
  );
  expect(missing).toEqual([]);
});

test.each(guides)('%s links to each example that it names', file => {
  expect(readFileSync(root + file, 'utf8')).not.toMatch(/(?<!\[)`examples\//);
});

test.each([
  ['README.md', 'docs/'],
  ['docs/llms.txt', ''],
])('%s links to every guide', (file, folder) => {
  const text = readFileSync(root + file, 'utf8');
  const guides = guideGroups.flatMap(({ guides }) => guides.map(guide => guide.file));
  expect(guides.filter(guide => !text.includes(`](${folder}${guide})`))).toEqual([]);
});

test('the home page shows the first program of the readme', () => {
  const [program = ''] = /```js\n.*?```/s.exec(readFileSync(`${root}README.md`, 'utf8')) ?? [];
  expect(program).toContain('createSandbox');
  expect(readFileSync(`${root}docs/index.md`, 'utf8')).toContain(program);
});

test('the sidebar lists every guide once, except those for maintainers', () => {
  const listed = guideGroups.flatMap(({ guides }) => guides.map(({ file }) => file));
  const files = filesIn(`${root}docs`, '*.md').filter(file => !sitePages.includes(`docs/${file}`));
  expect([...listed, ...maintainersFiles].sort()).toEqual(files);
});

test.each(guideGroups.flatMap(({ guides }) => guides))(
  'the sidebar names $file by its title',
  ({ file, title }) => {
    const [heading] = readFileSync(`${root}docs/${file}`, 'utf8').split('\n');
    expect(heading).toBe(`# ${title}`);
  },
);

test('commands.md names every field that a column can contain', () => {
  const guide = readFileSync(`${root}docs/commands.md`, 'utf8');
  const [, columns = ''] =
    /\*\*Columns\*\* are matched by name([\s\S]*?)`customFields\.NAME`/.exec(guide) ?? [];
  expect([...columns.matchAll(/`(\w+)`/g)].map(([, field]) => field)).toEqual(columnFields);
});

test('the guide to the sandbox lists all kinds of its records', () => {
  const [, kinds = ''] =
    /`sandbox\.state` contains ([^.]*)/.exec(readFileSync(`${root}docs/sandbox.md`, 'utf8')) ?? [];
  expect([...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => kind).sort()).toEqual(
    Object.keys(createSandbox().state).sort(),
  );
});

test.each(rows)(
  'docs/.vitepress/playground/shown-service.ts has the kind of records that $name reads or deletes',
  row => {
    expect(Object.keys(seed)).toEqual(expect.arrayContaining(Object.keys(row.seed ?? {})));
  },
);

test('docs/.vitepress/reference-pages.ts has each resource on a page that is named after it', () => {
  const named = referencePages.slice(
    0,
    referencePages.findIndex(([title]) => title === 'Helpers'),
  );
  const files = [...new Set(operationNames.map(name => name.replace(/\..*/, '')))].map(
    resource => `resources/${resource.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}.ts`,
  );
  expect(files.filter(file => !existsSync(`${root}src/${file}`))).toEqual([]);
  expect(files.filter(file => !named.some(([, , pattern]) => pattern.test(file)))).toEqual([]);
});
