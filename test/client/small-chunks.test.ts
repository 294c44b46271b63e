// A body in chunks of one byte, each of which is an object many times as large.
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const length = 500_000;

const program = (fetch: string) => `
  import { EmailMarketingClient } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)};
  const client = new EmailMarketingClient({ baseUrl: process.argv[1], apiKey: 'key', maxRetries: 0, fetch: ${fetch} });
  const [sender] = await client.senders.list();
  console.log(sender.name.length);
`;

/** Starts a server that sends one sender with a long name, in chunks of one byte, and returns its URL. */
async function serveInSmallChunks(): Promise<string> {
  const json = JSON.stringify([
    { id: 's1', name: 'n'.repeat(length), email: 'a@x.test', isWhitelisted: true },
  ]);
  const chunks = `${[...json].map(byte => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const server = createServer(socket => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(head + chunks));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  return `http://127.0.0.1:${port}`;
}

test.each([
  ['the dispatcher', 'undefined'],
  ['a given `fetch`', '(url, init) => fetch(url, init)'],
])('a body of half a megabyte in chunks of one byte, by %s, fits into 48 MB', async (_, fetch) => {
  const flags = [
    '--max-old-space-size=48',
    '--conditions=repository',
    '--no-warnings',
    '--experimental-strip-types',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    '--input-type=module',
    '-e',
    program(fetch),
    await serveInSmallChunks(),
  ]);
  expect(stdout).toBe(`${length}\n`);
});
