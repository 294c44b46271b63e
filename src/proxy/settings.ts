import { ConfigurationError } from '../errors.ts';
import * as check from '../http/option-checks.ts';
import { nearestName, unknownNames } from '../http/unknown-option.ts';
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

const optionNames = [
  'allow',
  'authorize',
  'output',
  'exposeErrorDetails',
  'origins',
  'allowedHosts',
  'dedupe',
  'maxBodyBytes',
  'bodyTimeout',
  'callbackTimeout',
  'onError',
] as const satisfies readonly (keyof ProxyOptions)[];

const dedupeNames = ['ttl', 'max', 'maxLength', 'store'] as const satisfies readonly (keyof DedupeOptions)[];

/** Validates the options and sets the defaults. */
export function readOptions(given: ProxyOptions): ProxySettings {
  const options = given ?? {};
  refuseUnknown('option', options, optionNames);
  checkShapes(options);
  const { allow = [], authorize, origins = [], exposeErrorDetails = false } = options;
  const names = allow.filter(entry => typeof entry !== 'object');
  for (const name of names) checkOperation('allow', name);
  const endpoints = readEndpoints(allow.filter(entry => typeof entry === 'object'));
  if (authorize !== 'public' && typeof authorize !== 'function')
    throw check.invalidOption('authorize', "a function that decides on each call, or 'public'");
  for (const origin of origins) checkOrigin(origin);
  if (typeof exposeErrorDetails !== 'boolean')
    throw check.invalidOption('exposeErrorDetails', 'true or false');
  const callbackTimeout = check.milliseconds('callbackTimeout', options.callbackTimeout, 10_000);
  return {
    allow: new Set(names),
    endpoints,
    authorize: authorize === 'public' ? () => true : authorize,
    output: readOutput(options.output, endpoints),
    exposeErrorDetails,
    origins: new Set(origins),
    allowedHosts: readHosts(options.allowedHosts),
    dedupe: readDedupe(options.dedupe, callbackTimeout),
    maxBodyBytes: check.wholeNumber('maxBodyBytes', options.maxBodyBytes, 65_536, 1),
    bodyTimeout: check.milliseconds('bodyTimeout', options.bodyTimeout, 10_000),
    callbackTimeout,
    onError: check.callable('onError', options.onError) ?? logError,
  };
}

/** Says that pages may make a call: of an operation in `allow`, or of exactly an endpoint in it. */
export const isAllowed = ({ allow, endpoints }: ProxySettings, operation: string, input: unknown): boolean =>
  operation === requestOperation ? allowedEndpoint(endpoints, input) !== undefined : allow.has(operation);

function refuseUnknown(kind: string, given: object, known: readonly string[]): void {
  for (const { name, nearest } of unknownNames(given, known))
    throw new ConfigurationError(
      `Unknown ${kind} "${name}"${nearest === undefined ? '.' : `; did you mean "${nearest}"?`}`,
      { option: name },
    );
}

function checkShapes({ allow, origins, allowedHosts, output, dedupe }: ProxyOptions): void {
  for (const [name, list] of Object.entries({ allow, origins, allowedHosts }))
    if (list !== undefined && !Array.isArray(list)) throw check.invalidOption(name, 'an array');
  check.members('output', output);
  check.members('dedupe', dedupe);
}

function checkOperation(option: string, name: unknown): void {
  const text = String(name);
  if (isOperation(text)) return;
  const nearest = nearestName(text, operationNames);
  const hint = nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
  throw new ConfigurationError(`Option ${option}: there is no operation "${text}"${hint}`, { option });
}

function checkOrigin(origin: unknown): void {
  if (typeof origin !== 'string' || !URL.canParse(origin) || new URL(origin).origin !== origin)
    throw check.invalidOption('origins', 'a list of origins such as https://www.example.com');
}

function readOutput(output: ProxyOutput = {}, endpoints: AllowedEndpoints): ProxySettings['output'] {
  for (const [name, show] of Object.entries(output)) {
    checkOperation('output', name);
    check.callable(`output['${name}']`, show);
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
  throw check.invalidOption('allowedHosts', 'a list of host names without a port, such as www.example.com');
}

function readDedupe(options: DedupeOptions = {}, callbackTimeout: number): DedupeSettings {
  refuseUnknown('option dedupe', options, dedupeNames);
  const { store } = options;
  if (store !== undefined && (typeof store?.get !== 'function' || typeof store.set !== 'function'))
    throw check.invalidOption('dedupe.store', 'an object with the functions get and set');
  const max = check.wholeNumber('dedupe.max', options.max, 10_000, 1);
  const maxLength = check.wholeNumber('dedupe.maxLength', options.maxLength, 10_000_000, 1);
  return {
    store: store ?? new ResultMemory(max, maxLength),
    ttl: check.milliseconds('dedupe.ttl', options.ttl, 600_000),
    callbackTimeout,
  };
}

const logError = (error: unknown, operation: string) =>
  console.error(`email-marketing-client: the proxy failed at ${operation}`, error);
