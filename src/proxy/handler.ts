import type { EmailMarketingClient } from '../client.ts';
import { unusable } from '../config.ts';
import { invalidRequest } from '../core/invalid-request.ts';
import { isObject } from '../core/json.ts';
import { EmailMarketingError } from '../errors.ts';
import { operations } from '../resources/operations.ts';
import { answer, statusOf, wireError } from './answer.ts';
import type { ProxyCall } from './calls.ts';
import { type ProxyOptions, type ProxySettings, readOptions } from './options.ts';
import { corsHeaders } from './origin.ts';
import { type AskedCall, readCall } from './read-call.ts';
import { refusal } from './refusal.ts';

/** Answers the calls of a page; fits any server and edge runtime that has `Request` and `Response`. Never rejects. */
export type ProxyHandler = (request: Request) => Promise<Response>;

/**
 * Makes the handler, for your own server, that stands between a page's `createBrowserClient` and the service. It lets
 * through the operations in `allow`, for requests of its own origin, with an input that is checked here, if `authorize`
 * says so. The key stays in `client`, and no answer holds a stack, a header of the service, or a private key.
 *
 * @throws `ConfigurationError` when an option is missing or unusable.
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
  if (typeof client?.callByName !== 'function') throw unusable('client', 'an EmailMarketingClient');
  const settings = readOptions(options);
  return async request => {
    const headers = corsHeaders(request, settings.origins);
    if (request.method === 'OPTIONS' && headers['access-control-allow-origin'])
      return new Response(null, { status: 204, headers });
    try {
      return answer(200, { data: await respond(client, request, settings) }, headers);
    } catch (thrown) {
      const error = EmailMarketingError.isInstance(thrown) ? thrown : refusal(500, 'The proxy failed.');
      return answer(statusOf(error), { error: wireError(error) }, headers);
    }
  };
}

async function respond(
  client: EmailMarketingClient,
  request: Request,
  settings: ProxySettings,
): Promise<unknown> {
  const call = checkedCall(await readCall(request, settings));
  const { operation } = call;
  try {
    return await client.callByName(operation, await authorizedInput(request, call, settings));
  } catch (error) {
    if (!EmailMarketingError.isInstance(error) || error.name === 'ConfigurationError')
      settings.onError(error, operation);
    throw error;
  }
}

/** The call with an input that the operation takes; one that takes nothing is given nothing. */
function checkedCall({ operation, input }: AskedCall): ProxyCall {
  const check = operations()[operation].input;
  const checked = check?.(input);
  if (checked?.ok === false) throw invalidRequest(operation, checked.issues);
  return { operation, input: check && input } as ProxyCall;
}

/** The input that goes to the service, if the call may be made. */
async function authorizedInput(
  request: Request,
  call: ProxyCall,
  { authorize }: ProxySettings,
): Promise<unknown> {
  const decision = await authorize(request, call);
  if (decision === true) return call.input;
  if (isObject(decision) && Object.hasOwn(decision, 'input')) return decision.input;
  throw refusal(403, `${call.operation}: not allowed for this request.`);
}
