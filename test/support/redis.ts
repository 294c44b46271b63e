// Starts Redis for a test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './listen.ts';
import { pathOf, redisServer } from './programs.ts';

/** Starts a Redis with its own port and folder, which persists nothing, and waits until it accepts connections. */
export async function startRedis() {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const settings = { port: `${port}`, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn(pathOf(redisServer), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const chunk of server.stdout) if (`${chunk}`.includes('Ready to accept connections')) break;
  return {
    url: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (server.exitCode === null && server.kill('SIGKILL')) await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}
