import { typeName } from '../core/json.ts';
import { ConfigurationError } from '../errors.ts';
import { maxHeaderLength } from '../http/call-options.ts';

/** What a function for the key is told. */
export interface KeyRequest {
  /**
   * `true` if the service has just refused the key with a 401: return a new one. A call asks so once at most, and sends
   * its request again. Without a retry left, as if `maxRetries` is 0, the function is not called again.
   */
  readonly refused: boolean;
}

/** A key, or a function that returns the key for each request, so that it can be loaded late, rotated and renewed. */
export type ApiKey = string | ((request: KeyRequest) => string | Promise<string>);

/** Options that an environment variable can replace, with its name. */
const environmentVariables = {
  baseUrl: 'EMAIL_MARKETING_BASE_URL',
  apiKey: 'EMAIL_MARKETING_API_KEY',
  legacyBaseUrl: 'EMAIL_MARKETING_LEGACY_BASE_URL',
  legacyApiKey: 'EMAIL_MARKETING_LEGACY_API_KEY',
  teamId: 'EMAIL_MARKETING_TEAM_ID',
  contactSearchParameter: 'EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER',
  logLevel: 'EMAIL_MARKETING_LOG',
  dangerouslyAllowHttp: 'EMAIL_MARKETING_DANGEROUSLY_ALLOW_HTTP',
} as const;

export type EnvironmentOption = keyof typeof environmentVariables;

/** Returns an environment variable; `undefined` if it is empty, or the runtime has none or forbids to read it. */
export function fromEnvironment(option: EnvironmentOption): string | undefined {
  try {
    const { process } = globalThis as unknown as {
      readonly process: { readonly env: Record<string, string> };
    };
    return process.env[environmentVariables[option]] || undefined;
  } catch {}
  return undefined;
}

/** Options that tell whose account it is. A variable that is not set must not mean another account. */
const accountOptions = ['baseUrl', 'apiKey', 'legacyBaseUrl', 'legacyApiKey', 'teamId'] as const;

/** Variables that belong to the account of the environment: given the option beside them, they are not read. */
const givenBeside: Partial<Record<EnvironmentOption, EnvironmentOption>> = {
  legacyBaseUrl: 'baseUrl',
  legacyApiKey: 'apiKey',
  teamId: 'apiKey',
};

/**
 * Returns the options that the environment can replace, each from there if it is left out.
 *
 * @throws ConfigurationError that names each option of the account that is given as `undefined`.
 */
export function withEnvironment<Options extends Readonly<Partial<Record<EnvironmentOption, unknown>>>>(
  options: Options,
): Options {
  const isReplaced = (name: EnvironmentOption) => {
    const beside = givenBeside[name];
    return beside !== undefined && beside in options;
  };
  const unset = accountOptions.filter(name => name in options && options[name] === undefined);
  const sentences = unset.map(name => {
    const purpose =
      name === 'teamId' ? 'if client.legacy is not called' : `to use the option ${givenBeside[name]}`;
    const advice = isReplaced(name) ? purpose : `to use ${environmentVariables[name]}`;
    return `Option ${name} is undefined: give it a value, or leave it out ${advice}.`;
  });
  if (sentences.length > 0) throw new ConfigurationError(sentences.join(' '), { option: unset[0] });
  const names = Object.keys(environmentVariables) as EnvironmentOption[];
  const read = names.map(name => [
    name,
    options[name] === undefined && !isReplaced(name) ? fromEnvironment(name) : options[name],
  ]);
  return Object.fromEntries(read);
}

/** Creates the error of an option that is missing, or cannot be used. Its value is not shown. */
export function optionError(
  option: EnvironmentOption,
  value: unknown,
  expected: string,
  rule = '',
): ConfigurationError {
  const variable = `environment variable ${environmentVariables[option]}`;
  return new ConfigurationError(
    value === undefined
      ? `Option ${option} is missing: pass ${expected}, or set the ${variable}${rule}.`
      : `Option ${option} (or ${variable}) must be ${expected}${rule}.`,
    { option },
  );
}

/** Throws an error that names all that a new user has to set, if neither address nor key is. */
export function requireAccount({ baseUrl, apiKey }: Partial<Record<EnvironmentOption, unknown>>): void {
  if (baseUrl !== undefined || apiKey !== undefined) return;
  const message = `Options baseUrl and apiKey are missing: pass them, or set the environment variables ${environmentVariables.baseUrl}, ${environmentVariables.apiKey} and, for client.legacy, ${environmentVariables.teamId}.`;
  throw new ConfigurationError(message, { option: 'baseUrl' });
}

/** Hosts that resolve to this machine, whatever name server is asked. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Paths that the library adds to a base URL. */
const ownPath = /\/api\/v1(?:\/rest)?$/;

/** Returns a base URL without its trailing slash. */
export function checkBaseUrl(
  option: EnvironmentOption,
  value: string | undefined,
  allowHttp: boolean,
): string {
  const check = (isValid: boolean, expected: string) => {
    if (!isValid) throw optionError(option, value, expected);
  };
  check(typeof value === 'string' && URL.canParse(value), 'a URL such as https://api.example.com');
  const url = new URL(String(value));
  const isAllowed =
    url.protocol === 'https:' || (url.protocol === 'http:' && (allowHttp || loopbackHost.test(url.hostname)));
  check(
    isAllowed,
    'an https: URL, as the key travels with each request (http: is only for localhost, or with dangerouslyAllowHttp)',
  );
  check(url.href === url.origin + url.pathname, 'a URL without user, query or fragment');
  const path = url.pathname.replace(/\/$/, '');
  const [added] = ownPath.exec(path) ?? [];
  check(!added, `a URL without ${added} at its end: the library adds it`);
  return url.origin + path;
}

/** Visible text that a header may hold, without white space at its ends. */
const headerText = /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** Returns `true` for text that can be a key or a team id. */
export const isSecretText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= maxHeaderLength &&
  headerText.test(value) &&
  value === value.trim();

function secretRule(secret: unknown): string {
  if (typeof secret !== 'string') return `, as a string (got ${typeName(secret)})`;
  if (secret === '') return ', not empty';
  return `: 1 to ${maxHeaderLength} characters of Latin-1, without control characters or white space at its ends`;
}

/** Returns a key that can be sent, or the function that returns it. The key is in no message. */
export function checkApiKey(
  option: EnvironmentOption,
  value: ApiKey | undefined,
): string | ((request: KeyRequest) => Promise<string>) {
  const checked = (key: unknown) => {
    if (isSecretText(key)) return key;
    const rule = value === undefined ? '' : secretRule(key);
    throw optionError(option, value, 'the key from the team settings', rule);
  };
  return typeof value === 'function' ? async request => checked(await value(request)) : checked(value);
}

export function checkTeamId(value: unknown): string {
  if (isSecretText(value)) return value;
  const rule = value === undefined ? ', which is read unless apiKey is passed' : secretRule(value);
  throw optionError('teamId', value, 'the team id from the team settings', rule);
}

/** Returns whether `http:` is accepted for every host. The option is a boolean, the environment variable a text. */
export function checkAllowHttp(value: unknown = false): boolean {
  if (['true', 'false'].includes(String(value))) return String(value) === 'true';
  throw optionError('dangerouslyAllowHttp', value, 'true or false');
}

/** Returns the name of the query parameter that searches contacts. */
export function checkSearchParameter(name: string = 'search'): string {
  if (typeof name === 'string' && !['', 'offset', 'limit'].includes(name)) return name;
  throw optionError(
    'contactSearchParameter',
    name,
    'the name of a query parameter other than offset and limit',
  );
}
