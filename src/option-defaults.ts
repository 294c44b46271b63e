import { environmentVariables, fromEnvironment, keyHeaders } from './credentials.ts';
import { ConfigurationError, InvalidRequestError } from './errors.ts';
import type { CallOptions, ResolvedCallOptions } from './http/call-options.ts';
import type { HttpDefaults } from './http/http-context.ts';
import * as check from './http/option-checks.ts';
import { type Drift, type Hooks, logLevels, Telemetry } from './http/telemetry.ts';
import type { DefaultOptions } from './options.ts';
import { version } from './version.ts';

/** Time limit of one attempt, in milliseconds: longer than any response that was seen. */
const defaultTimeoutMs = 30_000;

/** Retries of a call: enough for a short outage, few enough not to prolong a long one. */
const defaultMaxRetries = 2;

/** Largest response that is read, in bytes: a page of 500 records of 20 kB. */
const defaultMaxResponseBytes = 10_000_000;

const callOptionNames = {
  signal: true,
  timeout: true,
  totalTimeout: true,
  maxRetries: true,
  headers: true,
} satisfies Record<keyof CallOptions, true>;

/** Options that a client and one made by `withOptions` have in common. */
export const defaultOptionNames = {
  timeout: true,
  totalTimeout: true,
  maxRetries: true,
  headers: true,
  validation: true,
  onDrift: true,
  maxResponseBytes: true,
  hooks: true,
  logger: true,
  logLevel: true,
} satisfies Record<keyof DefaultOptions, true>;

/** Says whether this is a page or a worker of a browser, where nothing is secret. */
export function isBrowser(): boolean {
  const { document, navigator } = globalThis as { document?: unknown; navigator?: { userAgent?: string } };
  return document !== undefined || /^Mozilla\//.test(navigator?.userAgent ?? '');
}

function standardCallOptions(): ResolvedCallOptions {
  const userAgent = isBrowser() ? {} : { 'user-agent': `email-marketing-client/${version}` };
  return {
    signal: undefined,
    timeout: defaultTimeoutMs,
    totalTimeout: Number.POSITIVE_INFINITY,
    maxRetries: defaultMaxRetries,
    headers: { accept: 'application/json', ...userAgent },
  };
}

/** Merges the options of a call over the defaults. */
function mergeCallOptions(defaults: ResolvedCallOptions, own: CallOptions): ResolvedCallOptions {
  return {
    signal: check.abortSignal('signal', own.signal),
    timeout: check.milliseconds('timeout', own.timeout, defaults.timeout),
    totalTimeout: check.milliseconds('totalTimeout', own.totalTimeout, defaults.totalTimeout),
    maxRetries: check.wholeNumber('maxRetries', own.maxRetries, defaults.maxRetries, 0),
    headers:
      own.headers === undefined
        ? defaults.headers
        : { ...defaults.headers, ...check.headers(own.headers, keyHeaders) },
  };
}

/** Merges the options of a call over the defaults. Throws `InvalidRequestError` where one cannot be used. */
function resolveCallOptions(
  operation: string,
  defaults: ResolvedCallOptions,
  own: CallOptions | undefined,
): ResolvedCallOptions {
  if (own === undefined) return defaults;
  try {
    check.checkNames(own, Object.keys(callOptionNames), 'the call');
    return mergeCallOptions(defaults, own);
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    const path = error.option === undefined ? 'options' : `options.${error.option}`;
    const issue = { path, expected: error.message, received: 'another value' };
    throw new InvalidRequestError(`${operation}: ${error.message}`, { operation, issues: [issue] });
  }
}

/** Makes the defaults of a client's calls from its options. */
export function makeDefaults(options: DefaultOptions): HttpDefaults {
  const { hooks, logLevel, validation, onDrift, maxResponseBytes } = options;
  const logger = check.logger(options.logger);
  const levelOption = `logLevel (or environment variable ${environmentVariables.logLevel})`;
  const givenLevel = logLevel === undefined ? fromEnvironment('logLevel') : logLevel;
  const level = check.oneOf(levelOption, givenLevel, logLevels, 'warn');
  const telemetry = new Telemetry(checkHooks(hooks), logger, level);
  const logDrift = (drift: Drift) =>
    telemetry.log('warn', `${drift.operation}: the response differs from what is documented`, drift);
  return {
    call: mergeCallOptions(standardCallOptions(), options),
    validation: check.oneOf('validation', validation, ['report', 'strict', 'off'], 'report'),
    maxResponseBytes: check.wholeNumber('maxResponseBytes', maxResponseBytes, defaultMaxResponseBytes, 1),
    telemetry,
    onDrift: check.callable('onDrift', onDrift) ?? logDrift,
    resolve: resolveCallOptions,
  };
}

const hookNames = {
  onRequest: true,
  onResponse: true,
  onRetry: true,
  onError: true,
} satisfies Record<keyof Hooks, true>;

/** Reads each hook once, so that a getter that throws does so when the client is made. */
function checkHooks(hooks: Hooks | undefined): Hooks {
  if (hooks === undefined) return {};
  check.members('hooks', hooks);
  check.checkNames(hooks, Object.keys(hookNames), 'hooks');
  try {
    const { onRequest, onResponse, onRetry, onError } = hooks;
    for (const [name, hook] of Object.entries({ onRequest, onResponse, onRetry, onError }))
      check.callable(`hooks.${name}`, hook);
    return { onRequest, onResponse, onRetry, onError };
  } catch (error) {
    if (ConfigurationError.isInstance(error)) throw error;
    throw new ConfigurationError('Option hooks cannot be read.', { option: 'hooks', cause: error });
  }
}
