import { isIdempotent } from '../call/retries.ts';
import type { EmailMarketingClient } from '../client/client.ts';
import { invalidRequestError } from '../core/issues.ts';
import { isObject } from '../core/json.ts';
import { ConfigurationError } from '../errors.ts';
import type { Resources } from '../resources/index.ts';
import type { OperationName } from '../resources/operations.ts';
import { CallOnce, type OutcomeOfRejection, withoutId } from './call-once.ts';
import { type ProxyCall, type ProxyOptions, type ProxySettings, readOptions } from './handler-options.ts';
import { corsHeaders, isPreflight, issuesOf, type RequestedCall, readCall } from './read-call.ts';
import {
  callFunction,
  dataReply,
  errorReply,
  type Reply,
  rejection,
  serverFailed,
  toResponse,
} from './reply.ts';

/** Responds to calls of web pages, on any server or edge runtime with `Request` and `Response`. */
export type ProxyHandler = (request: Request) => Promise<Response>;

/**
 * Creates the handler for your own server, which receives the calls of `createBrowserClient`. It performs the
 * operations in `allow` for requests from its own origin, if the input is valid and `authorize` allows the call.
 * Responses contain no keys, stacks or headers of the service.
 *
 * @param client - The client, or a function that returns it. The function is called at the first allowed call, because
 * some frameworks load routes during the build, without environment variables.
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
 *   authorize: async (request, { input }) => {
 *     const user = await signedIn(request);
 *     if (!user) return false;
 *     return { input: { firstName: input.firstName, email: user.email } };
 *   },
 * });
 * ```
 */
export function createProxyHandler<Name extends OperationName>(
  client: EmailMarketingClient | (() => EmailMarketingClient),
  options: ProxyOptions<Name>,
): ProxyHandler {
  let created: EmailMarketingClient | undefined;
  const getClient = () => (created ??= typeof client === 'function' ? client() : client);
  const settings = readOptions(options);
  const callOnce = new CallOnce(settings.store);
  return async request => {
    if (typeof request.headers.get !== 'function')
      throw new ConfigurationError(
        'The handler needs a web Request. In Express or node:http, pass toNodeListener(handler) instead.',
      );
    const headers = corsHeaders(request, settings);
    if (isPreflight(request, settings)) return new Response(null, { status: 204, headers });
    return toResponse(await replyTo(request, getClient, settings, callOnce), headers);
  };
}

/** Reads the call of a request, asks `authorize`, and performs it. Never rejects. */
async function replyTo(
  request: Request,
  getClient: () => EmailMarketingClient,
  settings: ProxySettings,
  callOnce: CallOnce,
): Promise<Reply> {
  let operation = 'a request';
  try {
    const requested = await readCall(request, settings);
    operation = requested.operation;
    const call = await authorize(request, requested, settings, callOnce);
    return await replyOnce(call, callOnce, () => callClient(request, call, getClient, settings));
  } catch (error) {
    return errorReply(error, operation, settings);
  }
}

/** Returns the call with the input that `authorize` allows. Throws a rejection if the call is not allowed. */
async function authorize(
  request: Request,
  call: RequestedCall,
  settings: ProxySettings,
  callOnce: CallOnce,
): Promise<RequestedCall> {
  const { operation, input, id, endpoint } = call;
  const { authorize: decide } = settings;
  if (decide === 'public') return call;
  const getOutcome: OutcomeOfRejection =
    id === undefined || endpoint.kind === 'read' ? async () => 'not-sent' : await callOnce.note(id);
  let decision: unknown;
  try {
    decision = await decide(request, { operation, input } as ProxyCall);
  } catch (thrown) {
    throw serverFailed(await getOutcome(), thrown);
  }
  if (decision !== true && !isChangedInput(decision))
    throw rejection(403, `${operation}: not allowed for this request.`, await getOutcome());
  // Operations without an input take options as first argument, so a page's input must not be passed on.
  const changed = decision === true ? input : decision.input;
  const allowed = { ...call, input: endpoint.input && changed };
  // The input is checked even if `authorize` returned `true`, because it may have changed the input in place.
  const issues = issuesOf(allowed);
  if (issues.length > 0) throw serverFailed(await getOutcome(), invalidRequestError(operation, issues));
  return allowed;
}

/** Returns `true` for `{ input }` without other members: an extra `allowed: false` could be meant as a rejection. */
const isChangedInput = (decision: unknown): decision is { readonly input: unknown } =>
  isObject(decision) && Object.keys(decision).join() === 'input';

/** Performs a call, or returns the stored reply of an earlier request with the same id if repeating could matter. */
async function replyOnce(
  { id, operation, endpoint, input, retry }: RequestedCall,
  callOnce: CallOnce,
  run: () => Promise<Reply>,
): Promise<Reply> {
  // If a browser silently sends a deletion twice, the second would find nothing and report an error. If the page
  // retries it, not found counts as success.
  const isFirstDeletion = endpoint.kind === 'delete' && !retry && id !== undefined;
  if (isIdempotent(endpoint, input) && !isFirstDeletion) return await run();
  if (id === undefined) throw withoutId(operation);
  const fingerprint = await hashOf([operation, input]);
  return await callOnce.reply({ id, operation, fingerprint, retry }, run);
}

/** Calls the service and creates the reply. Never rejects. */
async function callClient(
  request: Request,
  { operation, input, output }: RequestedCall,
  getClient: () => EmailMarketingClient,
  settings: ProxySettings,
): Promise<Reply> {
  try {
    const client = await callFunction('not-sent', getClient);
    const result = await callByName(client, operation, input);
    return await callFunction('done', async () => dataReply(await output(result, request)));
  } catch (error) {
    return errorReply(error, operation, settings);
  }
}

/** Calls the method of an operation, so that test doubles of a client work. The method validates the input. */
async function callByName(client: Resources, name: OperationName, input: unknown): Promise<unknown> {
  const [resource, method] = name.split('.') as [keyof Resources, string];
  // The compiler does not relate the two parts of a name.
  const methods = client[resource] as unknown as
    | Readonly<Record<string, (input: unknown) => unknown>>
    | undefined;
  if (typeof methods?.[method] !== 'function')
    throw serverFailed('not-sent', new TypeError(`The client has no method ${name}.`));
  return await methods[method](input);
}

async function hashOf(value: unknown): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(value)));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}
