import type { ResolvedCallOptions } from './call-options.ts';
import type { FailureSettings } from './failure.ts';
import type { Observer } from './hooks.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Settings of a client, as each of its calls gets them. `withOptions` changes options, hooks and log only. */
export interface CallSettings extends FailureSettings {
  readonly options: ResolvedCallOptions;
  readonly hooks: readonly Observer[];
  /** Absent in a browser. */
  readonly log?: Observer<[maxAttempts: number]> | undefined;
  /** Absent without a `throttle`. */
  readonly rateLimiter?: RateLimiter | undefined;
}
