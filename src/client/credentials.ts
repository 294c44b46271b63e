import { maxHeaderLength } from '../call/call-options.ts';
import { logLevels } from '../call/log.ts';
import { isPlainObject } from '../core/json.ts';
import { invalidOption, type OptionRule, oneOf, required, rule } from '../core/option-rules.ts';
import { ConfigurationError } from '../errors.ts';

/** Argument of a function that returns the key. */
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

type EnvironmentOption = keyof typeof environmentVariables;

/** Returns an environment variable; `undefined` if it is empty, or the runtime has none or forbids to read it. */
function fromEnvironment(option: EnvironmentOption): string | undefined {
  try {
    const { process } = globalThis as unknown as {
      readonly process: { readonly env: Record<string, string> };
    };
    return process.env[environmentVariables[option]] || undefined;
  } catch {
    return undefined;
  }
}

/** Options that tell whose account it is. A variable that is not set must not mean another account. */
const accountOptions = ['baseUrl', 'apiKey', 'legacyBaseUrl', 'legacyApiKey', 'teamId'] as const;

/** Variables that are not read if the option beside them is passed: they belong to the account of the environment. */
const unreadBeside: Partial<Record<EnvironmentOption, EnvironmentOption>> = {
  legacyBaseUrl: 'baseUrl',
  legacyApiKey: 'apiKey',
  teamId: 'apiKey',
};

/** Adds the options that are left out and have an environment variable. */
export function withEnvironment<Options extends object>(options: Options): Options {
  if (!isPlainObject(options)) return options;
  const unset = accountOptions.find(name => name in options && options[name] === undefined);
  if (unset)
    throw new ConfigurationError(`Option ${unset} is undefined: give it a value, or leave it out.`, {
      option: unset,
    });
  const names = Object.keys(environmentVariables) as EnvironmentOption[];
  const read = names.filter(name => options[name] === undefined && !((unreadBeside[name] ?? '') in options));
  return { ...options, ...Object.fromEntries(read.map(name => [name, fromEnvironment(name)])) };
}

/** Hosts that resolve to this machine, whatever name server is asked. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The end of a URL to which the client adds the same. */
const endsInPath = /\/api\/v1(?:\/rest)?\/?$/;

/** Returns `true` for a URL that may be sent a key, without what the library adds to it. */
function isBaseUrl(value: unknown, allowHttp: boolean): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, hostname, href, origin, pathname } = new URL(value);
  const isSafe =
    protocol === 'https:' || (protocol === 'http:' && (allowHttp || loopbackHost.test(hostname)));
  return isSafe && href === origin + pathname && !endsInPath.test(pathname);
}

/** Text that a header may hold. */
const headerText = /^[\x20-\x7e\x80-\xff]+$/;

/** Returns `true` for text that can be a key or a team id. */
export const isSecretText = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= maxHeaderLength &&
  headerText.test(value) &&
  value === value.trim();

const aSecret = /* @__PURE__ */ rule(
  `that of the team settings: 1 to ${maxHeaderLength} characters of Latin-1, without line breaks and white space at its ends`,
  isSecretText,
);

/** Returns a message about the commonest mistakes. It shows no text, which can be a key or hold a password. */
function accountMessage(option: string, value: unknown): string | undefined {
  const variable = environmentVariables[option as EnvironmentOption];
  const what = option === 'apiKey' ? 'API key' : 'base URL';
  if (value === undefined)
    return `No ${what}. Set ${variable}, or pass \`{ ${option} }\`: it is in your team's settings.`;
  if (typeof value !== 'string') return undefined;
  const start = `Option ${option} (or ${variable}) must`;
  if (endsInPath.test(value)) return `${start} not end in /api/v1: the client adds it.`;
  // With http: allowed, it would be valid.
  if (!isBaseUrl(value, true)) return undefined;
  return `${start} begin with https:, except for localhost, or with dangerouslyAllowHttp (or ${environmentVariables.dangerouslyAllowHttp}=true).`;
}

/** Rules of the options that the environment can replace, which their messages name. */
export function accountRules({ dangerouslyAllowHttp }: { readonly dangerouslyAllowHttp?: unknown }) {
  // The environment variable is a text.
  const allowHttp = dangerouslyAllowHttp === true || dangerouslyAllowHttp === 'true';
  const expected = 'an https: URL such as https://api.example.com, without user, query and fragment';
  const aBaseUrl = { ...rule(expected, value => isBaseUrl(value, allowHttp)), messageFor: accountMessage };
  const aKey = rule(aSecret.expected, key => typeof key === 'function' || isSecretText(key));
  const rules = {
    baseUrl: required(aBaseUrl),
    apiKey: required({ ...aKey, messageFor: accountMessage }),
    legacyBaseUrl: aBaseUrl,
    legacyApiKey: aKey,
    teamId: aSecret,
    contactSearchParameter: rule(
      'the name of a query parameter other than offset and limit',
      name => typeof name === 'string' && !['', 'offset', 'limit'].includes(name),
    ),
    logLevel: oneOf(logLevels),
    dangerouslyAllowHttp: rule('true or false', value =>
      [true, false, 'true', 'false'].includes(value as boolean),
    ),
  } satisfies Record<EnvironmentOption, OptionRule>;
  const named = Object.entries(rules).map(([name, rule]) => {
    const variable = environmentVariables[name as EnvironmentOption];
    return [name, { ...rule, expected: `${rule.expected}, or left to the environment variable ${variable}` }];
  });
  return Object.fromEntries(named) as typeof rules;
}

/** Returns a key, or a function that checks what the user's own returns. The key is in no message. */
export function checkedKey(
  option: 'apiKey' | 'legacyApiKey',
  key: ApiKey,
): string | ((request: KeyRequest) => Promise<string>) {
  if (typeof key === 'string') return key;
  return async request => {
    const returned = await key(request);
    if (isSecretText(returned)) return returned;
    throw invalidOption(option, `a function that returns ${aSecret.expected}`, returned);
  };
}
