import type { ClientOptions } from '../options.ts';

/** Options of the keyless client. Those it shares with the full client mean the same here. */
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
  /** Where your `createProxyHandler` answers: a path such as `/api/email-marketing`, or a whole URL. */
  readonly url: string;
}
