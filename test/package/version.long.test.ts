// The version of the build, which stands only in package.json.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const dist = join(import.meta.dirname, '../../dist');

test.each(['index.js', 'index.cjs'])('%s exports the version of the manifest', async file => {
  const path = join(dist, file);
  const build = file.endsWith('.cjs') ? createRequire(import.meta.url)(path) : await import(path);
  expect(build.version).toBe(manifest.version);
});

test('the command prints the version of the manifest', () => {
  const printed = execFileSync(process.execPath, [join(dist, 'cli.js'), '--version'], { encoding: 'utf8' });
  expect(printed).toBe(`${manifest.version}\n`);
});
