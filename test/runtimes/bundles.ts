/**
 * Bundles web pages that use the packed package with each bundler. Expects no warnings, no code for Node, no unused code, and
 * a page that works in Chromium under a strict content security policy. Bundles a worker with a throttle, too.
 * Usage: `npm run test:all -- bundles`, or with names: `node test/runtimes/bundles.ts vite`.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler } from '../../src/proxy/index.ts';
import type { Sandbox } from '../../src/testing/index.ts';
import { openChromium } from '../support/chromium.ts';
import { chromium, skipsWithout } from '../support/programs.ts';
import { bundlers } from './bundlers.ts';
import { check, makeSandbox } from './expected.ts';
import { servePage, toSandbox } from './page-server.ts';
import { makeProject } from './project.ts';
import { checkThrottledWorker } from './throttled-worker.ts';

/** Text that only code for Node contains. */
const ofNode = /\brequire\(["']|from ?["']node:|import\(["']node:|undici|\bBuffer\.|__dirname/;

/** Largest bundle of a small part, compressed, and minified as for a page: Rollup itself keeps comments. */
const maxPartBytes = 1_500;

/** Small parts of the package, whose bundles must not contain the rest. */
const parts = {
  increment: "import { increment } from 'email-marketing-client'; globalThis.part = increment(5);",
  customField: "import { customField } from 'email-marketing-client'; globalThis.part = customField;",
  'the error classes':
    "import { ConflictError } from 'email-marketing-client'; globalThis.part = ConflictError;",
};

const chosen = process.argv.slice(2);
if (skipsWithout(chromium)) process.exit();
const folder = makeProject('bundles');
const browser = await openChromium();

for (const [name, bundle] of Object.entries(bundlers)) {
  if (chosen.length > 0 && !chosen.some(part => name.toLowerCase().includes(part.toLowerCase()))) continue;
  const build = async (entry: string) => {
    const { code, warnings } = await bundle(folder, entry);
    assert.deepEqual(warnings, [], `${name} builds ${entry} without a warning`);
    // Rollup keeps comments of ky that name modules of Node.
    const withoutComments = code.replaceAll(/^\s*\/\/.*$/gm, '');
    assert.doesNotMatch(withoutComments, ofNode, `${name}: ${entry} contains no code for Node`);
    return code;
  };
  const sandbox = makeSandbox();
  check(
    `${name}, the full client`,
    await inPage(await build('program-page.mjs'), toSandbox(sandbox)),
    sandbox,
  );
  const keyless = await build('program-keyless.mjs');
  const result = await inPage(keyless, proxyTo(makeSandbox()));
  assert.deepEqual(result, [true, 409, 'PermissionError', 'string'], `${name}, the keyless client`);
  assert.doesNotMatch(
    keyless,
    /X-Team-ApiKey|\bteam_id:|_zod/,
    `${name}: no schema, and nothing that sends a key`,
  );
  for (const [kept, code] of Object.entries(parts)) {
    writeFileSync(join(folder, 'part.mjs'), code);
    const { code: minified } = transformSync(await build('part.mjs'), { minify: true });
    const size = gzipSync(minified).length;
    assert.ok(size < maxPartBytes, `${name}: ${kept} alone has ${size} bytes`);
  }
  console.log(`${name}: as expected (keyless client ${gzipSync(keyless).length} bytes)`);
}
await browser.close();
if (chosen.length === 0 || chosen.includes('workerd')) {
  await checkThrottledWorker(folder);
  console.log('workerd: as expected');
}

function proxyTo(sandbox: Sandbox) {
  const { apiKey, teamId, fetch } = sandbox;
  const client = new EmailMarketingClient({ baseUrl: 'https://service.test', apiKey, teamId, fetch });
  return createProxyHandler(client, { allow: ['tags.create', 'legacy.identify'], authorize: 'public' });
}

/** Runs a bundled program in a web page under a strict policy. Errors and violations of the policy are failures. */
async function inPage(code: string, handler: (request: Request) => Promise<Response>): Promise<unknown> {
  const html = '<!doctype html><script type="module" src="/page.js"></script>';
  const site = await servePage({ files: { '/index.html': html, '/page.js': code }, handler });
  const tab = await browser.newPage();
  const complaints: string[] = [];
  tab.on('pageerror', error => complaints.push(error.message));
  tab.on('console', message => {
    if (/Content Security Policy|Refused/i.test(message.text())) complaints.push(message.text());
  });
  try {
    await tab.goto(site.url);
    const result = await tab.evaluate(() => (globalThis as unknown as { run: () => unknown }).run());
    assert.deepEqual(complaints, []);
    return result;
  } finally {
    await tab.close();
    await site.close();
  }
}
