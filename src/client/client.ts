import { addOriginal, checkOriginal } from '../core/deep-proxy.ts';
import { checkConfiguration } from '../core/options.ts';
import { Redactor } from '../core/redactor.ts';
import { ConfigurationError } from '../errors.ts';
import type { ApiPromise } from '../http/api-promise.ts';
import { HttpClient, type HttpContext, type ServiceApi } from '../http/call.ts';
import { type CallOptions, mergeHeaders } from '../http/call-options.ts';
import { FailedAttempt, type Failure, notSentFailure } from '../http/failure.ts';
import { sendByFetch } from '../http/fetch.ts';
import { kyTransport } from '../http/ky-transport.ts';
import { sendByDefault, sendingFailure } from '../http/node-transport.ts';
import type { EncodedRequest, Operation } from '../http/operation.ts';
import { RateLimiter } from '../http/rate-limiter.ts';
import { FetchMistake, mistakeFailure } from '../http/response/fetch-mistake.ts';
import { readResponse, type Success } from '../http/response.ts';
import { RetryBudget } from '../http/retries.ts';
import type { Authentication, RequestSender } from '../http/transport.ts';
import { ServiceResources } from '../resources/index.ts';
import * as credentials from './credentials.ts';
import { type EndpointRequest, endpointOperation } from './endpoint-request.ts';
import { explainMistakenNames } from './mistaken-names.ts';
import {
  type ClientContext,
  type ClientOptions,
  clientOptionRules,
  type DefaultOptions,
  defaultOptionRules,
  isBrowser,
  makeDefaults,
  refuseMistakenOptions,
  standardHeaders,
} from './options.ts';

/**
 * Client of the email marketing service. Each operation is a method of a resource, such as `client.tags.create`.
 *
 * @example
 * ```ts
 * const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'your-key' });
 * const tag = await client.tags.create({ name: 'customer' });
 * ```
 */
export class EmailMarketingClient extends ServiceResources {
  readonly #http: HttpClient;
  readonly #context: ClientContext;
  readonly #options: DefaultOptions;

  /** @internal */
  constructor(options: DefaultOptions, context: ClientContext);
  /**
   * Creates a client and checks its options. Nothing is sent before the first call.
   *
   * @param options - Options of the client. Leave out those whose environment variable is set.
   * @throws {@link ConfigurationError} when an option is missing, unknown or unusable.
   */
  constructor(options?: ClientOptions);
  constructor(options: ClientOptions = {}, context?: ClientContext) {
    // In JavaScript, a mistaken second argument is no context.
    const shared = context?.redactor instanceof Redactor ? context : makeContext(options);
    const http = new HttpClient(shared, makeDefaults(options, shared));
    super(http);
    this.#http = http;
    this.#context = shared;
    addOriginal(this);
    this.#options = { ...options };
    explainMistakenNames(this);
  }

