import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

// A new process spends more time on finding and loading a file than on compiling it.
test.each([
  ['index.js', ['index.js', 'ky.js', 'node-transport.js', 'schemas.js', 'shared.js']],
  ['index.cjs', ['index.cjs', 'ky.cjs', 'node-transport.cjs', 'schemas.cjs', 'shared.cjs']],
  ['testing.js', ['shared.js', 'testing.js']],
])('Node loads few files for %s', async (entry, files) => {
  const { metafile } = await build({
    entryPoints: [`dist/${entry}`],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: entry.endsWith('.cjs') ? 'cjs' : 'esm',
    // What is loaded later, when the sandbox listens.
    external: ['./site-*'],
    logLevel: 'error',
  });
  expect(Object.keys(metafile.inputs).sort()).toEqual(files.map(file => `dist/${file}`));
});
