import { transport } from '#transport';
import { type ApiPromise, CallPromise } from '../call/api-promise.ts';
import { type CallOptions, callDefaults, mergeCallOptions } from '../call/call-options.ts';
import { RateLimiter } from '../call/rate-limiter.ts';
import { checkConfiguration } from '../core/option-rules.ts';
import { Redactor } from '../core/redactor.ts';
import { ConfigurationError } from '../errors.ts';
import type { Resources } from '../resources/index.ts';
import { makeResources } from '../resources/make-resources.ts';
import { transportBy } from '../transport/fetch.ts';
import { version } from '../version.ts';
import {
  type ClientOptions,
  clientOptionRules,
  type DefaultOptions,
  defaultOptionRules,
  isBrowser,
  settingsOf,
} from './client-options.ts';
import { checkedKey, isSecretText, withEnvironment } from './credentials.ts';
import { type EndpointRequest, requestedEndpoint } from './endpoint-request.ts';
import { endpointOf } from './endpoints.ts';
import { callService } from './service-call.ts';
import type { ServiceSettings } from './service-settings.ts';

/**
 * Key of the internal state of a client. Unlike a private member, it works through a `Proxy`, such as Vue's `reactive`
 * or a mock, and keeps clients of two copies of the package type-compatible.
 */
const parts = Symbol('parts');

/** Internal state of a client: its options, which `withOptions` extends, and its settings. */
interface ClientParts {
  readonly options: DefaultOptions;
  readonly settings: ServiceSettings;
}

/**
 * Client of the email marketing service. Each operation is a method of a resource, such as `client.tags.create`.
 *
 * @example
 * ```ts
 * const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'your-key' });
 * const tag = await client.tags.create({ name: 'customer' });
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns all resources
export class EmailMarketingClient {
  /** @internal */
  declare readonly [parts]: () => ClientParts;

  /** @internal */
  constructor(options: DefaultOptions, settings: ServiceSettings);
  /**
   * Creates a client and checks its options. Nothing is sent before the first call.
   *
   * @param options - Options of the client. Leave out those whose environment variable is set.
   * @throws {@link ConfigurationError} when an option is missing, unknown or unusable.
   */
  constructor(options?: ClientOptions);
  constructor(options: ClientOptions = {}, shared?: ServiceSettings) {
    const complete = shared ? options : withEnvironment(options);
    const settings = shared ?? makeSettings(complete);
    const resources = makeResources(
      (name, input, callOptions) =>
        new CallPromise(callService(endpointOf(name), input, callOptions, settings)),
    );
    Object.assign(this, resources);
    // A function, because printing it shows no key, and a proxy does not wrap it.
    Object.defineProperty(this, parts, {
      value: () => ({ options: complete, settings }),
      configurable: true,
    });
  }

  /**
   * Returns a client with other defaults that shares the connections, keys and rate limits of this one.
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
    const { options: own, settings } = this[parts]();
    checkConfiguration('withOptions', options, defaultOptionRules(), settings.redact);
    const changes = Object.entries(options).filter(([, value]) => value !== undefined);
    const merged = { ...own, ...Object.fromEntries(changes) };
    return makeClient(merged, {
      ...settings,
      ...settingsOf(merged),
      defaults: mergeCallOptions(settings.defaults, options),
    });
  }

  /**
   * Calls an endpoint that this library has no method for, with the authentication, time limits, retries, rate limits,
   * hooks and typed errors of its methods. A response without a body resolves to `{}`. Values are returned as the
   * service sent them, never as a `Secret`. Integers that a number cannot hold exactly become strings.
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
    const { settings } = this[parts]();
    const endpoint = requestedEndpoint(request, settings.redact);
    return new CallPromise(callService(endpoint, undefined, options, settings));
  }
}

/** The members that the constructor assigns: `makeResources` makes them, and `endpoints.ts` has their requests. */
export interface EmailMarketingClient extends Resources {}

/** Outside the class, because bundlers rename a class that mentions its own name, and stack traces show that name. */
const makeClient = (options: DefaultOptions, settings: ServiceSettings) =>
  new EmailMarketingClient(options, settings);

/** Checks the options, and creates the settings of a client. */
function makeSettings(options: ClientOptions): ServiceSettings {
  const { apiKey, legacyApiKey, teamId, dangerouslyAllowBrowser, throttle, fetch } = Object(
    options,
  ) as ClientOptions;
  const redactor = new Redactor(['dkimConfig', 'PrivKey', 'PRIVATE KEY']);
  redactor.hold([apiKey, legacyApiKey, teamId].filter(isSecretText));
  const redact = (text: string) => redactor.text(text);
  checkConfiguration('EmailMarketingClient', options, clientOptionRules(Object(options)), redact);
  if (isBrowser() && !dangerouslyAllowBrowser)
    throw new ConfigurationError(
      'An API key must not be used in a browser. Use createBrowserClient from email-marketing-client/browser.',
      { option: 'apiKey' },
    );
  return {
    ...apisOf(options),
    ...settingsOf(options),
    defaults: mergeCallOptions(callDefaults, options),
    contactSearch: options.contactSearchParameter ?? 'search',
    transport: fetch ? transportBy(fetch) : transport,
    rateLimiter: throttle && new RateLimiter(throttle),
    redactor,
    redact,
    copyError: thrown => redactor.error(thrown),
    reportedDrift: new Set(),
  };
}

/** Returns both APIs of an account. Only the legacy one needs a team id. */
function apisOf(options: ClientOptions): Pick<ServiceSettings, 'rest' | 'legacy'> {
  const { baseUrl = '', apiKey = '', legacyBaseUrl = baseUrl, teamId } = options;
  const { legacyApiKey = apiKey } = options;
  const headers = {
    accept: 'application/json',
    ...(!isBrowser() && { 'user-agent': `email-marketing-client/${version}` }),
  };
  const urlOf = (base: string, path: string) => new URL(new URL(base).href.replace(/\/$/, '') + path);
  return {
    rest: {
      url: urlOf(baseUrl, '/api/v1/rest'),
      query: '',
      headers,
      keyHeader: 'X-Team-ApiKey',
      key: checkedKey('apiKey', apiKey),
    },
    legacy: {
      url: urlOf(legacyBaseUrl, '/api/v1'),
      query: new URLSearchParams({ team_id: teamId ?? '' }).toString(),
      headers,
      keyHeader: 'api_key',
      // Without a team id, legacy calls throw before anything is sent; other calls work.
      key:
        teamId === undefined
          ? withoutTeam
          : checkedKey(options.legacyApiKey ? 'legacyApiKey' : 'apiKey', legacyApiKey),
    },
  };
}

const withoutTeam = async (): Promise<never> => {
  throw new ConfigurationError(
    "teamId is missing. Copy it from your team's settings: pass `{ teamId }`, or set EMAIL_MARKETING_TEAM_ID if apiKey is not passed.",
    { option: 'teamId' },
  );
};
