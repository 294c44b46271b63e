import type { CallOptions, ResolvedCallOptions } from './call-options.ts';
import type { ConnectedEndpoint } from './endpoint.ts';
import type { RateLimiter } from './limits/rate-limiter.ts';
import type { Validation } from './operation.ts';
import type { RetryBudget } from './retry-policy.ts';
import type { Redaction } from './secrets/redactor.ts';
import type { Drift, Telemetry } from './telemetry.ts';

/** Context that all calls of a client, and of clients made from it, share. */
export interface HttpContext {
  /** Interfaces by the name that operations give. One that lacks an option throws when it is read. */
  readonly endpoints: Readonly<Record<string, ConnectedEndpoint>>;
  /** Absent without a `throttle`. */
  readonly rateLimiter: RateLimiter | undefined;
  readonly retryBudget: RetryBudget;
  readonly redactor: Redaction;
}

/** Defaults of the calls of one client, which another client made from it can change. */
export interface HttpDefaults {
  readonly call: ResolvedCallOptions;
  readonly validation: Validation;
  /** Largest response that is read, in bytes. */
  readonly maxResponseBytes: number;
  readonly telemetry: Telemetry;
  readonly onDrift: (drift: Drift) => void;
  /** Checks the options of a call, and merges them over the defaults. */
  readonly resolve: (
    operation: string,
    defaults: ResolvedCallOptions,
    own: CallOptions,
  ) => ResolvedCallOptions;
}
