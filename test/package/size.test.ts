import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Platform } from 'esbuild';
import { expect, test } from 'vitest';
import { pack } from './packed.ts';

const root = join(import.meta.dirname, '../../');
const { folder, files } = pack();

const client = "export { EmailMarketingClient } from './dist/index.js'";

/**
 * Programs, and their bytes, minified and compressed, when they were last measured. Of the full client, ky and zod as
 * published are about 15.1 kB.
 */
const sizes: readonly (readonly [loaded: string, program: string, bytes: number, on: Platform])[] = [
  ['the full client', client, 37_950, 'browser'],
  ['the full client on Node', client, 39_760, 'node'],
  ['every export', "export * from './dist/index.js'", 40_010, 'browser'],
  ['the browser client', "export { createBrowserClient } from './dist/browser.js'", 11_680, 'browser'],
  ['every export for web pages', "export * from './dist/browser.js'", 12_250, 'browser'],
];

/** Growth that needs no new measurement, so that a field does not turn a test red. */
const room = 1.02;

/** Maximum of bytes on disk: ES modules, CommonJS, their declarations, and the sources to which editors go from these. */
const unpackedLimit = 2_300_000;

/** Returns a program, bundled and minified. */
async function bundled(contents: string, platform: Platform): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform,
  });
  return outputFiles[0]?.text ?? '';
}

test.each(sizes)('%s is at most 2 % larger than measured', async (_, program, bytes, on) => {
  const { length } = gzipSync(await bundled(program, on), { level: 9 });
  expect(length).toBeLessThanOrEqual(bytes * room);
});

test.each([
  ['the full client', /the full client adds about (\d+) kB/],
  ['the browser client', /the browser client about (\d+) kB/],
])('runtimes.md states the size of %s, rounded', (name, statement) => {
  const [, kilobytes] = statement.exec(readFileSync(join(root, 'docs/runtimes.md'), 'utf8')) ?? [];
  const [, , bytes = 0] = sizes.find(([loaded]) => loaded === name) ?? [];
  expect(Number(kilobytes)).toBe(Math.round(bytes / 1000));
});

test('the package takes at most 2.3 MB on disk, sources included', () => {
  const bytes = files.map(file => statSync(join(folder, file)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(unpackedLimit);
});

test('the browser client contains no endpoint, header or phrase of the service', async () => {
  const text = await bundled("export * from './dist/browser.js'", 'browser');
  expect(text).toContain('createProxyHandler must respond there');
  const ofTheService = [
    '/contact/identify',
    '{identifier}',
    'X-Team-ApiKey',
    '/api/v1',
    'already',
    'not valid',
  ];
  expect(ofTheService.filter(phrase => text.includes(phrase))).toEqual([]);
});
