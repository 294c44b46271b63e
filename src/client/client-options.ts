import { type CallOptions, defaultCallRules } from '../call/call-options.ts';
import { aHooksOption, type Drift, type Hooks } from '../call/hooks.ts';
import { aLogger, createLog, type Logger, type LogLevel, logLevels } from '../call/log.ts';
import { aThrottle, type ThrottleLimiter, type ThrottleLimits } from '../call/throttle-limits.ts';
import { aBoolean, aFunction, aWholeNumber, type OptionRules, oneOf } from '../core/option-rules.ts';
import type { Validation } from '../schemas/lenient-parser.ts';
import type { FetchFunction } from '../transport/fetch.ts';
import { type ApiKey, accountRules } from './credentials.ts';

/** Options that `client.withOptions` can change. */
export interface DefaultOptions extends Omit<CallOptions, 'signal'> {
  /**
   * How responses are compared with the documentation. `report` throws if a record is unusable and calls `onDrift` for
   * other mismatches; `strict` throws at any mismatch.
   * @defaultValue 'report'
   */
  readonly validation?: Validation | undefined;
  /**
   * Called once for each field of an operation that differs from the documentation.
   * @defaultValue a `warn` log line
   */
  readonly onDrift?: ((drift: Drift) => void) | undefined;
  /**
   * Maximum size of a response, in bytes.
   * @defaultValue 10 000 000
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Functions to call before each attempt, and when a call is retried, succeeds or fails. Those in an array are called
   * in order.
   */
  readonly hooks?: Hooks | readonly Hooks[] | undefined;
  /**
   * Receives the log lines.
   * @defaultValue `console`
   */
  readonly logger?: Logger | undefined;
  /**
   * Minimum level to log.
   * @defaultValue the environment variable `EMAIL_MARKETING_LOG`, or 'warn'
   */
  readonly logLevel?: LogLevel | undefined;
}

/**
 * Options of a client. An option whose default is an environment variable can be left out if that variable is set. The
 * options of the account (`baseUrl`, `apiKey`, `teamId` and the legacy ones) cannot be `undefined`, because an unset
 * variable would silently select another account.
 */
export interface ClientOptions extends DefaultOptions {
  /**
   * Base URL of the service, such as `https://api.example.com`. `http:` is accepted only for localhost, unless
   * `dangerouslyAllowHttp` is set. The library adds `/api/v1/rest` to it.
   * @defaultValue the environment variable `EMAIL_MARKETING_BASE_URL`
   */
  readonly baseUrl?: string;
  /**
   * API key of the team, or a function that returns it, or a promise for it, for each request.
   * @defaultValue the environment variable `EMAIL_MARKETING_API_KEY`
   */
  readonly apiKey?: ApiKey;
  /**
   * Base URL of the legacy interface. The library adds `/api/v1` to it.
   * @defaultValue the environment variable `EMAIL_MARKETING_LEGACY_BASE_URL`, unless `baseUrl` is given; otherwise
   * `baseUrl`
   */
  readonly legacyBaseUrl?: string;
  /**
   * API key for the legacy interface, or a function that returns it.
   * @defaultValue the environment variable `EMAIL_MARKETING_LEGACY_API_KEY`, unless `apiKey` is given; otherwise
   * `apiKey`
   */
  readonly legacyApiKey?: ApiKey;
  /**
   * Id of the team. Only `client.legacy` needs it.
   * @defaultValue the environment variable `EMAIL_MARKETING_TEAM_ID`, unless `apiKey` is given
   */
  readonly teamId?: string;
  /**
   * Name of the query parameter that searches contacts. The service does not document it.
   * @defaultValue the environment variable `EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER`, or 'search'
   */
  readonly contactSearchParameter?: string | undefined;
  /**
   * Replacement for the runtime's `fetch`. It is called with a URL and an options object.
   * @defaultValue the global `fetch`, looked up at each request
   */
  readonly fetch?: FetchFunction | undefined;
  /**
   * Limits on all calls of this client together, or your own rate limiter, which several machines can share.
   * @defaultValue none
   */
  readonly throttle?: ThrottleLimits | ThrottleLimiter | undefined;
  /**
   * Allows a key in a browser, where every visitor can read it. Prefer `createBrowserClient` from `/browser`.
   * @defaultValue false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * Allows `http:` in base URLs for every host, such as a sandbox in another container. Anyone on the network can read
   * the key.
   * @defaultValue the environment variable `EMAIL_MARKETING_DANGEROUSLY_ALLOW_HTTP`, or false
   */
  readonly dangerouslyAllowHttp?: boolean | undefined;
}

/** Defaults of the options that {@link callDefaults} does not cover. A test compares both with the doc comments. */
export const defaults = {
  validation: 'report',
  maxResponseBytes: 10_000_000,
  logLevel: 'warn',
} as const satisfies ClientOptions;

/** Rules of the options that `withOptions` accepts. */
export const defaultOptionRules = (): OptionRules<keyof DefaultOptions> => ({
  ...defaultCallRules,
  validation: oneOf(['report', 'strict']),
  onDrift: aFunction,
  maxResponseBytes: aWholeNumber(1),
  hooks: aHooksOption,
  logger: aLogger,
  logLevel: oneOf(logLevels),
});

/** Rules of the options of a client. */
export const clientOptionRules = (options: ClientOptions): OptionRules<keyof ClientOptions> => ({
  ...defaultOptionRules(),
  ...accountRules(options),
  fetch: aFunction,
  throttle: aThrottle(),
  dangerouslyAllowBrowser: aBoolean,
});

/** Returns `true` in a web page or browser worker, where visitors can read any key. */
export function isBrowser(): boolean {
  const { document, navigator } = globalThis as { document?: unknown; navigator?: { userAgent?: string } };
  return document !== undefined || /^Mozilla\//.test(String(navigator?.userAgent));
}

/** Returns the settings for the options that `withOptions` accepts, except call options. */
export function settingsOf({
  hooks = [],
  logger = console,
  logLevel = defaults.logLevel,
  onDrift,
  validation = defaults.validation,
  maxResponseBytes = defaults.maxResponseBytes,
}: DefaultOptions) {
  const log = createLog(logger, logLevel);
  return { hooks: [hooks, log.hooks].flat(), onDrift: onDrift ?? log.onDrift, validation, maxResponseBytes };
}
