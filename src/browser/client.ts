import type { CallByName } from '../call-by-name.ts';
import * as config from '../config.ts';
import { ApiPromise } from '../core/api-promise.ts';
import { Call, type CallPlan } from '../core/call.ts';
import { within } from '../core/cancel.ts';
import { overFetch } from '../core/exchange.ts';
import type { Caller } from '../core/operation.ts';
import type { ResolvedOptions } from '../core/options.ts';
import { makeSend } from '../core/send.ts';
import { makeDefaults, makeEngine, override } from '../engine.ts';
import { Resources } from '../resources/index.ts';
import type { OperationName, Operations } from '../resources/operations.ts';
import { acknowledged, type ProxiedResult, readProxied } from './answer.ts';
import type { BrowserClientOptions } from './options.ts';
import { goneIsDone, repeatOf } from './repeat.ts';
import { requestBody } from './request.ts';

class BrowserClient extends Resources {}

/**
 * Makes the client for a page: every resource and method of `EmailMarketingClient`, with no key. Each call goes to your
 * own server, where `createProxyHandler` of `email-marketing-client/proxy` decides whether it goes on to the service.
 *
 * @throws {@link ConfigurationError} when an option is missing or unusable.
 * @example
 * ```ts no-run: it needs a page
 * import { createBrowserClient } from 'email-marketing-client/browser';
 *
 * const client = createBrowserClient({ url: '/api/email-marketing' });
 * await client.legacy.identify({ email: 'ada@example.com', firstName: 'Ada' });
 * ```
 */
export function createBrowserClient(options: BrowserClientOptions): Resources {
  const { url, fetch = (address, init) => globalThis.fetch(address, init) } = options;
  checkUrl(url);
  config.callable('fetch', fetch);
  const engine = makeEngine(
    options,
    makeSend(overFetch(fetch), (_request, ms, run) => within(ms, undefined, run)),
  );
  const defaults = makeDefaults(options);
  const run = async (...[name, input, own]: Parameters<CallByName>) => {
    const body = requestBody(name, input);
    const resolved = override(defaults, own);
    resolved.signal?.throwIfAborted();
    return new Call(plan(url, name, repeatOf(name, input), body, resolved), engine, resolved).run();
  };
  const call: CallByName = (...args) => ApiPromise.from(run(...args));
  return new BrowserClient(call as Caller<Operations>);
}

function checkUrl(url: unknown): void {
  const protocol = typeof url === 'string' && url !== '' && parse(url)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:')
    throw config.unusable('url', 'the address of your proxy, such as /api/email-marketing');
}

const parse = (url: string) => (URL.canParse(url, 'http://page') ? new URL(url, 'http://page') : undefined);

function plan(
  url: string,
  operation: OperationName,
  repeat: 'always' | 'never',
  body: string,
  options: ResolvedOptions,
): CallPlan<ProxiedResult> {
  const headers = { ...options.headers, 'content-type': 'application/json' };
  return {
    operation,
    method: 'POST',
    path: parse(url)?.pathname ?? url,
    repeat,
    request: () => ({ method: 'POST', url, headers, body }),
    read: answer => readProxied(operation, answer),
    settled: fault => (goneIsDone(operation) && fault.gone ? acknowledged() : undefined),
  };
}
