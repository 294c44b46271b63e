// Loads the built files in a runtime that has only the language: Jest's jsdom lacks `fetch` and more.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

/** Files that the package's conditions choose, except `testing/msw`: MSW itself needs more than the language. */
const files = JSON.stringify([manifest.exports, manifest.imports]).match(/\.\/dist\/[\w-]+\.c?js/g) ?? [];

/** Deletes every global that a new realm does not have, loads the files, and prints errors and globals that are new. */
const program = `
  import { createRequire } from 'node:module';
  import { runInNewContext } from 'node:vm';
  const { console, process, TextEncoder } = globalThis;
  const require = createRequire(process.cwd() + '/');
  const realm = runInNewContext('Object.getOwnPropertyNames(globalThis)');
  const added = () => Object.getOwnPropertyNames(globalThis).filter(name => !realm.includes(name));
  for (const name of added()) delete globalThis[name];
  // ky creates one when it loads.
  globalThis.TextEncoder = TextEncoder;
  for (const file of ${JSON.stringify(files)})
    try {
      file.endsWith('.cjs') ? require(file) : await import(file);
    } catch (error) {
      console.log(file, String(error));
    }
  console.log(added().join());`;

test('every entry point loads without any API of a runtime', () => {
  const options = { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8' } as const;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], options);
  expect(files).toHaveLength(14);
  // Shared by all copies of zod.
  expect(printed).toBe('TextEncoder,__zod_globalConfig\n');
});
