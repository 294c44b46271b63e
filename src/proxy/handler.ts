import type { EmailMarketingClient } from '../client.ts';
import { EmailMarketingError } from '../errors.ts';
import { invalidOption } from '../http/check-options.ts';
import { quietly } from '../http/quietly.ts';
import { type AuthorizedCall, authorizeCall } from './authorize.ts';
import { CallOnce, notRemembered } from './call-once.ts';
import { fingerprintOf } from './fingerprint.ts';
import { callFunction, FunctionError } from './functions.ts';
import { isIdempotent, perform } from './operations.ts';
import type { ProxyOptions } from './options.ts';
import { corsHeaders, isAllowedHost } from './origin.ts';
import { type RequestedCall, readCall } from './read-call.ts';
import { Refusal, refusal } from './refusal.ts';
import { dataReply, errorReply, type Reply, refusalReply, toResponse } from './reply.ts';
import { type ProxySettings, readOptions } from './settings.ts';

/** Responds to the calls of a page, on any server or edge runtime that has `Request` and `Response`. Never rejects. */
export type ProxyHandler = (request: Request) => Promise<Response>;

/**
 * Creates the handler for your own server, between a page's `createBrowserClient` and the service. It
 * performs the operations in `allow`, for requests of its own origin, with an input that is valid, if `authorize` allows
 * the call. The key stays in `client`, and no response holds a stack, a header of the service, or a private key.
 *
 * @throws `ConfigurationError` when an option is missing, unknown or unusable.
 * @example
 * ```ts
 * import { EmailMarketingClient } from 'email-marketing-client';
 * import { createProxyHandler } from 'email-marketing-client/proxy';
 *
 * declare function signedIn(request: Request): Promise<{ email: string } | undefined>;
 *
 * const handler = createProxyHandler(new EmailMarketingClient(), {
 *   allow: ['legacy.identify'],
 *   authorize: async (request, { operation, input }) => {
 *     const user = await signedIn(request);
 *     if (!user || operation !== 'legacy.identify') return false;
 *     return { input: { firstName: input.firstName, email: user.email } };
 *   },
 * });
 * ```
 */
export function createProxyHandler(client: EmailMarketingClient, options: ProxyOptions): ProxyHandler {
  if (typeof client?.perform !== 'function') throw invalidOption('client', 'an EmailMarketingClient');
  const settings = readOptions(options);
  const proxy = { client, settings, calls: new CallOnce(settings.dedupe) };
  return async request => {
    const headers = corsHeaders(request, settings.origins);
    if (isPreflight(request, headers, settings)) return new Response(null, { status: 204, headers });
    return toResponse(await replyTo(request, proxy), headers);
  };
}

/** Parts of a handler that every request shares. */
interface Proxy {
  readonly client: EmailMarketingClient;
  readonly settings: ProxySettings;
  readonly calls: CallOnce;
}

const isPreflight = (request: Request, cors: Record<string, string>, { allowedHosts }: ProxySettings) =>
  request.method === 'OPTIONS' &&
  cors['access-control-allow-origin'] !== undefined &&
  isAllowedHost(request, allowedHosts);

async function replyTo(request: Request, proxy: Proxy): Promise<Reply> {
  let operation = 'a request';
  try {
    const requested = await readCall(request, proxy.settings);
    operation = requested.call.operation;
    const call = await authorizeCall(request, requested.call, proxy.settings);
    return await replyToAttempt(request, requested, call, proxy);
  } catch (error) {
    return failure(error, operation, proxy.settings);
  }
}

async function replyToAttempt(
  request: Request,
  { id, retry }: RequestedCall,
  call: AuthorizedCall,
  proxy: Proxy,
): Promise<Reply> {
  const { operation } = call;
  const idempotent = isIdempotent(operation, call.input, proxy.settings.endpoints);
  const performed = () => replyWithResult(request, call, idempotent, proxy);
  if (id !== undefined) {
    const fingerprint = await fingerprintOf(request, call);
    return proxy.calls.reply({ id, operation, fingerprint, idempotent, retry }, performed);
  }
  if (retry && !idempotent) throw notRemembered(operation);
  return performed();
}

/** Performs a call and replies with what a page may see of its result, or with its error. Never rejects. */
async function replyWithResult(
  request: Request,
  { operation, input }: AuthorizedCall,
  idempotent: boolean,
  { client, settings }: Proxy,
): Promise<Reply> {
  try {
    const result = await perform(client, operation, input, idempotent);
    return await callFunction({
      name: 'output',
      timeout: settings.callbackTimeout,
      outcome: 'done',
      run: async () => dataReply(await settings.output({ operation, input }, result, request)),
    });
  } catch (error) {
    return failure(error, operation, settings);
  }
}

/** Replies with an error. What the server's own functions threw, and what its client lacks, is reported to `onError`. */
function failure(error: unknown, operation: string, settings: ProxySettings): Reply {
  if (error instanceof Refusal) return refusalReply(error);
  const isCallError = EmailMarketingError.isInstance(error);
  if (!isCallError || error.name === 'ConfigurationError') {
    const reported = error instanceof FunctionError ? error.thrown : error;
    quietly(() => settings.onError(reported, operation));
  }
  if (isCallError) return errorReply(error, settings.exposeErrorDetails);
  const outcome = error instanceof FunctionError ? error.outcome : 'unknown';
  return refusalReply(refusal(500, 'The server failed.', outcome));
}
