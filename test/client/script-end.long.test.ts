// A script ends by itself once its calls have ended.
import { expect, test } from 'vitest';
import type { Fault, FaultServer } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { connect, runProgram } from './support.ts';

/** Runs a script that can use `client`. */
async function runScript(server: FaultServer, options: string, script: string): Promise<string> {
  const { code, output } = await runProgram(`{ baseUrl: '${server.url}', ...${options} }`, script);
  expect({ code, output }).toMatchObject({ code: 0 });
  return output;
}

/** Limits of an hour, so that a timer which is not cleared outlasts the test. */
const hour =
  '{ timeout: 3_600_000, totalTimeout: 3_600_000, throttle: { requestsPerSecond: 100, concurrency: 2 } }';

test.each<[string, Fault[], string, string]>([
  ['a successful call', [], 'console.log((await client.senders.list()).length)', '1'],
  [
    'a call cancelled in flight',
    [faults.neverResponds],
    `const controller = new AbortController();
     setTimeout(() => controller.abort('enough'), 200);
     await client.senders.list({ signal: controller.signal }).catch(error => console.log(error));`,
    'enough',
  ],
  [
    'a call that timed out in a body',
    [faults.stallsInBody],
    'await client.senders.list({ timeout: 100, maxRetries: 0 }).catch(error => console.log(error.name));',
    'TimeoutError',
  ],
])('a script ends by itself after %s', async (_, queue, script, output) => {
  const { server } = await connect();
  server.next(...queue);
  expect(await runScript(server, hour, script)).toBe(output);
});

test('a response with six content encodings whose connection closes early is an error, and does not end the script', async () => {
  const { server } = await connect();
  const encodings = 'gzip, gzip, gzip, gzip, gzip, gzip';
  server.otherwise(({ socket }) => {
    socket.end(`HTTP/1.1 200 OK\r\nContent-Encoding: ${encodings}\r\nContent-Length: 56\r\n\r\nshort`);
  });
  // Anything left behind has time to fail.
  const script = `const { error } = await client.senders.list({ maxRetries: 0 }).safe();
     console.log(error.name); await new Promise(done => setTimeout(done, 300));`;
  expect(await runScript(server, '{}', script)).toBe('ConnectionError');
});

test.each<[string, Fault]>([
  ['a 500', faults.status(500, {}, 'x'.repeat(100_000))],
  ['a 502 as HTML', faults.badGatewayPage],
  ['a redirect', faults.redirect('https://elsewhere.example')],
  ['no JSON', faults.notJson],
])('%s is read to its end, so that its connection serves later calls', async (_, fault) => {
  const { server, client } = await connect({ maxRetries: 0 });
  server.otherwise(fault);
  for (let index = 0; index < 20; index += 1) await client.senders.list().safe();
  expect(server.received).toHaveLength(20);
  expect(await server.connections()).toBeLessThanOrEqual(2);
});
