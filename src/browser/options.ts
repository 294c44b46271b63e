import type { HttpDefaults } from '../http/call/context.ts';
import { aHooksObject, reportTo } from '../http/call/telemetry.ts';
import { callDefaults, callOptionRules, mergeCallOptions } from '../http/options/call-options.ts';
import { aFunction, anything, type OptionRules } from '../http/options/rules.ts';
import type { ClientOptions } from '../options.ts';

/** Options of the browser client. Those that it shares with `EmailMarketingClient` have the same meaning. */
export interface BrowserClientOptions
  extends Pick<ClientOptions, 'fetch' | 'headers' | 'hooks' | 'maxRetries' | 'timeout' | 'totalTimeout'> {
  /** Address of your `createProxyHandler`: a path such as `/api/email-marketing`, or a whole URL. */
  readonly url: string;
}

/** Rules of the options of a client; `url` is checked when it is read. */
export function browserOptionRules(): OptionRules<keyof BrowserClientOptions> {
  const { signal: _, ...rules } = callOptionRules;
  return { url: anything, fetch: aFunction, ...rules, hooks: aHooksObject };
}

/** Creates the defaults of a client's calls from valid options. The handler's client has checked every response. */
export const makeBrowserDefaults = (options: BrowserClientOptions): HttpDefaults => ({
  call: mergeCallOptions(callDefaults, options),
  validation: 'off',
  maxResponseBytes: Number.POSITIVE_INFINITY,
  report: reportTo(options.hooks),
  reportDrift: () => {},
});
