import { RateLimiterMemory } from 'rate-limiter-flexible';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FaultServer, startFaultServer } from '../support/fault-server.ts';
import { connect, errorOf, failureOf } from './support.ts';

/** The examples make a client of their own as they are imported. */
let service: FaultServer;
beforeAll(async () => {
  service = await startFaultServer();
  vi.stubEnv('EMAIL_MARKETING_BASE_URL', service.url);
  vi.stubEnv('EMAIL_MARKETING_API_KEY', 'key');
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await service.close();
});

test('the recipe for a shared limiter keeps the rate limit of all clients, and a cancelled call does not wait', async () => {
  const { sharedLimiter } = await import('../../examples/shared-limiter.ts');
  const limiter = new RateLimiterMemory({ points: 3, duration: 3600 });
  const throttle = sharedLimiter(limiter, 'team');
  const one = await connect({ throttle });
  const other = await connect({ throttle });
  await Promise.all([one.client.senders.list(), other.client.senders.list(), one.client.senders.list()]);
  const controller = new AbortController();
  const fourth = failureOf(other.client.senders.list({ signal: controller.signal }));
  const fifth = await errorOf(one.client.senders.list({ totalTimeout: 100 }));
  expect(fifth).toMatchObject({
    name: 'TimeoutError',
    limit: 'totalTimeout',
    phase: 'queue',
    outcome: 'not-sent',
  });
  controller.abort('enough');
  expect(await fourth).toBe('enough');
  expect(one.server.received.length + other.server.received.length).toBe(3);
  await limiter.delete('team');
  expect(await other.client.senders.list()).toHaveLength(1);
});
