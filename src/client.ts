import * as config from './config.ts';
import type { ApiPromise } from './core/api-promise.ts';
import type { Engine } from './core/call.ts';
import { Observer } from './core/observe.ts';
import type { Caller } from './core/operation.ts';
import type { CallOptions, ResolvedOptions } from './core/options.ts';
import { makeRedact } from './core/redact.ts';
import { RetryBudget } from './core/retry.ts';
import { sendWithKy } from './core/send-ky.ts';
import { Gate } from './core/throttle.ts';
import { type Reading, Transport } from './core/transport.ts';
import type { ClientOptions } from './options.ts';
import { type OperationName, type Operations, operations, Resources } from './resources/index.ts';
import { makeServices } from './services.ts';
import { version } from './version.ts';

/**
 * The client of the service: every operation is a method of one of its resources.
 *
 * @example
 * ```ts
 * const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'your-key' });
 * const tag = await client.tags.create({ name: 'customer' });
 * ```
 */
export class EmailMarketingClient extends Resources {
  /**
   * @throws {@link ConfigurationError} when an option is missing or unusable; it says which, and which environment
   * variable would do.
   */
  constructor(options: ClientOptions = {}) {
    super(makeCaller(options) as Caller<Operations>);
  }
}

type AnyCall = (name: OperationName, input: unknown, options: CallOptions | undefined) => ApiPromise<unknown>;

/** Makes what carries the calls of a client: one transport an interface, sharing all else. */
function makeCaller(options: ClientOptions): AnyCall {
  const secrets = new Set<string>();
  const { rest, legacy } = makeServices(options, secrets);
  const engine = makeEngine(options);
  const defaults = makeDefaults(options);
  const reading: Reading = {
    validation: options.validation ?? 'report',
    redact: text => makeRedact([...secrets], ['dkimConfig'])(text),
    onDrift:
      options.onDrift ??
      (drift =>
        engine.observer.log('warn', `${drift.operation}: the answer differs from what is documented`, drift)),
  };
  const transports = {
    rest: new Transport(rest, engine, reading),
    legacy: new Transport(legacy, engine, reading),
  };
  return (name, input, own) => {
    const operation = operations()[name];
    return transports[operation.api].call(name, operation, input, () => override(defaults, own));
  };
}

function makeEngine(options: ClientOptions): Engine {
  const {
    fetch = (url, init) => globalThis.fetch(url, init),
    throttle,
    maxResponseBytes,
    hooks,
    logger,
  } = options;
  const level = config.logLevel(options.logLevel ?? config.environment('EMAIL_MARKETING_LOG'));
  return {
    send: sendWithKy(fetch),
    gate: new Gate(throttle),
    budget: new RetryBudget(),
    observer: new Observer(hooks, logger, level),
    maxBytes: config.count('maxResponseBytes', maxResponseBytes, 10_000_000, 1),
    alwaysHold: throttle !== undefined,
  };
}

function makeDefaults(options: ClientOptions): ResolvedOptions {
  const agent = config.isBrowser() ? {} : { 'user-agent': `email-marketing-client/${version}` };
  return {
    signal: undefined,
    timeout: config.milliseconds('timeout', options.timeout, 30_000),
    totalTimeout: config.milliseconds('totalTimeout', options.totalTimeout, Number.POSITIVE_INFINITY),
    maxRetries: config.count('maxRetries', options.maxRetries, 2, 0),
    headers: { accept: 'application/json', ...agent, ...config.headers(options.headers) },
  };
}

/** The client's options with those of one call over them. */
function override(defaults: ResolvedOptions, own: CallOptions | undefined): ResolvedOptions {
  if (!own) return defaults;
  return {
    signal: own.signal,
    timeout: config.milliseconds('timeout', own.timeout, defaults.timeout),
    totalTimeout: config.milliseconds('totalTimeout', own.totalTimeout, defaults.totalTimeout),
    maxRetries: config.count('maxRetries', own.maxRetries, defaults.maxRetries, 0),
    headers: own.headers ? { ...defaults.headers, ...config.headers(own.headers) } : defaults.headers,
  };
}
