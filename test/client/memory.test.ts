// Memory that calls and their results use, by both ways to send.
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../support/listen.ts';
import { memoryInUse } from '../support/memory.ts';
import { connect, runProgram, ways } from './support.ts';

const megabyte = 1_000_000;

test.each(ways)('calls and results that are kept hold no body, by %s', async (_, given) => {
  const { client, server } = await connect({ fetch: given });
  const body = `{"status":"success",${' '.repeat(megabyte)}"message":"OK"}`;
  server.otherwise(({ response }) => void response.end(body));
  const call = () => client.events.record({ name: 'Fired', identifier: 'ada@example.com' });
  await call();
  const held: unknown[] = [];
  const before = memoryInUse();
  for (let count = 0; count < 20; count++) {
    const promise = call();
    held.push(promise, await promise.withResponse(), await promise.safe());
  }
  expect(memoryInUse() - before).toBeLessThan(5 * megabyte);
  expect(held).toHaveLength(60);
});

// Each chunk is an object many times as large as its byte.
test.each(ways)(
  'a body of half a megabyte in chunks of one byte, by %s, fits into 48 MB',
  async (_, given) => {
    const json = JSON.stringify([{ id: 's1', name: 'n'.repeat(megabyte / 2), email: 'a@x.test' }]);
    const chunks = `${[...json].map(byte => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;
    const server = createServer(socket => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`));
    });
    onTestFinished(() => void server.close());
    const options = `{ baseUrl: 'http://127.0.0.1:${await listen(server)}', maxRetries: 0, fetch: ${given} }`;
    const program = 'const [sender] = await client.senders.list(); console.log(sender.name.length);';
    const { output } = await runProgram(options, program, { flags: ['--max-old-space-size=48'] });
    expect(output).toBe(`${megabyte / 2}`);
  },
);
