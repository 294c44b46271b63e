import { environmentVariables, fromEnvironment, keyHeaders } from './credentials.ts';
import { ConfigurationError, InvalidRequestError } from './errors.ts';
import type { HttpDefaults } from './http/call/context.ts';
import {
  type Drift,
  type Hooks,
  type LogLevel,
  loggedLevels,
  logLevels,
  Telemetry,
} from './http/call/telemetry.ts';
import { type CallOptions, callOptionRules, type ResolvedCallOptions } from './http/call-options.ts';
import { checkConfiguration, invalidOption } from './http/check-options.ts';
import { readHeaders } from './http/header-options.ts';
import {
  aFunction,
  anObject,
  anything,
  aWholeNumber,
  type OptionRule,
  type OptionRules,
  oneOf,
} from './http/option-rules.ts';
import type { DefaultOptions } from './options.ts';
import { version } from './version.ts';

/** Time limit of one attempt, in milliseconds: longer than any response that was seen. */
const defaultTimeoutMs = 30_000;

/** Retries of a call: enough for a short outage, few enough not to prolong a long one. */
const defaultMaxRetries = 2;

/** Largest response that is read, in bytes: a page of 500 records of 20 kB. */
const defaultMaxResponseBytes = 10_000_000;

/** Rules of the options that a client and one made by `withOptions` have in common. */
export function defaultOptionRules(): OptionRules<keyof DefaultOptions> {
  const { signal: _, ...callRules } = callOptionRules();
  return {
    ...callRules,
    validation: oneOf(['report', 'strict', 'off']),
    onDrift: aFunction,
    maxResponseBytes: aWholeNumber(1),
    hooks: anObject,
    logger: aLogger(),
    // It can come from the environment: `readLogLevel` checks it.
    logLevel: anything,
  };
}

const aLogger = (): OptionRule => ({
  expected: `an object with the functions ${loggedLevels.join(', ')}, as console is`,
  isValid: value =>
    loggedLevels.every(level => typeof (value as Record<string, unknown> | null)?.[level] === 'function'),
});

const hookRules: OptionRules<keyof Hooks> = {
  onRequest: aFunction,
  onResponse: aFunction,
  onRetry: aFunction,
  onError: aFunction,
};

/** Returns `true` if this is a page or a worker of a browser, where nothing is secret. */
export function isBrowser(): boolean {
  const { document, navigator } = globalThis as { document?: unknown; navigator?: { userAgent?: string } };
  return document !== undefined || /^Mozilla\//.test(String(navigator?.userAgent));
}

/** Headers of every request of the full client. An option can replace them. */
export const standardHeaders = (): Readonly<Record<string, string>> => ({
  accept: 'application/json',
  ...(!isBrowser() && { 'user-agent': `email-marketing-client/${version}` }),
});

const standardCallOptions: ResolvedCallOptions = {
  signal: undefined,
  timeout: defaultTimeoutMs,
  totalTimeout: Number.POSITIVE_INFINITY,
  maxRetries: defaultMaxRetries,
  headers: {},
};

/** Merges valid options of a call over the defaults. */
function mergeCallOptions(defaults: ResolvedCallOptions, own: CallOptions): ResolvedCallOptions {
  const { signal, timeout, totalTimeout, maxRetries, headers } = own;
  return {
    signal,
    timeout: timeout ?? defaults.timeout,
    totalTimeout: totalTimeout ?? defaults.totalTimeout,
    maxRetries: maxRetries ?? defaults.maxRetries,
    headers: headers ? { ...defaults.headers, ...readHeaders(headers, keyHeaders) } : defaults.headers,
  };
}

/** Merges the options of a call over the defaults. Throws `InvalidRequestError` where one cannot be used. */
function resolveCallOptions(
  operation: string,
  defaults: ResolvedCallOptions,
  own: CallOptions,
): ResolvedCallOptions {
  try {
    checkConfiguration('the call', own, callOptionRules());
    return mergeCallOptions(defaults, own);
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error;
    const path = error.option === undefined ? 'options' : `options.${error.option}`;
    const issue = { path, expected: error.message, received: 'another value' };
    throw new InvalidRequestError(`${operation}: ${error.message}`, { operation, issues: [issue] });
  }
}

/** Creates the defaults of a client's calls from its options, which match {@link defaultOptionRules}. */
export function makeDefaults(options: DefaultOptions): HttpDefaults {
  const {
    hooks = {},
    logger = console,
    logLevel,
    validation = 'report',
    onDrift,
    maxResponseBytes,
  } = options;
  const telemetry = new Telemetry(readHooks(hooks), logger, readLogLevel(logLevel));
  const logDrift = (drift: Drift) =>
    telemetry.log('warn', `${drift.operation}: the response differs from what is documented`, drift);
  return {
    call: mergeCallOptions(standardCallOptions, options),
    validation,
    maxResponseBytes: maxResponseBytes ?? defaultMaxResponseBytes,
    telemetry,
    onDrift: onDrift ?? logDrift,
    resolve: resolveCallOptions,
  };
}

/** Returns the log level of the option or, without it, of the environment. */
function readLogLevel(given: unknown): LogLevel {
  const level = given === undefined ? (fromEnvironment('logLevel') ?? 'warn') : given;
  const known = logLevels.find(name => name === level);
  if (known) return known;
  const option = `logLevel (or environment variable ${environmentVariables.logLevel})`;
  throw invalidOption(option, oneOf(logLevels).expected);
}

/** Reads the hooks when the client is made, so that a getter that throws does so then, and not during a call. */
function readHooks(hooks: Hooks): Hooks {
  try {
    checkConfiguration('hooks', hooks, hookRules, 'hooks.');
    const { onRequest, onResponse, onRetry, onError } = hooks;
    return { onRequest, onResponse, onRetry, onError };
  } catch (error) {
    if (ConfigurationError.isInstance(error)) throw error;
    throw new ConfigurationError('Option hooks cannot be read.', { option: 'hooks', cause: error });
  }
}
