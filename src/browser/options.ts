import { keyHeaders } from '../credentials.ts';
import { logLevels, observerRules, Telemetry } from '../http/call/telemetry.ts';
import { type CallOptions, callDefaults, mergeCallOptions } from '../http/options/call-options.ts';
import { isHeader } from '../http/options/headers.ts';
import {
  aFunction,
  anAbortSignal,
  anything,
  aTimeLimit,
  aWholeNumber,
  isOptions,
  type OptionRule,
  type OptionRules,
  oneOf,
} from '../http/options/rules.ts';
import type { ClientOptions } from '../options.ts';
import type { HandlerClientSettings } from './handler-client.ts';

/** Options of the browser client. Those that it shares with `EmailMarketingClient` have the same meaning. */
export interface BrowserClientOptions
  extends Pick<
    ClientOptions,
    'fetch' | 'headers' | 'hooks' | 'logger' | 'logLevel' | 'maxRetries' | 'timeout' | 'totalTimeout'
  > {
  /** Address of your `createProxyHandler`: a path such as `/api/email-marketing`, or a whole URL. */
  readonly url: string;
}

/** A browser sets or drops what no page may send; the rest is checked here. */
const aHeaderObject: OptionRule = {
  expected: 'an object with a text for each header name, and no key',
  isValid: headers =>
    isOptions(headers) &&
    Object.entries(headers).every(
      ([name, value]) =>
        value === undefined ||
        (isHeader(name, value) && !(keyHeaders as readonly string[]).includes(name.toLowerCase())),
    ),
};

/** Rules of the options of a call. */
const callRules = (): OptionRules<keyof CallOptions> => ({
  signal: anAbortSignal,
  timeout: aTimeLimit(),
  totalTimeout: aTimeLimit(),
  maxRetries: aWholeNumber(0),
  headers: aHeaderObject,
});

/** Rules of the options of a client; `url` is checked when it is read. */
export function browserOptionRules(): OptionRules<keyof BrowserClientOptions> {
  const { signal, ...rules } = callRules();
  return { url: anything, fetch: aFunction, ...rules, ...observerRules(), logLevel: oneOf(logLevels) };
}

/** Returns the settings of a client from valid options. */
export function readBrowserOptions(options: BrowserClientOptions, url: URL): HandlerClientSettings {
  const { fetch, hooks = {}, logger = console, logLevel = 'warn' } = options;
  return {
    ...{ url, fetch },
    defaults: mergeCallOptions(callDefaults, options),
    optionRules: callRules(),
    telemetry: new Telemetry(hooks, logger, logLevel),
  };
}
