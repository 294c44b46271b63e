import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';
import { expect, test } from 'vitest';
import { sharedLimiter } from '../../examples/shared-limiter.ts';
import { connect, errorOf, failureOf } from '../client/support.ts';

test('applies one rate limit to all clients, and ends a cancelled call at once', async () => {
  const limiter = new RateLimiterMemory({ points: 3, duration: 3600 });
  const throttle = sharedLimiter(limiter, 'team');
  const one = await connect({ throttle });
  const other = await connect({ throttle });
  await Promise.all([one.client.senders.list(), other.client.senders.list(), one.client.senders.list()]);
  const controller = new AbortController();
  const fourth = failureOf(other.client.senders.list({ signal: controller.signal }));
  const fifth = await errorOf(one.client.senders.list({ totalTimeout: 100 }));
  const timeout = { name: 'TimeoutError', limit: 'totalTimeout', phase: 'queue', outcome: 'not-sent' };
  expect(fifth).toMatchObject(timeout);
  controller.abort('enough');
  expect(await fourth).toBe('enough');
  expect(one.server.received.length + other.server.received.length).toBe(3);
  await limiter.delete('team');
  expect(await other.client.senders.list()).toHaveLength(1);
});

test('fails a call if the store of the limiter cannot be reached', async () => {
  const unreachable = { consume: () => Promise.reject(new Error('the store is down')) };
  const throttle = sharedLimiter(unreachable as unknown as RateLimiterAbstract, 'team');
  const { server, client } = await connect({ throttle });
  expect(await errorOf(client.senders.list())).toMatchObject({ outcome: 'not-sent' });
  expect(server.received).toHaveLength(0);
});
