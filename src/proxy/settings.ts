import { ConfigurationError } from '../errors.ts';
import { checkConfiguration, invalidOption } from '../http/check-options.ts';
import {
  aBoolean,
  aFunction,
  anArray,
  anObject,
  aTimeLimit,
  aWholeNumber,
  type OptionRules,
} from '../http/option-rules.ts';
import { didYouMean, nearestName } from '../http/unknown-option.ts';
import { operationNames } from '../operation-names.ts';
import { requestOperation } from '../protocol.ts';
import type { AuthorizedCall } from './authorize.ts';
import type { DedupeSettings } from './call-once.ts';
import { type AllowedEndpoints, allowedEndpoint, readEndpoints } from './endpoints.ts';
import { isOperation } from './operations.ts';
import type { Authorize, DedupeOptions, ProxyOptions, ProxyOutput } from './options.ts';
import { defaultOutput, endpointOutput } from './output.ts';
import { ResultMemory } from './result-memory.ts';

/** Call whose result a page gets a part of. */
type OutputCall = Pick<AuthorizedCall, 'operation' | 'input'>;

/** {@link ProxyOptions} with every default. */
export interface ProxySettings {
  /** Names of operations. */
  readonly allow: ReadonlySet<string>;
  readonly endpoints: AllowedEndpoints;
  readonly authorize: Authorize;
  readonly output: (call: OutputCall, result: unknown, request: Request) => unknown;
  readonly exposeErrorDetails: boolean;
  readonly origins: ReadonlySet<string>;
  readonly allowedHosts: ReadonlySet<string> | undefined;
  readonly dedupe: DedupeSettings;
  readonly maxBodyBytes: number;
  readonly bodyTimeout: number;
  readonly callbackTimeout: number;
  readonly onError: (error: unknown, operation: string) => unknown;
}

/** Time limit of a function of the server's and of reading a body, in milliseconds: what a visitor still waits for. */
const defaultTimeLimitMs = 10_000;

/** Largest body of a request, in bytes: an input with long texts. */
const defaultMaxBodyBytes = 65_536;

/** Results that are remembered, and their length together in characters: some 20 MB. */
const defaultMaxResults = 10_000;
const defaultMaxLength = 10_000_000;

/** Time for which a result is remembered, in milliseconds: longer than a page retries a call. */
const defaultTtlMs = 600_000;

const optionRules: OptionRules<keyof ProxyOptions> = {
  allow: anArray,
  authorize: {
    expected: "a function that decides on each call, or 'public'",
    isValid: value => value === 'public' || typeof value === 'function',
  },
  output: anObject,
  exposeErrorDetails: aBoolean,
  origins: anArray,
  allowedHosts: anArray,
  dedupe: anObject,
  maxBodyBytes: aWholeNumber(1),
  bodyTimeout: aTimeLimit(),
  callbackTimeout: aTimeLimit(),
  onError: aFunction,
};

const dedupeRules: OptionRules<keyof DedupeOptions> = {
  ttl: aTimeLimit(),
  max: aWholeNumber(1),
  maxLength: aWholeNumber(1),
  store: {
    expected: 'an object with the functions get and set',
    isValid: value => {
      const { get, set } = (value ?? {}) as Partial<Record<string, unknown>>;
      return typeof get === 'function' && typeof set === 'function';
    },
  },
};

/** Validates the options and sets the defaults. */
export function readOptions(given: ProxyOptions): ProxySettings {
  const options = given ?? {};
  checkConfiguration('createProxyHandler', options, optionRules);
  const { allow = [], authorize, origins = [], exposeErrorDetails = false } = options;
  const {
    callbackTimeout = defaultTimeLimitMs,
    bodyTimeout = defaultTimeLimitMs,
    maxBodyBytes = defaultMaxBodyBytes,
    onError = logError,
  } = options;
  if (authorize === undefined) throw invalidOption('authorize', optionRules.authorize.expected);
  const names = allow.filter(entry => typeof entry !== 'object');
  for (const name of names) checkOperation('allow', name);
  const endpoints = readEndpoints(allow.filter(entry => typeof entry === 'object'));
  for (const origin of origins) checkOrigin(origin);
  return {
    allow: new Set(names),
    endpoints,
    authorize: authorize === 'public' ? () => true : authorize,
    output: readOutput(options.output, endpoints),
    exposeErrorDetails,
    origins: new Set(origins),
    allowedHosts: readHosts(options.allowedHosts),
    dedupe: readDedupe(options.dedupe, callbackTimeout),
    maxBodyBytes,
    bodyTimeout,
    callbackTimeout,
    onError,
  };
}

/** Returns `true` if pages may make a call: of an operation in `allow`, or of exactly an endpoint in it. */
export const isAllowed = ({ allow, endpoints }: ProxySettings, operation: string, input: unknown): boolean =>
  operation === requestOperation ? allowedEndpoint(endpoints, input) !== undefined : allow.has(operation);

function checkOperation(option: string, name: unknown): void {
  const text = String(name);
  if (isOperation(text)) return;
  const hint = didYouMean(nearestName(text, operationNames)) || '.';
  throw new ConfigurationError(`Option ${option}: there is no operation "${text}"${hint}`, { option });
}

function checkOrigin(origin: unknown): void {
  if (typeof origin !== 'string' || !URL.canParse(origin) || new URL(origin).origin !== origin)
    throw invalidOption('origins', 'a list of origins such as https://www.example.com');
}

function readOutput(output: ProxyOutput = {}, endpoints: AllowedEndpoints): ProxySettings['output'] {
  for (const [name, show] of Object.entries(output)) {
    checkOperation('output', name);
    if (show !== undefined && typeof show !== 'function')
      throw invalidOption(`output['${name}']`, aFunction.expected);
  }
  const functions = new Map<string, unknown>(Object.entries(output));
  return ({ operation, input }, result, request) => {
    if (operation === requestOperation)
      return endpointOutput(allowedEndpoint(endpoints, input), result, request);
    const show = functions.get(operation) as ((result: unknown, request: Request) => unknown) | undefined;
    return show ? show(result, request) : defaultOutput(operation, result);
  };
}

function readHosts(hosts: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return hosts && new Set(hosts.map(hostname));
}

function hostname(host: unknown): string {
  const address = typeof host === 'string' ? `http://${host}/` : '';
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.href === `http://${url?.hostname}/`) return url.hostname;
  throw invalidOption('allowedHosts', 'a list of host names without a port, such as www.example.com');
}

function readDedupe(options: DedupeOptions = {}, callbackTimeout: number): DedupeSettings {
  checkConfiguration('dedupe', options, dedupeRules, 'dedupe.');
  const { max = defaultMaxResults, maxLength = defaultMaxLength, ttl = defaultTtlMs } = options;
  const { store = new ResultMemory(max, maxLength) } = options;
  return { store, ttl, callbackTimeout };
}

const logError = (error: unknown, operation: string) =>
  console.error(`email-marketing-client: the proxy failed at ${operation}`, error);
