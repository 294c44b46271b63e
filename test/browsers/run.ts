/**
 * Runs the packed package in the engine of each browser, bundled by one of the bundlers: both clients and the sandbox in a page
 * with a strict content security policy, and the sign-up form of the guide.
 * Usage: `npm run test:all -- browsers`, or with names: `node test/browsers/run.ts firefox`.
 */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { bundlers } from '../runtimes/bundlers.ts';
import { check } from '../runtimes/expected.ts';
import { root } from '../runtimes/install.ts';
import { makeProject } from '../runtimes/project.ts';
import { skipsWithout } from '../support/programs.ts';
import { type Engine, engines, opened } from './engines.ts';
import { pagesLeft, serveChecks } from './page-site.ts';
import { checkSignUpForm } from './sign-up-form.ts';

const name = 'Größe ∑ 🎉';

/** What bundles the page for each engine. */
const bundlerOf: Readonly<Record<string, keyof typeof bundlers>> = {
  Chromium: 'Vite',
  Firefox: 'webpack',
  WebKit: 'esbuild',
};

/** What the page must report, in addition to the scenario of the runtimes. */
const expected = {
  client: {
    created: name,
    deleted: 'success',
    missing: ['NotFoundError', 404, true],
    large: true,
    redirected: ['ApiError', 'refused', true],
  },
  browserClient: {
    created: name,
    identified: ['message', 'status'],
    iterated: 251,
    invalid: ['InvalidRequestError', 'not-sent', ['email']],
    denied: 'PermissionError',
    redirected: ['ApiError', 'unknown', true],
  },
  callsOnce: 20,
  leaving: 'left',
  sandbox: { created: [name, true], requests: 2, contacts: 3 },
  violations: [],
};

const chosen = process.argv.slice(2).map(part => part.toLowerCase());
const folder = makeProject('browsers');
cpSync(join(root, 'test/browsers/page.mjs'), join(folder, 'page.mjs'));
for (const [engine, how] of Object.entries(engines)) {
  if (chosen.length > 0 && !chosen.includes(engine.toLowerCase())) continue;
  if (how.programs.some(skipsWithout)) continue;
  await checkEngine(engine, how);
  await checkSignUpForm(engine, how);
  console.log(`${engine}: as expected`);
}

async function checkEngine(engine: string, how: Engine): Promise<void> {
  const { code } = await bundlers[bundlerOf[engine] ?? 'esbuild'](folder, 'page.mjs');
  const page = await serveChecks(code);
  try {
    const { scenario, ...others } = Object(await opened(how, page.url, page.reported));
    assert.deepEqual(others, expected, engine);
    check(`${engine}: scenario`, scenario, page.service);
    assert.deepEqual(page.followed, [], `${engine} follows no redirect`);
    assert.equal(page.actedOnce.requests.count('tags.create'), 20, `${engine}: each call acts once`);
    assert.equal(page.left.requests.length, pagesLeft, `${engine}: the calls of pages that were left arrive`);
    // WebKit on Linux opens a connection for each POST.
    assert.equal(page.counted.closed > 0, engine !== 'WebKit', `${engine}: connections were closed`);
  } finally {
    await page.close();
  }
}
