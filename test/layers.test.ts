import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn } from './support/files.ts';

const src = join(import.meta.dirname, '../src');
const files = filesIn(src, '**/*.ts');

/** From the top down: a file imports from its own layer and those below it, types too. */
const layers: readonly (readonly [name: string, files: RegExp])[] = [
  ['entry points', /^(index|opentelemetry)\.ts$/],
  ['browser and proxy', /^(browser|proxy)\//],
  ['client', /^client\//],
  ['resources', /^resources\//],
  ['schemas', /^schemas\//],
  ['pagination', /^pagination\//],
  ['bulk', /^bulk\.ts$/],
  ['call', /^call\//],
  ['transport', /^transport\//],
  ['helpers', /^helpers\//],
  ['core', /^core\//],
  ['errors', /^(errors|error-details|version)\.ts$/],
];

/** Separate parts, and the files that each may import. */
const apart: Readonly<Record<string, RegExp>> = {
  // `testing/mocked-calls.ts` makes the promises of the client.
  testing: /^(testing\/|core\/|(version|call\/api-promise)\.ts$)/,
  'cli.ts': /^cli\//,
  cli: /^(cli\/|core\/|testing\/|(index|version|client\/endpoints|resources\/listings)\.ts$)/,
};

const layerOf = (file: string) => layers.findIndex(([, pattern]) => pattern.test(file));

const statement = /^(?:import|export)\b(?:[^;']*?\bfrom)?\s*'([^']+)'|\bimport\('([^']+)'\)/gm;

/** What a file imports or re-exports, types too: files of `src` by their paths, packages by their names. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(src, file), 'utf8').matchAll(statement)].map(([, from, loaded]) => {
    const specifier = from ?? loaded ?? '';
    if (specifier === '#transport') return 'transport/node.ts';
    return specifier.startsWith('.')
      ? normalize(join(dirname(file), specifier)).replaceAll('\\', '/')
      : specifier;
  });

const inSrc = (path: string) => files.includes(path);

test('the architecture lists the layers in their order', () => {
  const [, section = ''] = readFileSync(join(src, '../docs/ARCHITECTURE.md'), 'utf8').split('\n## ');
  const listed = [...section.matchAll(/^\| ([\w ]+) \| `/gm)].map(([, name]) => name);
  expect(listed).toEqual(layers.map(([name]) => name));
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

test('no file imports itself through others', () => {
  const done = new Set<string>();
  /** Returns the first circle that a path of imports leads to. */
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

test('no resource imports another', () => {
  const others = files
    .filter(file => /^resources\/(?!index\.|operation-types\.|make-resources\.)/.test(file))
    .flatMap(file => importsOf(file).filter(path => path.startsWith('resources/')));
  expect(others.filter(path => !/^resources\/(operations|listings|account-types)\.ts$/.test(path))).toEqual(
    [],
  );
});

test('no entry point imports another', () => {
  // The browser client and the handler share their protocol.
  const entryOf = (path: string) =>
    path === 'browser/protocol.ts' ? undefined : /^(index|opentelemetry|browser|proxy)\b/.exec(path)?.[0];
  // The commands use the entry points, as a user's program would.
  for (const file of files.filter(name => !name.startsWith('cli/')))
    for (const path of importsOf(file).filter(entryOf))
      expect(`${file} > ${entryOf(path)}`).toBe(`${file} > ${entryOf(file)}`);
});

test('one file imports ky, and only schemas and the table of endpoints import zod', () => {
  const using = (name: RegExp) => files.filter(file => importsOf(file).some(path => name.test(path)));
  expect(using(/^ky\b/)).toEqual(['client/send.ts']);
  expect(using(/^zod\b/).filter(file => !/^(schemas\/|client\/endpoints\.)/.test(file))).toEqual([]);
  const outside = new Set(files.flatMap(importsOf).filter(path => !inSrc(path) && !path.startsWith('node:')));
  const ofTheCommand = ['commander', 'csv-parse', 'csv-parse/sync', 'csv-stringify/sync'];
  const ofThePage = ['htm/preact', 'preact', 'preact/hooks'];
  const ofTheLibrary = ['@opentelemetry/api', 'ky', 'msw', 'zod/mini'];
  expect([...outside].sort()).toEqual([...ofTheLibrary, ...ofTheCommand, ...ofThePage].sort());
});
