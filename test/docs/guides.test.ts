import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as main from 'email-marketing-client';
import { createSandbox } from 'email-marketing-client/testing';
import { expect, test } from 'vitest';
import { guideGroups, maintainersFiles } from '../../docs/.vitepress/guides.ts';
import { seed } from '../../docs/.vitepress/playground/shown-service.ts';
import { referencePages } from '../../docs/.vitepress/reference-pages.ts';
import { columnFields } from '../../src/cli/fields.ts';
import { operationNames } from '../../src/resources/endpoints.ts';
import { rows } from '../operations.ts';
import { filesIn } from '../support/files.ts';
import { documents, root, sitePages } from './collect.ts';

/** A document's prose, without its blocks and spans of code. */
const prose = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, 'code');

/** The anchors of a document's headings, by GitHub's rule. */
function anchors(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}

const guides = documents().filter(file => !sitePages.includes(file));

test.each([...guides, 'CHANGELOG.md'])('links of %s lead to files and headings that exist', file => {
  const links = prose(readFileSync(root + file, 'utf8')).matchAll(
    /\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g,
  );
  for (const [, inline, attribute] of links) {
    const [path = '', anchor] = (inline ?? attribute ?? '').split('#');
    if (/^https?:/.test(path)) continue;
    const target = path === '' ? root + file : join(root, dirname(file), path);
    expect(existsSync(target), `${path} in ${file}`).toBe(true);
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

test.each(guides)('%s links to each example that it names, so that readers of the package find it', file => {
  expect(readFileSync(root + file, 'utf8')).not.toMatch(/(?<!\[)`examples\//);
});

test.each(Object.keys(main).filter(name => name.endsWith('Error')))(
  'the guide to errors has %s in its table',
  name => {
    expect(readFileSync(`${root}docs/errors.md`, 'utf8')).toContain(`\n| \`${name}\` |`);
  },
);

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

const unlisted = ['tags.list', 'customFields.list'] as const;

const methodsOf = (resource: string, ...methods: string[]) => methods.map(method => `${resource}.${method}`);

test.each<[file: string, sentence: string, names: readonly string[]]>([
  ['docs/api.md', 'has no endpoint that creates or updates one', ['contacts.create', 'contacts.update']],
  ['docs/api.md', 'The API cannot list tags or custom fields.', unlisted],
  ['docs/commands.md', 'the service has no operation that lists the names', [...unlisted, 'tags.get']],
  ['docs/tasks.md', 'no call lists their names', [...unlisted, 'tags.get']],
  ['src/cli/export/export.ts', 'the service has no operation that lists the names', unlisted],
  ['docs/tasks.md', 'The API cannot unsubscribe a contact.', ['contacts.unsubscribe', 'contacts.update']],
  ['docs/tasks.md', 'The API cannot delete a contact', ['contacts.delete']],
  ['docs/api.md', '| **delete a contact**', ['contacts.delete']],
  ['AGENTS.md', 'There is no `contacts.create`', methodsOf('contacts', 'create', 'update', 'get')],
  ['AGENTS.md', 'deletes or unsubscribes no contact', methodsOf('contacts', 'delete', 'unsubscribe')],
  ['AGENTS.md', 'lists neither tags nor custom fields', unlisted],
  ['docs/api.md', '| **unsubscribe** or resubscribe a contact', ['contacts.unsubscribe', 'contacts.update']],
  ['docs/api.md', 'create, edit or list templates', methodsOf('templates', 'create', 'update', 'list')],
  ['docs/api.md', 'templates and campaigns', methodsOf('campaigns', 'create', 'update', 'list')],
  [
    'docs/api.md',
    'create a sender; list or verify domains',
    ['senders.create', 'domains.list', 'domains.verify'],
  ],
  ['docs/api.md', 'get one contact by its id', ['contacts.get', 'contacts.count']],
  [
    'docs/api.md',
    '| add a contact to a list, or remove it',
    methodsOf('lists', 'addContact', 'removeContact'),
  ],
])('%s says "%s", and no operation does that', (file, sentence, names) => {
  expect(readFileSync(`${root}${file}`, 'utf8')).toContain(sentence);
  expect(operationNames.filter(name => names.includes(name))).toEqual([]);
});

test.each([
  ['docs/api.md', 'filter contacts by tag, list or date; sort contacts', /tag|list|date|created|sort|order/i],
  ['docs/pagination.md', 'cannot filter by tag or date, and cannot sort', /tag|date|created|sort|order/i],
  ['docs/tasks.md', 'The service cannot filter contacts by tag.', /tag/i],
  ['docs/tasks.md', 'the service cannot filter by date', /date|created|since|after/i],
])('%s says "%s", and no listing in pages has such a parameter', (file, sentence, pattern) => {
  expect(readFileSync(`${root}${file}`, 'utf8')).toContain(sentence);
  const parameters = rows.flatMap(({ method, fields }) =>
    method === 'GET' ? Object.keys(fields.query ?? {}) : [],
  );
  expect(parameters.filter(name => pattern.test(name))).toEqual([]);
});

test.each(referencePages)(
  'docs/.vitepress/reference-pages.ts has files for the page %s',
  (_, __, pattern) => {
    for (const alternative of String(pattern).slice(1, -1).split(/\|\^/))
      expect(filesIn(`${root}src`, '**/*.ts').filter(file => new RegExp(alternative).test(file))).not.toEqual(
        [],
      );
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
