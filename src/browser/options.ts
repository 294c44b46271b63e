import { aFunction, anObject, anything, type OptionRules } from '../http/option-rules.ts';
import { defaultOptionRules as rules } from '../option-defaults.ts';
import type { ClientOptions } from '../options.ts';

/** Options of the keyless client. Those that it shares with the full client have the same meaning. */
export interface BrowserClientOptions
  extends Pick<
    ClientOptions,
    | 'fetch'
    | 'headers'
    | 'hooks'
    | 'logger'
    | 'logLevel'
    | 'maxResponseBytes'
    | 'maxRetries'
    | 'throttle'
    | 'timeout'
    | 'totalTimeout'
  > {
  /** Address of your `createProxyHandler`: a path such as `/api/email-marketing`, or a whole URL. */
  readonly url: string;
}

/** Rules of the options. */
export const browserOptionRules: OptionRules<keyof BrowserClientOptions> = {
  url: anything,
  fetch: aFunction,
  headers: rules.headers,
  hooks: rules.hooks,
  logger: rules.logger,
  logLevel: rules.logLevel,
  maxResponseBytes: rules.maxResponseBytes,
  maxRetries: rules.maxRetries,
  throttle: anObject,
  timeout: rules.timeout,
  totalTimeout: rules.totalTimeout,
};
