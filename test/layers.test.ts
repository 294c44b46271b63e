import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn } from './support/files.ts';

const src = join(import.meta.dirname, '../src');
const files = filesIn(src, '**/*.ts');

/** From the ground up: a file imports of its own layer and of those before it. */
const layers: readonly (readonly [name: string, files: RegExp])[] = [
  ['ground', /^((version|errors)\.ts$|errors\/)/],
  ['helpers', /^helpers\//],
  ['http', /^http\//],
  ['protocol', /^(protocol|operation-names)\.ts$/],
  ['pagination and bulk', /^(pagination\/|bulk\.ts$)/],
  ['schemas', /^schemas\//],
  ['operations', /^operations\//],
  ['resources', /^resources\//],
  ['client', /^(?!(?:index|opentelemetry|cli)\.)[\w-]+\.ts$/],
  ['entry points', /^(index\.ts|opentelemetry\.ts|browser\/|proxy\/)/],
];

/** Entry points of their own, and what of the rest each may know. */
const apart: Readonly<Record<string, RegExp>> = {
  testing: /^(testing\/|version\.ts)/,
  'cli.ts': /^cli\//,
  cli: /^(cli\/|testing\/|index\.ts$|version\.ts$)/,
};

const layerOf = (file: string) => layers.findIndex(([, pattern]) => pattern.test(file));

const statement = /^(?:import|export)\b(?:[^;']*?\bfrom)?\s*'([^']+)'|\bimport\('([^']+)'\)/gm;

/** What a file imports or re-exports, types too: files of `src` by their paths, packages by their names. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(src, file), 'utf8').matchAll(statement)].map(([, from, loaded]) => {
    const specifier = from ?? loaded ?? '';
    return specifier.startsWith('.')
      ? normalize(join(dirname(file), specifier)).replaceAll('\\', '/')
      : specifier;
  });

const inSrc = (path: string) => files.includes(path);

test('imports are found', () => {
  expect(importsOf('client.ts')).toContain('resources/index.ts');
  expect(importsOf('http/transport/ky-transport.ts')).toContain('ky');
});

test.each(files)('%s imports nothing from above', file => {
  const own = apart[file.split('/')[0] ?? ''];
  const layer = layerOf(file);
  expect(own !== undefined || layer >= 0).toBe(true);
  const above = importsOf(file).filter(
    path => inSrc(path) && (own ? !own.test(path) : layerOf(path) < 0 || layerOf(path) > layer),
  );
  expect(above).toEqual([]);
});

/** Files that resources share. */
const sharedByResources = ['resources/resource.ts', 'resources/listings.ts'];

test.each(files.filter(file => /^resources\/(?!index\.)/.test(file)))(
  '%s imports no other resource',
  file => {
    const others = importsOf(file).filter(path => path.startsWith('resources/'));
    expect(others.filter(path => !sharedByResources.includes(path))).toEqual([]);
  },
);

test('entry points know nothing of each other', () => {
  const entryOf = (path: string) => (layerOf(path) === layers.length - 1 ? path.split('/')[0] : undefined);
  // The command stands on the entry points, as a program of a user's would.
  for (const file of files.filter(name => !name.startsWith('cli/')))
    for (const path of importsOf(file).filter(entryOf))
      expect(`${file} > ${entryOf(path)}`).toBe(`${file} > ${entryOf(file)}`);
});

test('ky is used in one file alone, and zod by schemas and operations', () => {
  const using = (name: RegExp) => files.filter(file => importsOf(file).some(path => name.test(path)));
  expect(using(/^ky\b/)).toEqual(['http/transport/ky-transport.ts']);
  expect(using(/^zod\b/).filter(file => !/^(schemas|operations)\//.test(file))).toEqual([]);
  const outside = new Set(files.flatMap(importsOf).filter(path => !inSrc(path) && !path.startsWith('node:')));
  const ofTheCommand = ['cli-progress', 'commander', 'csv-parse/sync', 'csv-stringify/sync'];
  expect([...outside].sort()).toEqual([
    '../docs/openapi.json',
    '@opentelemetry/api',
    ...ofTheCommand,
    'ky',
    'msw',
    'zod/mini',
  ]);
});
