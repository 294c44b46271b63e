// A worker whose client, with a `throttle`, outlives the requests that it serves.
import assert from 'node:assert/strict';
import { createSandbox } from '../../src/testing/index.ts';
import { startWorker } from './runtimes.ts';

/** Sends requests to a worker of a project, in workerd. Each makes two calls, and some end without awaiting them. */
export async function checkThrottledWorker(folder: string): Promise<void> {
  const sandbox = createSandbox({ seed: { senders: 1 } });
  sandbox.latency('senders.list', 200);
  const [service, worker] = await Promise.all([sandbox.listen(), startWorker(folder, 'throttle-worker.mjs')]);
  const visit = async (throttle: object, leaves = false) => {
    const body = JSON.stringify({ baseUrl: service.url, throttle, leaves });
    const response = await worker.dispatchFetch('http://worker/', { method: 'POST', body });
    return response.text();
  };
  const visits = (count: number, throttle: object) =>
    Promise.all(Array.from({ length: count }, () => visit(throttle)));
  try {
    const one = { concurrency: 1 };
    assert.deepEqual(await visits(3, one), Array(3).fill('ok,ok'), 'workerd: visitors at once wait');
    assert.equal(await visit({ concurrency: 2 }, true), 'left');
    const later = await visits(2, { concurrency: 2 });
    assert.deepEqual(later, Array(2).fill('ok,ok'), 'workerd: permits of a request that has ended come back');
    const spaced = await visits(2, { requestsPerSecond: 10 });
    assert.deepEqual(spaced, Array(2).fill('ok,ok'), 'workerd: visitors at once start in turn');
  } finally {
    await Promise.all([worker.dispose(), service.close()]);
  }
}
