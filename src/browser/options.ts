import { keyHeaders } from '../credentials.ts';
import type { HttpDefaults } from '../http/call/context.ts';
import { logLevels, Telemetry } from '../http/call/telemetry.ts';
import { callOptionRules, mergeCallOptions, resolvedDefaults } from '../http/options/call-options.ts';
import { aFunction, anything, type OptionRules, oneOf } from '../http/options/rules.ts';
import { type ClientOptions, defaultOptionRules } from '../options.ts';

/** Options of the browser client. Those that it shares with `EmailMarketingClient` have the same meaning. */
export interface BrowserClientOptions
  extends Pick<
    ClientOptions,
    'fetch' | 'headers' | 'hooks' | 'logger' | 'logLevel' | 'maxRetries' | 'timeout' | 'totalTimeout'
  > {
  /** Address of your `createProxyHandler`: a path such as `/api/email-marketing`, or a whole URL. */
  readonly url: string;
}

/** Rules of the options; `url` is checked when it is read. */
export function browserOptionRules(): OptionRules<keyof BrowserClientOptions> {
  const { validation, onDrift, maxResponseBytes, ...rules } = defaultOptionRules();
  return { url: anything, fetch: aFunction, ...rules, logLevel: oneOf(logLevels) };
}

/** Creates the defaults of the calls from valid options. The handler has validated and bounded what it responds. */
export function makeBrowserDefaults(options: BrowserClientOptions): HttpDefaults {
  const { hooks = {}, logger = console, logLevel = 'warn' } = options;
  return {
    call: mergeCallOptions(resolvedDefaults, options),
    validation: 'off',
    maxResponseBytes: Number.POSITIVE_INFINITY,
    telemetry: new Telemetry(hooks, logger, logLevel),
    onDrift: () => {},
    callOptionRules: callOptionRules(keyHeaders),
  };
}
