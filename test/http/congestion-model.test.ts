import { describe, expect, test } from 'vitest';
import { everyNthRefused, limitPerSecond, refusedAtRandom } from '../bench/storms/service.ts';
import { inVirtualTime, now } from '../bench/storms/virtual-time.ts';
import { LimitedService, PatientClient, tokenBucket } from './limited-service.ts';

/** Every property holds for each of these: they decide on latencies, jitter and random refusals. */
const seeds = Array.from({ length: 10 }, (_, index) => index + 1);

const forEachSeed = async (scenario: () => Promise<void>) => {
  for (const seed of seeds) await inVirtualTime(seed, scenario);
};

const throttles = [{ requestsPerSecond: 100 }, { concurrency: 10 }];

describe('a client with a throttle', { timeout: 60_000 }, () => {
  test.each(throttles)('%o makes 40 calls in 12 s where every second request is refused', throttle =>
    forEachSeed(async () => {
      await new PatientClient(new LimitedService(everyNthRefused(2)), throttle).burst(40);
      expect(now()).toBeLessThan(12);
    }),
  );

  test.each(throttles)('%o makes 500 calls in 60 s where every second request is refused', throttle =>
    forEachSeed(async () => {
      await new PatientClient(new LimitedService(everyNthRefused(2)), throttle).burst(500);
      expect(now()).toBeLessThan(60);
    }),
  );

  test.each(throttles)('%o makes 500 calls in 20 s where every tenth is refused at random', throttle =>
    forEachSeed(async () => {
      await new PatientClient(new LimitedService(refusedAtRandom(0.1)), throttle).burst(500);
      expect(now()).toBeLessThan(20);
    }),
  );

  test.each([
    ['seconds of the clock', 10, 15],
    ['seconds of the clock', 10, 100],
    ['seconds of the clock', 50, 100],
    ['tokens', 10, 20],
    ['tokens', 50, 100],
  ] as const)('finds a limit by %s of %d per second at %d requests per second', (kind, limit, rate) =>
    forEachSeed(async () => {
      const policy = kind === 'tokens' ? tokenBucket(limit) : limitPerSecond(() => limit);
      const service = new LimitedService(policy);
      await new PatientClient(service, { requestsPerSecond: rate }).keepBusy(rate, 60);
      expect(service.refusedShare(10, 60)).toBeLessThan(0.25);
      expect(service.acceptedPerSecond(10, 60)).toBeGreaterThan(limit * 0.75);
    }),
  );

  test('follows a limit that falls from 10 to 2 per second and rises again', async () => {
    const refusedShares: number[] = [];
    await forEachSeed(async () => {
      const service = new LimitedService(limitPerSecond(second => (second >= 30 && second < 60 ? 2 : 10)));
      await new PatientClient(service, { requestsPerSecond: 20 }).keepBusy(20, 120);
      refusedShares.push(service.refusedShare(40, 60));
      expect(service.acceptedPerSecond(90, 120)).toBeGreaterThan(7.5);
    });
    const mean = refusedShares.reduce((sum, share) => sum + share, 0) / refusedShares.length;
    expect(mean).toBeLessThan(0.4);
  });

  test('shares a limit with three others in equal parts', () =>
    forEachSeed(async () => {
      const service = new LimitedService(tokenBucket(40));
      const clients = Array.from({ length: 4 }, () => new PatientClient(service, { concurrency: 10 }));
      const shares = await Promise.all(clients.map(client => client.keepBusy(8, 120)));
      expect(service.refusedShare(0, 120)).toBeLessThan(0.25);
      expect(Math.min(...shares)).toBeGreaterThan(Math.max(...shares) / 2);
    }));
});
