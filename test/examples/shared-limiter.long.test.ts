import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { expect, test } from 'vitest';
import { sharedLimiter } from '../../examples/shared-limiter.ts';
import { EmailMarketingClient } from '../../src/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { redisServer, skipsWithout } from '../support/programs.ts';
import { startRedis } from '../support/redis.ts';

const points = 30;

const optionsOf = ({ apiKey, teamId, fetch }: Sandbox) => ({
  baseUrl: 'https://sandbox.test',
  apiKey,
  teamId,
  fetch,
});

test.skipIf(skipsWithout(redisServer))(
  'clients with connections of their own share one limit in Redis',
  async () => {
    await using redis = await startRedis();
    const sandbox = createSandbox();
    const connections = Array.from({ length: 3 }, () => new Redis(redis.url));
    const clients = connections.map(storeClient => {
      const limiter = new RateLimiterRedis({ storeClient, points, duration: 1 });
      return new EmailMarketingClient({ ...optionsOf(sandbox), throttle: sharedLimiter(limiter, 'team') });
    });
    const calls = Array.from({ length: 3 * points }, (_, index) =>
      clients[index % clients.length]?.senders.list(),
    );
    await Promise.all(calls);
    const times = sandbox.requests.to('GET /sender').map(({ time }) => Date.parse(time));
    expect(times).toHaveLength(3 * points);
    expect(times.filter(time => time < (times[0] ?? 0) + 1000).length).toBeLessThanOrEqual(2 * points);
    for (const connection of connections) connection.disconnect();
  },
);

test.skipIf(skipsWithout(redisServer))(
  'a call fails where the store of the limiter cannot be reached',
  async () => {
    const storeClient = new Redis('redis://127.0.0.1:1', { lazyConnect: true, maxRetriesPerRequest: 0 });
    storeClient.on('error', () => {});
    const limiter = new RateLimiterRedis({ storeClient, points, duration: 1 });
    const sandbox = createSandbox();
    const client = new EmailMarketingClient({
      ...optionsOf(sandbox),
      throttle: sharedLimiter(limiter, 'team'),
    });
    await expect(client.senders.list()).rejects.toThrow();
    expect(sandbox.requests.count()).toBe(0);
    storeClient.disconnect();
  },
);
