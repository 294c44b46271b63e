import { maxHeaderLength } from '../call/call-options.ts';
import { logLevels } from '../call/log.ts';
import { isPlainObject, typeName } from '../core/json.ts';
import { invalidOption, type OptionRule, oneOf, required, rule } from '../core/option-rules.ts';

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

/** Options that select the account. If one is `undefined`, because a variable is not set, no other account may be used. */
const accountOptions: readonly string[] = ['baseUrl', 'apiKey', 'legacyBaseUrl', 'legacyApiKey', 'teamId'];

/** Variables that are not read if the option beside them is passed: they belong to the account of the environment. */
const unreadBeside: Partial<Record<EnvironmentOption, EnvironmentOption>> = {
  legacyBaseUrl: 'baseUrl',
  legacyApiKey: 'apiKey',
  teamId: 'apiKey',
};

/** Adds the options that are left out and have an environment variable. */
export function withEnvironment<Options extends object>(options: Options): Options {
  if (!isPlainObject(options)) return options;
  const names = Object.keys(environmentVariables) as EnvironmentOption[];
  const read = names.filter(
    name =>
      options[name] === undefined &&
      !(accountOptions.includes(name) && name in options) &&
      !((unreadBeside[name] ?? '') in options) &&
      fromEnvironment(name),
  );
  return { ...options, ...Object.fromEntries(read.map(name => [name, fromEnvironment(name)])) };
}

/** Hosts that resolve to this machine, whatever name server is asked. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The end of a URL to which the client adds the same. */
const endsInPath = /\/api\/v1(?:\/rest)?\/?$/;

/** Returns what a base URL must be, and is not. */
function expectedOfUrl(value: unknown, allowHttp: boolean): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname;
  if (!isPlain) return 'be an https: URL such as https://api.example.com, without user, query and fragment';
  if (endsInPath.test(url.pathname)) return 'not end in /api/v1: the client adds it';
  const isSafe = url.protocol === 'https:' || allowHttp || loopbackHost.test(url.hostname);
  return isSafe
    ? undefined
    : 'begin with https:, unless the host is localhost or dangerouslyAllowHttp is true';
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
  `text of at most ${maxHeaderLength} characters that a header can hold, without white space at its ends`,
  isSecretText,
);

/** Rules of the options that the environment can replace. */
export function accountRules(options: object) {
  const { dangerouslyAllowHttp } = options as { readonly dangerouslyAllowHttp?: unknown };
  // The environment variable is a text.
  const allowHttp = dangerouslyAllowHttp === true || dangerouslyAllowHttp === 'true';
  const aBaseUrl: OptionRule = {
    ...rule('an https: URL', value => expectedOfUrl(value, allowHttp) === undefined),
    // The text can be a key, or hold a password.
    messageFor: (subject, url) => `${subject} must ${expectedOfUrl(url, allowHttp)}.`,
  };
  const aKey = rule(aSecret.expected, key => typeof key === 'function' || isSecretText(key));
  const rules = {
    baseUrl: required(aBaseUrl),
    apiKey: required(aKey),
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
  const named = Object.entries<OptionRule>(rules).map(([name, rule]): [string, OptionRule] => {
    const isUndefined = accountOptions.includes(name) && name in options;
    const messageFor = (_: string, value: unknown) =>
      mistakeIn(name as EnvironmentOption, rule, value, isUndefined);
    return [name, { ...(isUndefined ? required(rule) : rule), messageFor }];
  });
  return Object.fromEntries(named) as typeof rules;
}

/** Says what is wrong with an option, or with the environment variable that has its value. */
function mistakeIn(option: EnvironmentOption, rule: OptionRule, value: unknown, isPassed: boolean): string {
  const variable = environmentVariables[option];
  if (value === undefined)
    return isPassed
      ? `${option} is undefined. Give it a value, or leave it out.`
      : `${option} is missing. Copy it from your team's settings: set ${variable}, or pass \`{ ${option} }\`.`;
  const subject = value === fromEnvironment(option) ? variable : option;
  if (accountOptions.includes(option) && typeof value === 'string' && value.trim() === '')
    return `${subject} is blank. Copy it from your team's settings.`;
  return rule.messageFor?.(subject, value) ?? `${subject} must be ${rule.expected} (got ${typeName(value)}).`;
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
