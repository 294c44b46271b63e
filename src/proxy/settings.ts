import { ConfigurationError } from '../errors.ts';
import { checkConfiguration, didYouMean, invalidOption } from '../http/options/check-options.ts';
import {
  aBoolean,
  aFunction,
  anArray,
  anObject,
  aTimeLimit,
  aWholeNumber,
  type OptionRules,
  required,
} from '../http/options/rules.ts';
import { type OperationName, operationNames } from '../operation-names.ts';
import { ResultMemory } from './call-once.ts';
import { checkEndpoint } from './operations.ts';
import type { AllowedEndpoint, DedupeOptions, ProxyOptions, ProxySettings } from './options.ts';

const optionRules: OptionRules<keyof ProxyOptions> = {
  allow: anArray,
  authorize: required({
    expected: "a function that decides on each call, or 'public'",
    isValid: value => value === 'public' || typeof value === 'function',
  }),
  output: anObject,
  exposeErrorDetails: aBoolean,
  origins: { expected: 'an array of origins such as https://www.example.com', isValid: isListOf(isOrigin) },
  allowedHosts: {
    expected: 'an array of host names without a port, such as www.example.com',
    isValid: isListOf(isHostname),
  },
  dedupe: anObject,
  maxBodyBytes: aWholeNumber(1),
  bodyTimeout: aTimeLimit(),
  onError: aFunction,
};

const dedupeRules: OptionRules<keyof DedupeOptions> = {
  ttl: aTimeLimit(),
  max: aWholeNumber(1),
  store: {
    expected: 'an object with the functions get and set',
    isValid: value => {
      const { get, set } = (value ?? {}) as Partial<Record<string, unknown>>;
      return typeof get === 'function' && typeof set === 'function';
    },
  },
};

/** Maximum size of all results that a process remembers, in characters of JSON: some 20 MB. */
const maxRememberedLength = 10_000_000;

/** Validates the options and sets the defaults. */
export function readOptions(options: ProxyOptions): ProxySettings {
  checkConfiguration('createProxyHandler', options ?? {}, optionRules);
  const { allow = [], authorize, output = {}, allowedHosts, dedupe = {} } = options ?? {};
  const names = allow.filter((entry): entry is OperationName => typeof entry !== 'object');
  for (const name of names) checkOperation('allow', name);
  const endpoints = allow.filter((entry): entry is AllowedEndpoint => typeof entry === 'object');
  for (const endpoint of endpoints) checkEndpoint(endpoint);
  for (const [name, show] of Object.entries(output)) {
    checkOperation('output', name);
    if (show !== undefined && typeof show !== 'function')
      throw invalidOption(`output['${name}']`, aFunction.expected);
  }
  checkConfiguration('dedupe', dedupe, dedupeRules, { parent: 'dedupe.' });
  const { ttl = 600_000, max = 10_000, store = new ResultMemory(max, maxRememberedLength) } = dedupe;
  return {
    operations: new Set(names),
    endpoints,
    authorize: authorize === 'public' ? () => true : authorize,
    output,
    exposeErrorDetails: options.exposeErrorDetails ?? false,
    origins: new Set(options.origins),
    allowedHosts: allowedHosts && new Set(allowedHosts.map(host => new URL(`http://${host}`).hostname)),
    dedupe: { ttl, store },
    maxBodyBytes: options.maxBodyBytes ?? 65_536,
    bodyTimeout: options.bodyTimeout ?? 10_000,
    onError: options.onError ?? logError,
  };
}

function checkOperation(option: string, name: unknown): void {
  const text = String(name);
  if ((operationNames as readonly string[]).includes(text)) return;
  const hint = didYouMean(text, operationNames) || '.';
  throw new ConfigurationError(`Option ${option}: there is no operation "${text}"${hint}`, { option });
}

function isListOf(isValid: (text: string) => boolean): (value: unknown) => boolean {
  return value => Array.isArray(value) && value.every(item => typeof item === 'string' && isValid(item));
}

/** Returns `true` for an origin as browsers write it. Others would be read as the origin of another host. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isHostname(text: string): boolean {
  const address = `http://${text}/`;
  return URL.canParse(address) && new URL(address).href === `http://${new URL(address).hostname}/`;
}

const logError = (error: unknown, operation: string) =>
  console.error(`email-marketing-client: the proxy failed at ${operation}`, error);
