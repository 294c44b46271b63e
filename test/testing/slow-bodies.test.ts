// Bodies that are sent slowly or never end, with `fetch` and over HTTP, and what a reset does to connections.
// Apart from the tests with fake timers that count them, because connections have timers of their own.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { collectGarbage } from '../support/memory.ts';

describe('trickle', () => {
  test('sends a byte at a time, and the head at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const sandbox = createSandbox();
    const trickle = sandbox.trickle('senders.list', 100);
    const response = await sandbox.fetch('https://sandbox.test/api/v1/rest/sender', {
      headers: { 'X-Team-ApiKey': sandbox.apiKey },
    });
    expect([response.status, trickle.hits]).toEqual([200, 1]);
    const sizes: number[] = [];
    const text = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          sizes.push(chunk.length);
          controller.enqueue(chunk);
        },
      }),
    );
    const read = new Response(text).text();
    await vi.advanceTimersByTimeAsync(199);
    expect(sizes).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1);
    expect([await read, sizes]).toEqual(['[]', [1, 1]]);
  });

  test.each([60_000, 0])('ends when the caller aborts, at %i ms a byte', async ms => {
    const sandbox = createSandbox();
    sandbox.trickle('*', ms);
    const controller = new AbortController();
    const { signal } = controller;
    const call = await sandbox.fetch('https://sandbox.test/api/v1/rest/sender', { signal });
    const read = call.text();
    controller.abort(new Error('enough'));
    await expect(read).rejects.toThrow('enough');
  });

  test('changes nothing of a response without a body', async () => {
    const sandbox = createSandbox();
    sandbox.trickle('*', 60_000);
    sandbox.fail('senders.list', { status: 204 });
    await using server = await sandbox.listen();
    for (const call of [sandbox.fetch, fetch])
      expect(await (await call(`${server.url}/api/v1/rest/sender`)).text()).toBe('');
  });
});

test.each(['trickle', 'stall', 'hold'] as const)('an abort ends a %s after memory was freed', async kind => {
  const sandbox = createSandbox({ seed: { senders: 1 } });
  if (kind === 'trickle') sandbox.trickle('*', 60_000);
  else if (kind === 'stall') sandbox.stall('*', { at: 'body' });
  else sandbox.hold('*');
  const controller = new AbortController();
  const call = (input: string | Request, init?: RequestInit) =>
    sandbox.fetch(input, init).then(response => response.text());
  const { signal } = controller;
  const url = 'https://sandbox.test/api/v1/rest/sender';
  const calls = [call(url, { signal }), call(new Request(url, { signal }))];
  await new Promise(resolve => setTimeout(resolve, 10));
  collectGarbage();
  await new Promise(resolve => setImmediate(resolve));
  controller.abort(new Error('enough'));
  for (const ended of calls) await expect(ended).rejects.toThrow('enough');
});

test.each(['stall', 'trickle'] as const)(
  'after a reset, a request whose body is sent by a %s loses its connection',
  async kind => {
    const sandbox = createSandbox({ seed: { senders: 1 } });
    await using server = await sandbox.listen();
    const headers = { 'X-Team-ApiKey': sandbox.apiKey };
    for (const call of [sandbox.fetch, fetch]) {
      if (kind === 'stall') sandbox.stall('*', { at: 'body' });
      else sandbox.trickle('*', 60_000);
      const response = await call(`${server.url}/api/v1/rest/sender`, { headers });
      sandbox.reset();
      await expect(response.text()).rejects.toThrow(TypeError);
    }
  },
);
