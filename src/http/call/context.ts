import type { Issue, TimeoutPhase } from '../../errors.ts';
import type { ResolvedCallOptions } from '../options/call-options.ts';
import type { RateLimiter } from '../rate-limiter.ts';
import type { Redaction } from '../redactor.ts';
import type { Failure } from '../response/failure.ts';
import type { Success } from '../response/read-response.ts';
import type { HttpResponse, Transport } from '../transport/transport.ts';
import type { EncodedRequest, Operation, Validation } from './operation.ts';
import type { RetryBudget } from './retry-policy.ts';
import type { Report } from './telemetry.ts';

/**
 * One interface of the service, which `makeEndpoints` of `client.ts` creates, or a handler, which `handlerEndpoint` of
 * `browser/` creates: its URL, the form of its requests and responses, and its transport.
 */
export interface Endpoint {
  /** Base URL without a trailing slash. Its host names the service in messages. */
  readonly url: URL;
  /** `true` if it performs a call once, even if several requests of that call arrive. */
  readonly performsOnce: boolean;
  readonly encode: (operation: Operation, input: unknown) => EncodedRequest;
  /** Authenticates and sends one attempt: of the service, by `kyTransport`. */
  readonly send: Transport;
  /** Reads a response, without secrets: of the service, by `readResponse`. */
  readonly read: (response: HttpResponse, operation: Operation) => Success | Failure;
  /** Turns what an attempt threw into a failure. In the phase `queue`, it is not an error of the network. */
  readonly failureOf: (error: unknown, phase: TimeoutPhase) => Failure;
}

/** Context that all calls of a client, and of clients made from it, share. */
export interface HttpContext {
  /** Returns the interface that an operation names. */
  readonly endpointOf: (api: string) => Endpoint;
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
  /** Reports what calls do to hooks and the log. */
  readonly report: Report;
  /** Reports how a usable response differs from what is documented. */
  readonly reportDrift: (operation: string, drift: readonly Issue[]) => void;
}
