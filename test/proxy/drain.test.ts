import { afterEach, expect, test, vi } from 'vitest';
import { type NodeResponse, toNodeListener } from '../../src/proxy/index.ts';
import { makePage } from './page.ts';

const chunk = new Uint8Array(1000);

afterEach(() => {
  vi.useRealTimers();
});

const chunked: Record<string, string> = { 'transfer-encoding': 'chunked' };

/** A request with a body of so many kilobytes, which is refused by its type; what was done with it, in order. */
async function refused(
  kilobytes: number,
  {
    stall = async (_read: number) => {},
    length = chunked,
    httpVersionMajor = 1,
    seen = { done: [] as string[], read: 0 },
  } = {},
) {
  const { handler } = makePage({ allow: ['tags.create'] });
  const { done } = seen;
  async function* body() {
    while (seen.read < kilobytes) {
      await stall(seen.read);
      seen.read += 1;
      yield chunk;
    }
    done.push('read to its end');
  }
  const headers = { host: 'app.test', 'content-type': 'text/plain', ...length };
  const incoming = Object.assign(body(), {
    method: 'POST',
    url: '/',
    headers,
    httpVersionMajor,
    complete: false,
  });
  const outgoing: NodeResponse = {
    writeHead: (status, sent) => done.push(`${status} ${sent.connection}`),
    write: () => done.push(`written after ${seen.read} kB`),
    end: () => done.push('ended'),
    destroy: () => done.push('destroyed'),
  };
  await toNodeListener(handler)(incoming, outgoing);
  return seen;
}

const kept = ['415 close', 'written after 0 kB', 'read to its end', 'ended'];

test('responds before it drops the rest of a refused body, and ends the response after that', async () => {
  const { done, read } = await refused(900);
  expect(done).toEqual(kept);
  expect(read).toBe(900);
});

test('reads on to the end of a refused body of 1 MB, and closes the connection of a longer one', async () => {
  expect((await refused(1000)).done).toEqual(kept);
  const { done, read } = await refused(100_000);
  expect(done).toEqual(['415 close', 'written after 0 kB', 'ended', 'destroyed']);
  expect(read).toBe(1001);
});

test.each([
  ['1000000', undefined],
  ['1000001', 'close'],
])(
  'responds to a refused body with a stated length of %s bytes with the header "connection" %s',
  async (bytes, sent) => {
    const length = { 'content-length': bytes };
    expect((await refused(1, { length })).done[0]).toBe(`415 ${sent}`);
  },
);

test('closes the connection of a refused body that stalls for 2 s, and reads no more of it', async () => {
  vi.useFakeTimers();
  const stall = async (read: number) => {
    if (read === 10) await new Promise(resolve => setTimeout(resolve, 3000));
  };
  const seen = { done: [] as string[], read: 0 };
  const ended = refused(20, { stall, seen });
  await vi.waitFor(() => expect(seen.read).toBe(10));
  // `waitFor` advances the clock as well.
  await vi.advanceTimersByTimeAsync(1800);
  expect(seen.done).toEqual(['415 close', 'written after 0 kB']);
  await vi.advanceTimersByTimeAsync(201);
  await ended;
  expect(seen.done).toEqual(['415 close', 'written after 0 kB', 'ended', 'destroyed']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(seen.read).toBe(11);
});

test('sends no header "connection" over HTTP/2, where the connection carries other requests', async () => {
  const { done } = await refused(10, { httpVersionMajor: 2 });
  expect(done).toEqual(['415 undefined', 'written after 0 kB', 'read to its end', 'ended']);
});
