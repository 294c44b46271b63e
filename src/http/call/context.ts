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
export interface EndpointBase {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /** Query that every request carries, encoded and without `?`; empty for none. */
  readonly query: string;
  /** Authenticates and sends one attempt. */
  readonly send: Transport;
  /** Reads a response of this interface. */
  readonly read: (response: HttpResponse, options: ReadOptions) => Success | Failure;
  /** Turns an error of the network into a failure. */
  readonly failureOf: (
    error: unknown,
    phase: TimeoutPhase,
    endpoint: Endpoint,
    redactor: Redactor,
  ) => Failure;
}

/** An {@link EndpointBase} with what is derived from its URL once. */
export interface Endpoint extends EndpointBase {
  /** Scheme, host and port, for telemetry. */
  readonly origin: string;
  /** Host as the base URL has it, with a port other than the default one: names the service in messages. */
  readonly host: string;
  /** Host and port, for messages about connections. */
  readonly address: string;
  /** Path of the base URL, for telemetry. */
  readonly basePath: string;
}

const defaultPorts: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/** Derives from an interface what every call needs. */
export function connect(base: EndpointBase): Endpoint {
  const { origin, host, hostname, port, protocol, pathname } = new URL(base.baseUrl);
  return {
    ...base,
    origin,
    host,
    address: `${hostname}:${port || defaultPorts[protocol]}`,
    basePath: pathname.replace(/\/$/, ''),
  };
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
