// Compares the defaults in guides with those in the doc comments of the options.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesIn } from '../support/files.ts';
import { root } from './collect.ts';

const sources = filesIn(root, 'src/**/*.ts').map(file => readFileSync(root + file, 'utf8'));

/** Returns the `@defaultValue` of the members of an interface, by their names. */
function documentedDefaults(name: string): ReadonlyMap<string, string> {
  const source = sources.find(text => text.includes(`export interface ${name}`)) ?? '';
  const start = source.indexOf(`export interface ${name}`);
  const body = source.slice(start, source.indexOf('\n}\n', start));
  const members = body.matchAll(/@defaultValue ([\s\S]*?)\s*\*\/\s+readonly (\w+)\?/g);
  return new Map([...members].map(([, value = '', member = '']) => [member, plain(value)]));
}

/** Returns text without code marks, quotes and line breaks. */
const plain = (text: string): string =>
  text
    .replaceAll(/[`']|\s*\*\s+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns the defaults in the tables of a guide, by the option in the first column. */
function shownDefaults(guide: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let column = -1;
  for (const line of readFileSync(`${root}docs/${guide}`, 'utf8').split('\n')) {
    const [start, ...cells] = line.split(/(?<!\\)\|/).map(plain);
    if (start !== '' || cells.length === 0) column = -1;
    else if (column < 0) column = cells.indexOf('default');
    else found.set(cells[0] ?? '', cells[column] ?? '');
  }
  return found;
}

/** Returns `true` if a default is a value, not a sentence. */
const isValue = (text: string): boolean => /^([\d ]+|true|false|report|rest|none|no limit)$/.test(text);

test.each([
  ['configuration.md', ['ClientOptions', 'DefaultOptions', 'CallOptions']],
  ['retries.md', ['CallOptions', 'ThrottleLimits']],
  ['pagination.md', ['PaginatorOptions']],
  ['bulk.md', ['BulkOptions']],
  ['any-endpoint.md', ['EndpointRequest']],
])('the tables of %s have the defaults of the doc comments', (guide, interfaces) => {
  const documented = new Map(interfaces.flatMap(name => [...documentedDefaults(name)]));
  const compared = [...shownDefaults(guide)].filter(([name]) => isValue(documented.get(name) ?? ''));
  expect(compared.length).toBeGreaterThan(0);
  for (const [name, value] of compared) {
    const expected = documented.get(name);
    expect(value === 'none' ? 'no limit' : value, name).toBe(expected === 'none' ? 'no limit' : expected);
  }
});
