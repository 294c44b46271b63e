import { CallPromise } from '../call/api-promise.ts';
import { callDefaults, defaultCallRules, mergeCallOptions } from '../call/call-options.ts';
import { aHooksOption } from '../call/hooks.ts';
import type { ClientOptions } from '../client/client-options.ts';
import { redactNothing } from '../core/issues.ts';
import {
  aFunction,
  anything,
  checkConfiguration,
  invalidOption,
  type OptionRules,
} from '../core/option-rules.ts';
import type { Resources } from '../resources/index.ts';
import { makeResources } from '../resources/make-resources.ts';
import { callHandler, type HandlerSettings } from './handler-call.ts';

/** Options of the browser client. Those that it shares with `EmailMarketingClient` have the same meaning. */
export interface BrowserClientOptions
  extends Pick<ClientOptions, 'fetch' | 'headers' | 'hooks' | 'maxRetries' | 'timeout' | 'totalTimeout'> {
  /**
   * Address of your `createProxyHandler`: a path such as `/api/email-marketing`, or a whole URL. With a path, calls
   * during server rendering throw a {@link ConfigurationError}.
   */
  readonly url: string;
}

/** Client for a web page, with every resource of the service. */
export type BrowserClient = Resources;

/**
 * Creates the client for a web page. It has every resource and method of `EmailMarketingClient`, but no key. Calls are
 * sent to your own server, where `createProxyHandler` of `email-marketing-client/proxy` makes those that you allow.
 *
 * @throws {@link ConfigurationError} when an option is missing, unknown or unusable.
 * @example
 * <!-- no-run: it needs a web page -->
 * ```ts
 * import { createBrowserClient } from 'email-marketing-client/browser';
 *
 * const client = createBrowserClient({ url: '/api/email-marketing' });
 * await client.legacy.identify({ email: 'ada@example.com', firstName: 'Ada' });
 * ```
 */
export function createBrowserClient(options: BrowserClientOptions): BrowserClient {
  // `url` is checked when it is read.
  const rules = { url: anything, fetch: aFunction, ...defaultCallRules, hooks: aHooksOption };
  checkConfiguration('createBrowserClient', options, rules satisfies OptionRules<keyof BrowserClientOptions>);
  const url = parseUrl(options.url);
  const settings: HandlerSettings = {
    url,
    fetch: options.fetch,
    hasPage: globalThis.location !== undefined || URL.canParse(options.url),
    defaults: mergeCallOptions(callDefaults, options),
    hooks: [options.hooks ?? []].flat(),
    // A web page has no key.
    redact: redactNothing,
    copyError: thrown => thrown,
  };
  return makeResources(
    (name, input, callOptions) => new CallPromise(callHandler(name, input, callOptions, settings)),
  );
}

/** Returns the absolute URL of the handler. A path without a leading slash would depend on the address of the page. */
function parseUrl(url: unknown): URL {
  const page = globalThis.location?.href ?? 'http://localhost/';
  const isFixed = typeof url === 'string' && (url.startsWith('/') || URL.canParse(url));
  const parsed = isFixed && URL.canParse(url, page) && new URL(url, page);
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw invalidOption('url', 'a path such as /api/email-marketing, or a whole URL', url);
  parsed.hash = '';
  return parsed;
}
