import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { idKinds } from '../../src/schemas/id.ts';
import { recordKinds } from '../../src/testing/service/record-kinds.ts';
import { filesIn } from '../support/files.ts';

const root = join(import.meta.dirname, '../../src/testing');
const files = filesIn(root, '**/*.ts');
const statement = /^(?:import|export)\b(?:[^;']*?\bfrom)?\s*'(\.[^']+)'/gm;
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const importsOf = (file: string) =>
  [...textOf(file).matchAll(statement)]
    .map(([, path = '']) => normalize(join(dirname(file), path)).replaceAll('\\', '/'))
    .filter(path => files.includes(path));

test('the service imports no faults, server or web page, and the web page only types of the rest', () => {
  for (const file of files.filter(name => name.startsWith('service/')))
    expect(
      importsOf(file).filter(path => /^(faults|server|ui)\//.test(path)),
      file,
    ).toEqual([]);
  for (const file of files.filter(name => name.startsWith('ui/')))
    for (const [line, path = ''] of textOf(file).matchAll(statement))
      if (path.startsWith('../')) expect(line, file).toMatch(/^import type /);
});

test('each kind of id of the client is the prefix of a kind of record', () => {
  const prefixes = Object.values(recordKinds).map(({ prefix }) => prefix);
  expect(prefixes).toEqual(expect.arrayContaining(idKinds.map(kind => `${kind}_`)));
});

test('the scripts of the web page set no markup: the elements of htm are made one by one', () => {
  for (const file of files.filter(name => name.startsWith('ui/')))
    expect(textOf(file), file).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/i);
});
