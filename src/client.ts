import type { CallByName } from './call-by-name.ts';
import * as config from './config.ts';
import type { ApiPromise } from './core/api-promise.ts';
import { exchangeOver } from './core/exchange.ts';
import { beneath } from './core/node-exchange.ts';
import type { Caller } from './core/operation.ts';
import type { CallOptions } from './core/options.ts';
import { sendWithKy } from './core/send-ky.ts';
import { type Reading, Transport } from './core/transport.ts';
import { makeDefaults, makeEngine, override } from './engine.ts';
import { Redactor } from './http/redact.ts';
import type { ClientOptions } from './options.ts';
import { Resources } from './resources/index.ts';
import { type OperationName, type Operations, operations } from './resources/operations.ts';
import { makeServices } from './services.ts';

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
  readonly #call: CallByName;

  /**
   * @throws {@link ConfigurationError} when an option is missing or unusable; it says which, and which environment
   * variable would do.
   */
  constructor(options: ClientOptions = {}) {
    const call = makeCaller(options);
    super(call as Caller<Operations>);
    this.#call = call;
  }

  /** @internal */
  callByName(name: OperationName, input: unknown, options?: CallOptions | undefined): ApiPromise<unknown> {
    return this.#call(name, input, options);
  }
}

/** Makes what carries the calls of a client: one transport an interface, sharing all else. */
function makeCaller(options: ClientOptions): CallByName {
  const secrets = new Redactor(['dkimConfig', 'PrivKey']);
  const { rest, legacy } = makeServices(options, secrets);
  const exchange = exchangeOver(config.callable('fetch', options.fetch), beneath);
  const engine = makeEngine(options, sendWithKy(exchange));
  const defaults = makeDefaults(options);
  const reading: Reading = {
    validation: config.oneOf('validation', options.validation, ['report', 'strict', 'off'], 'report'),
    redact: secrets,
    onDrift:
      config.callable('onDrift', options.onDrift) ??
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
