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

/** Names of the options. */
export const browserOptionNames = {
  url: true,
  fetch: true,
  headers: true,
  hooks: true,
  logger: true,
  logLevel: true,
  maxResponseBytes: true,
  maxRetries: true,
  throttle: true,
  timeout: true,
  totalTimeout: true,
} satisfies Record<keyof BrowserClientOptions, true>;
