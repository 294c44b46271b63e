// A worker whose client, with a `throttle`, outlives the requests that it serves.
import assert from 'node:assert/strict';
import { createSandbox } from '../../src/testing/index.ts';
import { startWorker } from './runtimes.ts';

/** Sends requests to a worker of a project, in workerd. Each makes two calls, and some end without awaiting them. */
export async function checkThrottledWorker(folder: string): Promise<void> {
  const sandbox = createSandbox({ seed: { senders: 1 } });
  sandbox.latency('senders.list', 200);
  const [service, worker] = await Promise.all([sandbox.listen(), startWorker(folder, 'throttle-worker.mjs')]);
  const visit = async (throttle: unknown, leaves = false) => {
    const body = JSON.stringify({ baseUrl: service.url, throttle, leaves });
    const response = await worker.dispatchFetch('http://worker/', { method: 'POST', body });
    return response.text();
  };
  const visits = (count: number, throttle: unknown) =>
    Promise.all(Array.from({ length: count }, () => visit(throttle)));
  try {
    for (const limits of [{ concurrency: 1 }, { requestsPerSecond: 10 }])
      assert.match(await visit(limits), /^ConfigurationError: .*acquire/s, 'workerd: limits are refused');
    assert.deepEqual(await visits(3, 'own'), Array(3).fill('ok,ok'), 'workerd: visitors at once');
    assert.equal(await visit('own', true), 'left');
    sandbox.fail('senders.list', { status: 429, retryAfter: 1, times: 1 });
    const [paused, ...others] = await visits(3, 'own');
    assert.deepEqual(others, Array(2).fill('ok,ok'), 'workerd: visitors after one that has left');
    assert.match(String(paused), /ok/, 'workerd: a pause of one request');
    assert.deepEqual(await visits(2, 'own'), Array(2).fill('ok,ok'), 'workerd: a pause ends for each');
  } finally {
    await Promise.all([worker.dispose(), service.close()]);
  }
}
