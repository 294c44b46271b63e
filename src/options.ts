import type { Validation } from './http/call/operation.ts';
import type { Drift, Hooks, Logger, LogLevel } from './http/call/telemetry.ts';
import type { CallOptions } from './http/call-options.ts';
import type { ThrottleLimiter, ThrottleLimits } from './http/limits/rate-limiter.ts';
import type { FetchFunction } from './http/transport/fetch-transport.ts';

/** A key, or a function that returns the key for each request, so that it can be loaded late and rotated. */
export type ApiKey = string | (() => string | Promise<string>);

/** Options that `client.withOptions` can change. */
export interface DefaultOptions extends Omit<CallOptions, 'signal'> {
  /**
   * Comparison of responses with what is documented. `report` throws where a record is unusable and calls `onDrift`
   * for the rest; `strict` throws at any difference; `off` checks only that the response is JSON.
   * @defaultValue 'report'
   */
  readonly validation?: Validation | undefined;
  /**
   * Called once for each place where the responses of an operation differ from what is documented.
   * @defaultValue a `warn` log line
   */
  readonly onDrift?: ((drift: Drift) => void) | undefined;
  /**
   * Largest response that is read, in bytes.
   * @defaultValue 10 000 000
   */
  readonly maxResponseBytes?: number | undefined;
  /** Functions to call during each call: before each attempt, and when a call is retried, succeeds or fails. */
  readonly hooks?: Hooks | undefined;
  /**
   * Receives the log lines.
   * @defaultValue `console`
   */
  readonly logger?: Logger | undefined;
  /**
   * Least important level that is logged.
   * @defaultValue the environment variable `EMAIL_MARKETING_LOG`, or 'warn'
   */
  readonly logLevel?: LogLevel | undefined;
}

/** Options of a client. An option whose default is an environment variable can be left out if that variable is set. */
export interface ClientOptions extends DefaultOptions {
  /**
   * Base URL of the service, `{base_url}` in its specification, such as `https://api.example.com`. `http:` is accepted
   * for localhost alone. The library adds `/api/v1/rest` to it.
   * @defaultValue the environment variable `EMAIL_MARKETING_BASE_URL`
   */
  readonly baseUrl?: string | undefined;
  /**
   * API key of the team, or a function that returns it.
   * @defaultValue the environment variable `EMAIL_MARKETING_API_KEY`
   */
  readonly apiKey?: ApiKey | undefined;
  /**
   * Base URL of the legacy interface, `{legacy_base_url}` in the specification. The library adds `/api/v1` to it.
   * @defaultValue the environment variable `EMAIL_MARKETING_LEGACY_BASE_URL`, or `baseUrl`
   */
  readonly legacyBaseUrl?: string | undefined;
  /**
   * API key for the legacy interface, or a function that returns it.
   * @defaultValue the environment variable `EMAIL_MARKETING_LEGACY_API_KEY`, or `apiKey`
   */
  readonly legacyApiKey?: ApiKey | undefined;
  /**
   * Id of the team. Only `client.legacy` needs it.
   * @defaultValue the environment variable `EMAIL_MARKETING_TEAM_ID`
   */
  readonly teamId?: string | undefined;
  /**
   * A `fetch` to use in place of the runtime's own. It is called with a URL and an options object.
   * @defaultValue the global `fetch`, looked up at each request
   */
  readonly fetch?: FetchFunction | undefined;
  /**
   * Limits on all calls of this client together, or a rate limiter of your own that many machines share.
   * @defaultValue none
   */
  readonly throttle?: ThrottleLimits | ThrottleLimiter | undefined;
  /**
   * Allows a key in a browser, where every visitor can read it. Use `createBrowserClient` from `/browser` instead.
   * @defaultValue false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}
