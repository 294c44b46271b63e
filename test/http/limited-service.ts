// Services that refuse requests, and clients that retry them, in virtual time, for the model of congestion control.
import { RateLimiter, type Refusal, type ThrottleLimits } from '../../src/http/rate-limiter.ts';
import { retryDelayMs } from '../../src/http/retry-policy.ts';
import type { Policy } from '../bench/storms/service.ts';
import { now, pass } from '../bench/storms/virtual-time.ts';

/** A service that responds after 30 to 70 ms, and notes when it accepted and when it refused a request. */
export class LimitedService {
  readonly accepted: number[] = [];
  readonly refused: number[] = [];
  readonly #policy: Policy;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  async send(): Promise<'success' | Refusal> {
    const refused = this.#policy(this.accepted.length + this.refused.length + 1);
    (refused ? this.refused : this.accepted).push(now());
    await pass(30 + Math.random() * 40);
    return refused ? { retryAfterMs: (refused.retryAfter ?? 0) * 1_000 } : 'success';
  }

  /** Returns the share of requests that were refused from one second to another. */
  refusedShare(from: number, to: number): number {
    const refused = countBetween(this.refused, from, to);
    return refused / Math.max(1, refused + countBetween(this.accepted, from, to));
  }

  /** Returns how many requests per second were accepted from one second to another. */
  acceptedPerSecond(from: number, to: number): number {
    return countBetween(this.accepted, from, to) / (to - from);
  }
}

const countBetween = (times: readonly number[], from: number, to: number) =>
  times.filter(time => time >= from && time < to).length;

/** A client that retries each call until it succeeds. */
export class PatientClient {
  readonly #service: LimitedService;
  readonly #limiter: RateLimiter;

  constructor(service: LimitedService, throttle: ThrottleLimits) {
    this.#service = service;
    this.#limiter = new RateLimiter(throttle);
  }

  /** Makes one call. */
  async call(): Promise<void> {
    for (;;) {
      await this.#limiter.acquire();
      const result = await this.#service.send();
      this.#limiter.release(result);
      if (result === 'success') return;
      await pass(retryDelayMs(1, result.retryAfterMs));
    }
  }

  /** Makes so many calls at once. */
  async burst(calls: number): Promise<void> {
    await Promise.all(Array.from({ length: calls }, () => this.call()));
  }

  /** Keeps so many calls under way until a second of the clock. Returns how many ended. */
  async keepBusy(callsAtOnce: number, until: number): Promise<number> {
    let ended = 0;
    const work = async () => {
      for (; now() < until; ended += 1) await this.call();
    };
    await Promise.all(Array.from({ length: callsAtOnce }, work));
    return ended;
  }
}

/** Lets so many requests per second through on average, and a second's worth of them at once. */
export function tokenBucket(limit: number): Policy {
  let tokens = limit;
  let filledAt = 0;
  return () => {
    tokens = Math.min(limit, tokens + (now() - filledAt) * limit);
    filledAt = now();
    if (tokens < 1) return { status: 429, retryAfter: 1 };
    tokens -= 1;
    return undefined;
  };
}
