// Calls a mock that Prism makes of the OpenAPI document. Usage: `npm run test:openapi`.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { EmailMarketingClient } from '../../../src/index.ts';
import { calls } from '../../operations.ts';

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function startPrism(port: number, flags: readonly string[]): Promise<ChildProcess> {
  const cli = join(import.meta.dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const document = join(import.meta.dirname, '../../../docs/openapi.json');
  const prism = spawn(
    process.execPath,
    [cli, 'mock', document, '--port', String(port), '--errors', ...flags],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await new Promise<void>((resolve, reject) => {
    prism.stdout.on('data', text => String(text).includes('listening') && resolve());
    prism.once('exit', () => reject(new Error('Prism did not start')));
  });
  return prism;
}

async function tryAll(flags: readonly string[]): Promise<number> {
  const port = await freePort();
  const prism = await startPrism(port, flags);
  const client = new EmailMarketingClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: 'key',
    teamId: 'team',
    validation: 'strict',
    maxRetries: 0,
  });
  let failed = 0;
  for (const { title, call } of calls) {
    const problem = await call(client).then(
      () => undefined,
      error => error,
    );
    if (problem !== undefined) failed += 1;
    console.log(
      problem === undefined ? 'ok  ' : 'FAIL',
      title,
      problem?.message ?? '',
      problem?.issues ?? problem?.body ?? '',
    );
  }
  prism.kill();
  return failed;
}

let failed = 0;
for (const flags of [[], ['--dynamic']]) {
  console.log(`Prism mock ${flags.join(' ')}`);
  failed += await tryAll(flags);
}
process.exitCode = failed === 0 ? 0 : 1;
