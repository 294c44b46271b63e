import type { Call, CallSettings } from '../call/call-state.ts';
import type { Drift } from '../call/hooks.ts';
import type { Redactor } from '../core/redactor.ts';
import type { Validation } from '../schemas/lenient-parser.ts';
import type { Transport } from '../transport/fetch.ts';
import type { Endpoint } from './endpoint.ts';

/** A call of the full client. */
export type ServiceCall<Output = unknown> = Call<Endpoint<never, Output>, ServiceSettings>;

/** Settings that all calls of a client share. */
export interface ServiceSettings extends CallSettings {
  readonly rest: ServiceApi;
  readonly legacy: ServiceApi;
  /** Name of the query parameter that searches contacts. */
  readonly contactSearch: string;
  /**
   * Sends requests: through the option `fetch`, or else `#transport`, which is `transport/node.ts` on Node and
   * `transport/fetch.ts` elsewhere (`imports` in package.json).
   */
  readonly transport: Transport;
  /** Maximum size of a response, in bytes. */
  readonly maxResponseBytes: number;
  readonly redactor: Redactor;
  readonly validation: Validation;
  readonly onDrift: (drift: Drift) => void;
  /** Operations and paths whose drift has been reported. */
  readonly reportedDrift: Set<string>;
}

/** One of the two APIs of the service: its address and credentials. */
export interface ServiceApi {
  /** Base URL without a trailing slash. */
  readonly url: URL;
  /** Query of every request, encoded and without `?`; empty for none. */
  readonly query: string;
  /** Headers of every request, without the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Header that contains the key. */
  readonly keyHeader: string;
  readonly key: string | ((request: { readonly refused: boolean }) => Promise<string>);
}
