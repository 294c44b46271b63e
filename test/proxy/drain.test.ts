import { expect, test } from 'vitest';
import { type NodeResponse, toNodeListener } from '../../src/proxy/index.ts';
import { makePage } from './page.ts';

const chunk = new Uint8Array(1000);

/** A request with a chunked body of so many kilobytes, which is refused by its type; what was done with it, in order. */
async function refused(kilobytes: number, { stalls = false, httpVersionMajor = 1 } = {}) {
  const { handler } = makePage({ allow: ['tags.create'] });
  const done: string[] = [];
  let read = 0;
  async function* body() {
    for (; read < kilobytes; read++) yield chunk;
    if (stalls) await new Promise(() => {});
  }
  const headers = { host: 'app.test', 'content-type': 'text/plain', 'transfer-encoding': 'chunked' };
  const incoming = Object.assign(body(), {
    method: 'POST',
    url: '/',
    headers,
    httpVersionMajor,
    complete: false,
  });
  const outgoing: NodeResponse = {
    writeHead: (status, sent) => done.push(`${status} ${sent.connection}`),
    write: () => done.push(`written after ${read} kB`),
    end: () => done.push('ended'),
    destroy: () => done.push('destroyed'),
  };
  await toNodeListener(handler)(incoming, outgoing);
  return { done, read };
}

test('responds before it drops the rest of a refused body, and ends the response after that', async () => {
  const { done, read } = await refused(900);
  expect(done).toEqual(['415 close', 'written after 0 kB', 'ended']);
  expect(read).toBe(900);
});

test('closes the connection of a refused body that is longer than 1 MB', async () => {
  const { done, read } = await refused(100_000);
  expect(done).toEqual(['415 close', 'written after 0 kB', 'ended', 'destroyed']);
  expect(read).toBeLessThan(1100);
});

test('closes the connection of a refused body that stalls', async () => {
  const { done } = await refused(10, { stalls: true });
  expect(done).toEqual(['415 close', 'written after 0 kB', 'ended', 'destroyed']);
});

test('sends no header "connection" over HTTP/2, where the connection carries other requests', async () => {
  const { done } = await refused(10, { httpVersionMajor: 2 });
  expect(done).toEqual(['415 undefined', 'written after 0 kB', 'ended']);
});
