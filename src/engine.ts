import * as config from './config.ts';
import type { Engine } from './core/call.ts';
import type { Send } from './core/http.ts';
import { logLevels, Observer } from './core/observe.ts';
import type { CallOptions, ResolvedOptions } from './core/options.ts';
import { RetryBudget } from './core/retry.ts';
import { Gate } from './core/throttle.ts';
import type { ClientOptions } from './options.ts';
import { version } from './version.ts';

/** Makes what all calls of a client share. */
export function makeEngine(
  { throttle, maxResponseBytes, hooks, logger, logLevel }: ClientOptions,
  send: Send,
): Engine {
  const level = config.oneOf(
    'logLevel (or environment variable EMAIL_MARKETING_LOG)',
    logLevel ?? config.environment('log'),
    logLevels,
    'warn',
  );
  return {
    send,
    gate: new Gate(config.throttle(throttle)),
    budget: new RetryBudget(),
    observer: new Observer(hooks, logger, level),
    maxBytes: config.count('maxResponseBytes', maxResponseBytes, 10_000_000, 1),
    alwaysHold: throttle !== undefined,
  };
}

/** The options of a client's calls, where a call has none of its own. */
export function makeDefaults(options: CallOptions): ResolvedOptions {
  const agent = config.isBrowser() ? {} : { 'user-agent': `email-marketing-client/${version}` };
  const standard: ResolvedOptions = {
    signal: undefined,
    timeout: 30_000,
    totalTimeout: Number.POSITIVE_INFINITY,
    maxRetries: 2,
    headers: { accept: 'application/json', ...agent },
  };
  return override(standard, options);
}

/** The client's options with those of one call over them. */
export function override(defaults: ResolvedOptions, own: CallOptions | undefined): ResolvedOptions {
  if (!own) return defaults;
  return {
    signal: own.signal,
    timeout: config.milliseconds('timeout', own.timeout, defaults.timeout),
    totalTimeout: config.milliseconds('totalTimeout', own.totalTimeout, defaults.totalTimeout),
    maxRetries: config.count('maxRetries', own.maxRetries, defaults.maxRetries, 0),
    headers: own.headers ? { ...defaults.headers, ...config.headers(own.headers) } : defaults.headers,
  };
}