  /**
   * Returns a client with other defaults that shares connections, keys, rate limits and the retry budget of this one.
   *
   * @param options - Options to change. Headers are added to those of this client.
   * @throws {@link ConfigurationError} when an option is unknown or unusable.
   *
   * @example
   * ```ts
   * const patient = client.withOptions({ timeout: 120_000, maxRetries: 5 });
   * const contacts = await patient.contacts.list();
   * ```
   */
  withOptions(options: DefaultOptions): EmailMarketingClient {
    checkOriginal(this, 'the client');
    const { redactor } = this.#context;
    checkConfiguration('withOptions', options, defaultOptionRules(), redactor);
    const changes = Object.entries(options).filter(([, value]) => value !== undefined);
    const headers = mergeHeaders(this.#options.headers, options.headers);
    // Who begins to listen hears what was reported to another before.
    const isHeardAnew = options.onDrift !== undefined || options.logger !== undefined;
    const context = isHeardAnew ? { ...this.#context, reportedDrift: new Set<string>() } : this.#context;
    return makeClient({ ...this.#options, ...Object.fromEntries(changes), headers }, context);
  }

  /**
   * Calls an endpoint that this library has no method for, with the authentication, time limits, retries, rate limits,
   * hooks and typed errors of its methods. A response without a body resolves to `{}`. The result
   * contains no `Secret`: values come as the service sent them, and an integer that a number cannot hold exactly as the
   * text of its digits.
   *
   * @returns Output of the schema. Without a schema, the parsed JSON: `unknown`, unless a type argument is given.
   * @throws {@link InvalidRequestError} if a member of the request is unknown or invalid; nothing is sent.
   * @throws {@link InvalidResponseError} if the response does not match the schema.
   * @throws {@link ConfigurationError} if `api` is `'legacy'` and the client has no `teamId`.
   *
   * @example
   * <!-- no-run: the documented service has no such endpoint -->
   * ```ts
   * import { z } from 'zod';
   *
   * const { name } = await client.request({
   *   api: 'rest',
   *   method: 'GET',
   *   path: '/your/endpoint/{id}',
   *   params: { id: '504' },
   *   schema: z.object({ name: z.string() }),
   * });
   * console.log(name);
   * ```
   */
  request<Output = unknown>(
    request: EndpointRequest<Output>,
    options?: CallOptions,
  ): ApiPromise<NoInfer<Output>> {
    checkOriginal(this, 'the client');
    const { redactor } = this.#context;
    const operation = endpointOperation(request, text => redactor.text(text));
    return this.#http.call(operation as Operation<unknown, NoInfer<Output>>, undefined, options);
  }

  /** @internal */
  perform(operation: Operation<never, unknown>, input: unknown, options?: CallOptions): ApiPromise<unknown> {
    return this.#http.call(operation, input as never, options);
  }
}

/** Creates a client outside its class, as bundlers rename a class that names itself. */
const makeClient = (options: DefaultOptions, context: ClientContext) =>
  new EmailMarketingClient(options, context);

/** Checks the options, and creates the context that all calls of a client share: interfaces, authentication and limits. */
function makeContext(options: ClientOptions): ClientContext {
  refuseMistakenOptions(options);
  const account = credentials.withEnvironment<Credentials>(Object(options));
  const redactor = new Redactor(['dkimConfig', 'PrivKey', 'PRIVATE KEY']);
  for (const secret of [account.apiKey, account.legacyApiKey, account.teamId])
    if (credentials.isSecretText(secret)) redactor.add(secret);
  checkConfiguration('EmailMarketingClient', options, clientOptionRules(), redactor);
  const { dangerouslyAllowBrowser, throttle, fetch } = options;
  if (isBrowser() && !dangerouslyAllowBrowser)
    throw new ConfigurationError(
      'An API key must not be in a browser, where every visitor can read it. Use createBrowserClient from email-marketing-client/browser; dangerouslyAllowBrowser is for pages that nobody else can open.',
      { option: 'apiKey' },
    );
  const allowHttp = credentials.checkAllowHttp(account.dangerouslyAllowHttp);
  return {
    apiOf: makeApis(account, allowHttp, fetch ? sendByFetch(fetch) : sendByDefault, redactor),
    rateLimiter: throttle && new RateLimiter(throttle),
    retryBudget: new RetryBudget(),
    redactor,
    reportedDrift: new Set(),
  };
}

type Credentials = Pick<ClientOptions, credentials.EnvironmentOption>;

/** Creates both interfaces. Only calls of the legacy one need a team id. */
function makeApis(
  account: Credentials,
  allowHttp: boolean,
  sendBy: RequestSender,
  redactor: Redactor,
): HttpContext['apiOf'] {
  credentials.requireAccount(account);
  const baseUrl = credentials.checkBaseUrl('baseUrl', account.baseUrl, allowHttp);
  const apiKey = credentials.checkApiKey('apiKey', account.apiKey);
  const search = credentials.checkSearchParameter(account.contactSearchParameter);
  const { legacyBaseUrl = baseUrl, legacyApiKey = apiKey, teamId } = account;
  if (teamId !== undefined) credentials.checkTeamId(teamId);
  const api = (baseUrl: string, query: string, header: string, key: credentials.ApiKey): ServiceApi => {
    const url = new URL(baseUrl);
    const headers = standardHeaders();
    const authentication = authenticationBy(header, key);
    return {
      url,
      performsOnce: false,
      renewsKey: typeof key === 'function',
      encodeInput: (operation, input) => encodeInput(operation, input, search),
      transport: kyTransport({ baseUrl, query, headers, authentication, sendBy, redactor }),
      readResponse: (response, operation) => suspectBaseUrl(readResponse(response, operation, redactor), url),
      failureOf: failureBy(url, redactor),
    };
  };
  const rest = api(`${baseUrl}/api/v1/rest`, '', 'X-Team-ApiKey', apiKey);
  const legacyKey = credentials.checkApiKey('legacyApiKey', legacyApiKey);
  const legacy = api(
    `${credentials.checkBaseUrl('legacyBaseUrl', legacyBaseUrl, allowHttp)}/api/v1`,
    new URLSearchParams({ team_id: teamId ?? '' }).toString(),
    'api_key',
    // Without a team id, the client is usable: its legacy calls are refused, before anything is sent.
    teamId === undefined ? () => credentials.checkTeamId(teamId) : legacyKey,
  );
  return name => (name === 'legacy' ? legacy : rest);
}

/** Returns the function that turns what ended an attempt without a response into a failure. */
const failureBy =
  (url: URL, redactor: Redactor): ServiceApi['failureOf'] =>
  (error, attempt) => {
    if (error instanceof FailedAttempt) return error.failure;
    if (error instanceof FetchMistake) return mistakeFailure(redactor.error(error.cause));
    if (attempt.phase === 'queue') return notSentFailure(error, redactor);
    return sendingFailure(error, attempt, url, redactor);
  };

const authenticationBy = (header: string, key: credentials.ApiKey): Authentication =>
  typeof key === 'string' ? { [header]: key } : async refused => ({ [header]: await key({ refused }) });

/** Adds to a 404 that the base URL may end in an `/api` too many. */
function suspectBaseUrl(result: Success | Failure, url: URL): Success | Failure {
  if (result.ok || result.status !== 404 || !url.pathname.includes('/api/api/')) return result;
  const suspicion = 'If every call gets a 404, take /api off the end of the base URL: the library adds it.';
  return { ...result, advice: `${result.advice} ${suspicion}` };
}

/**
 * Puts an input into the path, the query or the body, as its operation says. `contactSearch` is the name of the parameter
 * that searches contacts.
 */
function encodeInput(
  { name: operation, method, path, inputIn, query = [] }: Operation,
  input: unknown,
  contactSearch: string,
): EncodedRequest {
  const fields = Object.entries(input ?? {});
  const isInQuery = (name: string) => inputIn === 'query' || query.includes(name);
  const inQuery = fields.filter(([name, value]) => isInQuery(name) && value !== undefined);
  const parameter = (name: string) =>
    operation === 'contacts.list' && name === 'search' ? contactSearch : name;
  const inBody = query.length === 0 ? input : Object.fromEntries(fields.filter(([name]) => !isInQuery(name)));
  return {
    path: path.replace('{identifier}', () => encodeURIComponent(String(input))),
    query: new URLSearchParams(inQuery.map(([name, value]) => [parameter(name), value])).toString(),
    body: method === 'POST' ? JSON.stringify(inBody) : undefined,
  };
}
