// Bodies that never end, with `fetch` and over HTTP, and what a reset does to connections.
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { collectGarbage } from '../support/memory.ts';

test.each(['stall', 'hold'] as const)('an abort ends a %s after memory was freed', async kind => {
  const sandbox = createSandbox({ seed: { senders: 1 } });
  if (kind === 'stall') sandbox.stall('*', { at: 'body' });
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

test('after a reset, a request whose body stalls loses its connection', async () => {
  const sandbox = createSandbox({ seed: { senders: 1 } });
  await using server = await sandbox.listen();
  const headers = { 'X-Team-ApiKey': sandbox.apiKey };
  for (const call of [sandbox.fetch, fetch]) {
    sandbox.stall('*', { at: 'body' });
    const response = await call(`${server.url}/api/v1/rest/sender`, { headers });
    sandbox.reset();
    await expect(response.text()).rejects.toThrow(TypeError);
  }
});
