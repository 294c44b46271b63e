import type { ClientOptions } from '../options.ts';

/** Options of the browser client. Those that it shares with `EmailMarketingClient` have the same meaning. */
export interface BrowserClientOptions
  extends Pick<
    ClientOptions,
    'fetch' | 'headers' | 'hooks' | 'logger' | 'logLevel' | 'maxRetries' | 'timeout' | 'totalTimeout'
  > {
  /** Address of your `createProxyHandler`: a path such as `/api/email-marketing`, or a whole URL. */
  readonly url: string;
}
