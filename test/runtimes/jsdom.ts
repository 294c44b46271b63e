// Runs both clients under Jest's jsdom, in the environment of docs/testing.md as it stands.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler, toNodeListener } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { listen } from '../support/listen.ts';
import { installed, root } from './install.ts';

const guide = readFileSync(`${root}docs/testing.md`, 'utf8');
const [, file = '', environment = ''] =
  /^```js .*\n\/\/ (\S+\.js), .*\n([^`]*jest-environment-jsdom[^`]*)^```$/m.exec(guide) ?? [];

/** Runs the tests of `jsdom-program.cjs` in a project. */
export async function checkJsdom(folder: string): Promise<void> {
  assert.ok(environment, 'docs/testing.md has the environment');
  writeFileSync(join(folder, file), environment);
  const modules = join(
    installed('jest-jsdom', { jest: '30.5.2', 'jest-environment-jsdom': '30.5.2' }),
    'node_modules',
  );
  const sandbox = createSandbox();
  const options = {
    allow: ['legacy.identify'],
    authorize: 'public',
    allowedOrigins: ['http://localhost'],
  } as const;
  const handler = createProxyHandler(new EmailMarketingClient(sandbox.clientOptions), options);
  const server = createServer(toNodeListener(handler));
  const own = await sandbox.listen();
  const variables = {
    SANDBOX: own.url,
    HANDLER: `http://127.0.0.1:${await listen(server)}/`,
    NODE_PATH: modules,
  };
  const args = ['--rootDir', folder, '--testMatch', '**/jsdom-program.cjs', '--env', join(folder, file)];
  try {
    const env = { ...process.env, ...variables };
    await promisify(execFile)(process.execPath, [join(modules, 'jest/bin/jest.js'), ...args], {
      cwd: folder,
      env,
    });
  } finally {
    server.close();
    await own.close();
  }
  assert.equal(sandbox.requests.count('legacy.identify'), 2);
  console.log("Jest's jsdom: as expected");
}
