import type { HttpResponse } from './http-response.ts';
import type { Failure } from './response/failure.ts';
import type { ReadOptions, Success } from './response/read-response.ts';
import type { AttemptSender } from './send.ts';

/** Facts that the authentication of an attempt can use. */
interface AuthenticationContext {
  /** `true` if an earlier attempt of the call ended with an unknown outcome. */
  readonly mayHaveActed: boolean;
}

/** Headers by name. */
export type HeaderRecord = Readonly<Record<string, string>>;

/** Returns the headers that authenticate one attempt. */
export type Authenticate = (context: AuthenticationContext) => HeaderRecord | Promise<HeaderRecord>;

/** One interface of a service: where it is, and how a request is authenticated there. */
export interface Endpoint {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /** Query that every request carries, encoded and without `?`; empty for none. */
  readonly query: string;
  /** Headers that authenticate each attempt, or a function that returns them. */
  readonly authentication: HeaderRecord | Authenticate;
  /** Sends one attempt. */
  readonly send: AttemptSender;
  /** Reads a response of this interface. */
  readonly read: (response: HttpResponse, options: ReadOptions) => Success | Failure;
}

/** An {@link Endpoint} with what is derived from it once. */
export interface ConnectedEndpoint extends Endpoint {
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
export function connect(endpoint: Endpoint): ConnectedEndpoint {
  const { origin, host, hostname, port, protocol, pathname } = new URL(endpoint.baseUrl);
  return {
    ...endpoint,
    origin,
    host,
    address: `${hostname}:${port || defaultPorts[protocol]}`,
    basePath: pathname.replace(/\/$/, ''),
  };
}
