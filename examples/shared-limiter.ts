/** Many machines, one pace: rate-limiter-flexible keeps the count, in Redis or elsewhere, and each client asks it first. */
import { setTimeout } from 'node:timers/promises';
import { EmailMarketingClient, type ThrottleLimiter } from 'email-marketing-client';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Waits until `limiter` lets another request of this team go. */
export function sharedLimiter(limiter: RateLimiterAbstract, team: string): ThrottleLimiter {
  return {
    async acquire(signal) {
      for (;;) {
        const refusal = await limiter.consume(team).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (refusal === undefined) return;
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        await setTimeout(refusal.msBeforeNext, undefined, { signal });
      }
    },
  };
}

// On many machines: new RateLimiterRedis({ storeClient: redis, points: 10, duration: 1 })
const limiter = new RateLimiterMemory({ points: 10, duration: 1 });

const client = new EmailMarketingClient({ throttle: sharedLimiter(limiter, 'my-team') });
console.log((await client.lists.list()).length);
