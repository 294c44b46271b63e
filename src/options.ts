import type { Drift, Hooks, Logger, LogLevel } from './core/observe.ts';
import type { Validation } from './core/operation.ts';
import type { CallOptions } from './core/options.ts';
import type { ThrottleLimiter, ThrottleLimits } from './core/throttle.ts';

/** A key, or a function that gives the key for each request, so that it can be fetched late and changed. */
export type ApiKey = string | (() => string | Promise<string>);

/** Options of a client. Those with an environment variable may be left out where it is set. */
export interface ClientOptions extends Omit<CallOptions, 'signal'> {
  /** The service's `{base_url}`: `https:`, or `http:` on this machine alone. Else `EMAIL_MARKETING_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** The team's API key. Else `EMAIL_MARKETING_API_KEY`. */
  readonly apiKey?: ApiKey | undefined;
  /** The legacy interface's `{legacy_base_url}`. Else `EMAIL_MARKETING_LEGACY_BASE_URL`, else `baseUrl`. */
  readonly legacyBaseUrl?: string | undefined;
  /** The legacy interface's key. Else `EMAIL_MARKETING_LEGACY_API_KEY`, else `apiKey`. */
  readonly legacyApiKey?: ApiKey | undefined;
  /** The team's id, for `client.legacy` alone. Else `EMAIL_MARKETING_TEAM_ID`. */
  readonly teamId?: string | undefined;
  /**
   * A `fetch` to use in place of the runtime's own. It is called with a URL as text and an options object.
   * @defaultValue the global `fetch`, looked up at each request
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * How answers are held against what is documented. `report` throws where a record is of no use and tells `onDrift`
   * of the rest; `strict` throws at any difference; `off` checks only that it is JSON.
   * @defaultValue 'report'
   */
  readonly validation?: Validation | undefined;
  /**
   * Told once of each place where an operation's answers differ from what is documented.
   * @defaultValue a `warn` log line
   */
  readonly onDrift?: ((drift: Drift) => void) | undefined;
  /**
   * Bounds on all calls of this client together, or a limiter of your own that many machines share.
   * @defaultValue none
   */
  readonly throttle?: ThrottleLimits | ThrottleLimiter | undefined;
  /**
   * The largest answer that is read, in bytes.
   * @defaultValue 10 000 000
   */
  readonly maxResponseBytes?: number | undefined;
  /** Functions to call along each attempt. */
  readonly hooks?: Hooks | undefined;
  /**
   * Where log lines go.
   * @defaultValue `console`
   */
  readonly logger?: Logger | undefined;
  /**
   * How much is logged. Else `EMAIL_MARKETING_LOG`.
   * @defaultValue 'warn'
   */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Allows a key in a browser, where every visitor can read it. Use the entry point `/browser` instead.
   * @defaultValue false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}
