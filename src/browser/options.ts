import { aFunction, anObject, anything, type OptionRules } from '../http/option-rules.ts';
import { defaultOptionRules } from '../option-defaults.ts';
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
export function browserOptionRules(): OptionRules<keyof BrowserClientOptions> {
  const { validation, onDrift, ...rules } = defaultOptionRules();
  return { url: anything, fetch: aFunction, throttle: anObject, ...rules };
}
