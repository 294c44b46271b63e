import { type MeterProvider, metrics } from '@opentelemetry/api';
import { expect, onTestFinished, test } from 'vitest';
import { metricsHooks } from '../../examples/metrics.ts';
import { EmailMarketingClient } from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { ended, restoreClock, stopClock } from '../client/timed-client.ts';

test('the recipe for metrics records each call once, whether it succeeds, fails or is refused', async () => {
  stopClock();
  onTestFinished(restoreClock);
  const recorded: unknown[][] = [];
  const createHistogram = (name: string) => ({
    record: (...values: unknown[]) => recorded.push([name, ...values]),
  });
  metrics.setGlobalMeterProvider({ getMeter: () => ({ createHistogram }) } as unknown as MeterProvider);
  const sandbox = createSandbox();
  const hooks = metricsHooks();
  const client = new EmailMarketingClient({ ...sandbox.clientOptions, hooks, maxRetries: 0 });
  await client.senders.list();
  sandbox.fail('tags.create', { status: 500, times: 1 });
  await client.tags.create({ name: 'vip' }).safe();
  sandbox.latency('tags.create', { ms: 30 });
  await ended(client.tags.create({ name: 'vip' }).safe());
  await client.tags.create({ name: '' }).safe();
  metrics.disable();
  const seconds = expect.any(Number);
  const create = { operation: 'tags.create', status: 0 };
  expect(recorded.map(([name]) => name)).toEqual(Array.from(recorded, () => 'email_marketing.call.duration'));
  expect(recorded.map(([, ...values]) => values)).toEqual([
    [seconds, { operation: 'senders.list', outcome: 'done', status: 200 }],
    [seconds, { ...create, outcome: 'unknown', status: 500 }],
    [seconds, { ...create, outcome: 'done', status: 200 }],
    [seconds, { ...create, outcome: 'not-sent' }],
  ]);
  expect(recorded[2]?.[1]).toBeGreaterThanOrEqual(0.03);
  expect(recorded[2]?.[1]).toBeLessThan(1);
});
