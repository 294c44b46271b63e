import { maxHeaderLength } from '../call/call-options.ts';
import { logLevels } from '../call/log.ts';
import { isPlainObject, typeName } from '../core/json.ts';
import { invalidOption, type OptionRule, oneOf, required, rule } from '../core/option-rules.ts';

/** Argument of a function that returns the key. */
export interface KeyRequest {
  /**
   * `true` if the service has just rejected the key with a 401: return a new one. The request is then retried. A call
   * asks for a new key at most once, and only if it has a retry left (`maxRetries`).
   */
  readonly refused: boolean;
}

/** A key, or a function that returns it for each request, so that the key can be loaded late, rotated and renewed. */
export type ApiKey = string | ((request: KeyRequest) => string | Promise<string>);

/** Options that can come from an environment variable, with its name. */
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

/** Returns an environment variable; `undefined` if it is empty or cannot be read. */
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

/**
 * Options that select the account. They must not be `undefined`: an unset variable would silently select another
 * account.
 */
const accountOptions: readonly string[] = ['baseUrl', 'apiKey', 'legacyBaseUrl', 'legacyApiKey', 'teamId'];

/** Variables that are not read if the given option is passed, because they belong to another account. */
const unreadBeside: Partial<Record<EnvironmentOption, EnvironmentOption>> = {
  legacyBaseUrl: 'baseUrl',
  legacyApiKey: 'apiKey',
  teamId: 'apiKey',
};

/** Adds missing options from environment variables. */
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

/** Hosts that always resolve to this machine. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** End of a URL that already contains the path that the client adds. */
const endsInPath = /\/api\/v1(?:\/rest)?\/?$/;

/** Returns what is wrong with a base URL, as the end of a sentence with "must". */
function expectedOfUrl(value: unknown, allowHttp: boolean): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname;
  if (!isPlain) return 'be an https: URL such as https://api.example.com, without user, query or fragment';
  if (endsInPath.test(url.pathname)) return 'not end in /api/v1: the client adds it';
  const isSafe = url.protocol === 'https:' || allowHttp || loopbackHost.test(url.hostname);
  return isSafe
    ? undefined
    : 'begin with https:, unless the host is localhost or dangerouslyAllowHttp is true';
}

/** Text that a header can contain. */
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

/** Rules of the options that can come from the environment. */
export function accountRules(options: object) {
  const { dangerouslyAllowHttp } = options as { readonly dangerouslyAllowHttp?: unknown };
  // The environment variable is a string.
  const allowHttp = dangerouslyAllowHttp === true || dangerouslyAllowHttp === 'true';
  const aBaseUrl: OptionRule = {
    ...rule('an https: URL', value => expectedOfUrl(value, allowHttp) === undefined),
    // The URL is not shown, because it can be a key or contain a password.
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

/** Returns a message about an invalid option, or about the environment variable that sets it. */
function mistakeIn(option: EnvironmentOption, rule: OptionRule, value: unknown, isPassed: boolean): string {
  const variable = environmentVariables[option];
  if (value === undefined)
    return isPassed
      ? `${option} is undefined. Set the variable it comes from, or leave it out.`
      : `${option} is missing. Copy it from your team's settings: set ${variable}, or pass \`{ ${option} }\`.`;
  const subject = value === fromEnvironment(option) ? variable : option;
  if (accountOptions.includes(option) && typeof value === 'string' && value.trim() === '')
    return `${subject} is blank. Copy it from your team's settings.`;
  return rule.messageFor?.(subject, value) ?? `${subject} must be ${rule.expected} (got ${typeName(value)}).`;
}

/** Returns a key, or a function that checks what the user's function returns. No message contains the key. */
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
