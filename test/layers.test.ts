import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn } from './support/files.ts';

const src = join(import.meta.dirname, '../src');
const files = filesIn(src, '**/*.ts');

/** From the top down: a file imports of its own layer and of those below it, types too. */
const layers: readonly (readonly [name: string, files: RegExp])[] = [
  ['entry points', /^(index\.ts|opentelemetry\.ts|browser\/|proxy\/)/],
  ['protocol', /^protocol\.ts$/],
  ['client', /^client\.ts$/],
  ['options', /^(options|credentials)\.ts$/],
  ['resources', /^resources\//],
  ['operations', /^operations\//],
  ['endpoints', /^endpoints\.ts$/],
  ['schemas', /^schemas\//],
  ['pagination', /^pagination\//],
  ['bulk', /^bulk/],
  ['http', /^http\//],
  ['helpers', /^helpers\//],
  ['errors', /^(errors|version|nearest-name)\.ts$/],
];

/** Entry points of their own, and what of the rest each may know. */
const apart: Readonly<Record<string, RegExp>> = {
  testing: /^(testing\/|(version|nearest-name)\.ts$)/,
  'cli.ts': /^cli\//,
  cli: /^(cli\/|testing\/|(index|endpoints|version)\.ts$|operations\/legacy\.ts$)/,
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

test('no file imports from above', () => {
  const above = files.flatMap(file => {
    const own = apart[file.split('/')[0] ?? ''];
    const layer = layerOf(file);
    if (own === undefined && layer < 0) return [`${file} has no layer`];
    return importsOf(file)
      .filter(path => inSrc(path) && (own ? !own.test(path) : layerOf(path) < layer))
      .map(path => `${file} > ${path}`);
  });
  expect(above).toEqual([]);
});

test('no file imports itself, over however many others', () => {
  const done = new Set<string>();
  /** Returns the first circle below a path of files that import each other. */
  const circle = (path: readonly string[]): readonly string[] | undefined => {
    const file = path.at(-1) ?? '';
    if (path.indexOf(file) < path.length - 1) return path.slice(path.indexOf(file));
    if (done.has(file)) return undefined;
    done.add(file);
    for (const imported of importsOf(file).filter(inSrc)) {
      const found = circle([...path, imported]);
      if (found) return found;
    }
    return undefined;
  };
  for (const file of files) expect(circle([file])).toBeUndefined();
});

/** Files that resources share. */
const sharedByResources = ['resources/resource.ts', 'resources/listings.ts'];

test('no resource imports another', () => {
  const others = files
    .filter(file => /^resources\/(?!index\.)/.test(file))
    .flatMap(file => importsOf(file).filter(path => path.startsWith('resources/')));
  expect(others.filter(path => !sharedByResources.includes(path))).toEqual([]);
});

test('entry points know nothing of each other', () => {
  const entryOf = (path: string) => (layerOf(path) === 0 ? path.split('/')[0] : undefined);
  // The command stands on the entry points, as a program of a user's would.
  for (const file of files.filter(name => !name.startsWith('cli/')))
    for (const path of importsOf(file).filter(entryOf))
      expect(`${file} > ${entryOf(path)}`).toBe(`${file} > ${entryOf(file)}`);
});

test('ky is used in one file, and zod by schemas and operations', () => {
  const using = (name: RegExp) => files.filter(file => importsOf(file).some(path => name.test(path)));
  expect(using(/^ky\b/)).toEqual(['http/transport/ky-transport.ts']);
  expect(using(/^zod\b/).filter(file => !/^(schemas|operations)\//.test(file))).toEqual([]);
  const outside = new Set(files.flatMap(importsOf).filter(path => !inSrc(path) && !path.startsWith('node:')));
  const ofTheCommand = ['commander', 'csv-parse/sync', 'csv-stringify/sync'];
  expect([...outside].sort()).toEqual([
    '../docs/openapi.json',
    '@opentelemetry/api',
    ...ofTheCommand,
    'ky',
    'msw',
    'zod/mini',
  ]);
});
