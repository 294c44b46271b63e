/**
 * Bundles programs that use parts of the packed package with each bundler. Expects no warnings, no code for Node, and no
 * unused code. The check of the browsers runs bundles. Usage: `npm run test:all -- bundles`.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { bundlers } from './bundlers.ts';
import { makeProject } from './project.ts';

/** Text that only code for Node contains. */
const ofNode = /\brequire\(["']|from ?["']node:|import\(["']node:|undici|\bBuffer\.|__dirname/;

/** What a program imports, and the most bytes of its bundle, minified and compressed. */
const programs = [
  ['EmailMarketingClient', 'email-marketing-client', 45_000],
  ['createBrowserClient', 'email-marketing-client/browser', 14_500],
  ['ConflictError', 'email-marketing-client', 1_500],
  ['increment', 'email-marketing-client', 1_500],
] as const;

const folder = makeProject('bundles');
for (const [bundler, bundle] of Object.entries(bundlers)) {
  for (const [name, entry, maxBytes] of programs) {
    writeFileSync(join(folder, 'part.mjs'), `import { ${name} } from '${entry}'; globalThis.part = ${name};`);
    const { code, warnings } = await bundle(folder, 'part.mjs');
    assert.deepEqual(warnings, [], `${bundler} bundles ${name} without a warning`);
    const { code: minified } = transformSync(code, { minify: true });
    assert.doesNotMatch(minified, ofNode, `${bundler}: the bundle of ${name} contains no code for Node`);
    const size = gzipSync(minified).length;
    assert.ok(size < maxBytes, `${bundler}: the bundle of ${name} has ${size} bytes`);
  }
  console.log(`${bundler}: as expected`);
}
