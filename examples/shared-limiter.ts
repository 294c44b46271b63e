/**
 * One rate limit for many machines: rate-limiter-flexible counts requests in Redis, and each client asks it first.
 *
 *   const limiter = new RateLimiterRedis({ storeClient: new Redis(url), points: 20, duration: 1 });
 *   const client = new EmailMarketingClient({ throttle: sharedLimiter(limiter, 'my-team') });
 */
import { setTimeout } from 'node:timers/promises';
import type { ThrottleLimiter } from 'email-marketing-client';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** Maximum random addition to a wait, in milliseconds, so that waiting clients do not all ask at once. */
const spreadMs = 100;

/** Waits until `limiter` allows another request of this team. If the limiter's store fails, the call fails. */
export function sharedLimiter(limiter: RateLimiterAbstract, team: string): ThrottleLimiter {
  return {
    async acquire(signal) {
      for (;;)
        try {
          await limiter.consume(team);
          return;
        } catch (limited) {
          if (!(limited instanceof RateLimiterRes)) throw limited;
          await setTimeout(limited.msBeforeNext + Math.random() * spreadMs, undefined, { signal });
        }
    },
  };
}
