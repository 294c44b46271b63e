import { type OperationName, operationNames } from '../endpoints.ts';
import { ConfigurationError } from '../errors.ts';
import { shown } from '../http/json.ts';
import { anObjectOf, checkConfiguration, didYouMean } from '../http/options/check-options.ts';
import {
  aBoolean,
  aFunction,
  anArray,
  aTimeLimit,
  aWholeNumber,
  type OptionRule,
  type OptionRules,
  required,
} from '../http/options/rules.ts';
import type { ProxyOptions, ProxySettings } from './options.ts';

const aListOf = (expected: string, isValid: (text: string) => boolean): OptionRule => ({
  expected: `an array of ${expected}`,
  isValid: value => Array.isArray(value) && value.every(item => typeof item === 'string' && isValid(item)),
});

const optionRules: OptionRules<keyof ProxyOptions> = {
  allow: anArray,
  authorize: required({
    expected: "a function that decides on each call, or 'public'",
    isValid: value => value === 'public' || typeof value === 'function',
  }),
  output: anObjectOf('output', Object.fromEntries(operationNames.map(name => [name, aFunction]))),
  exposeErrorDetails: aBoolean,
  origins: aListOf('origins such as https://www.example.com', isOrigin),
  allowedHosts: aListOf('host names without a port, such as www.example.com', isHostname),
  store: {
    expected: 'an object with the functions get and set',
    isValid: value => [Object(value).get, Object(value).set].every(member => typeof member === 'function'),
  },
  maxBodyBytes: aWholeNumber(1),
  bodyTimeout: aTimeLimit,
  onError: aFunction,
};

const defaults: Omit<ProxySettings, 'authorize'> = {
  allow: [],
  output: {},
  exposeErrorDetails: false,
  origins: [],
  maxBodyBytes: 65_536,
  bodyTimeout: 10_000,
  onError: (error, operation) =>
    console.error(`email-marketing-client: the proxy failed at ${operation}`, error),
};

export function readOptions<Name extends OperationName>(
  options: Partial<ProxyOptions<Name>> = {},
): ProxySettings {
  checkConfiguration('createProxyHandler', options, optionRules);
  for (const name of options.allow ?? []) checkOperation(name);
  const present = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(present) } as ProxySettings;
}

function checkOperation(name: unknown): void {
  if ((operationNames as readonly unknown[]).includes(name)) return;
  const hint = (typeof name === 'string' && didYouMean(name, operationNames)) || '.';
  throw new ConfigurationError(`Option allow: there is no operation ${shown(name)}${hint}`, {
    option: 'allow',
  });
}

/** Returns `true` for an origin as browsers write it. Others would be read as the origin of another host. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isHostname(text: string): boolean {
  const address = `http://${text}/`;
  return URL.canParse(address) && new URL(address).href === `http://${new URL(address).hostname}/`;
}
