import type { TimeoutPhase } from '../../errors.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { CallOptions, ResolvedCallOptions } from '../options/call-options.ts';
import type { OptionRules } from '../options/rules.ts';
import type { Failure } from '../response/failure.ts';
import type { ReadOptions, Success } from '../response/read-response.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { HttpResponse, Transport } from '../transport/transport.ts';
import type { Validation } from './operation.ts';
import type { RetryBudget } from './retry-policy.ts';
import type { Drift, Telemetry } from './telemetry.ts';

/** One interface of a service: its URL, its transport, and the reader of its responses. */
export interface Endpoint {
  /** Base URL without a trailing slash. Its host names the service in messages. */
  readonly url: URL;
  /** Query that every request carries, encoded and without `?`; empty for none. */
  readonly query: string;
  /** Authenticates and sends one attempt. */
  readonly send: Transport;
  /** Reads a response of this interface. */
  readonly read: (response: HttpResponse, options: ReadOptions) => Success | Failure;
  /** Turns an error of the network into a failure. */
  readonly failureOf: (error: unknown, phase: TimeoutPhase, url: URL, redactor: Redactor) => Failure;
}

/** Context that all calls of a client, and of clients made from it, share. */
export interface HttpContext {
  /** Returns the interface that an operation names. Throws a `ConfigurationError` if an option of it is missing. */
  readonly endpointOf: (api: string) => Endpoint;
  /** Absent without a `throttle`. */
  readonly rateLimiter: RateLimiter | undefined;
  readonly retryBudget: RetryBudget;
  readonly redactor: Redactor;
  /** Operations and paths whose drift was reported. */
  readonly reportedDrift: Set<string>;
}

/** Defaults of the calls of one client, which another client made from it can change. */
export interface HttpDefaults {
  readonly call: ResolvedCallOptions;
  readonly validation: Validation;
  /** Largest response that is read, in bytes. */
  readonly maxResponseBytes: number;
  readonly telemetry: Telemetry;
  readonly onDrift: (drift: Drift) => void;
  /** Rules of the options of a call. */
  readonly callOptionRules: OptionRules<keyof CallOptions>;
}
