import { ConfigurationError } from './errors.ts';
import { maxHeaderLength } from './http/options/headers.ts';
import type { Authentication } from './http/transport/transport.ts';

/** A key, or a function that returns the key for each request, so that it can be loaded late and rotated. */
export type ApiKey = string | (() => string | Promise<string>);

/** Options that an environment variable can replace, with its name. */
export const environmentVariables = {
  baseUrl: 'EMAIL_MARKETING_BASE_URL',
  apiKey: 'EMAIL_MARKETING_API_KEY',
  legacyBaseUrl: 'EMAIL_MARKETING_LEGACY_BASE_URL',
  legacyApiKey: 'EMAIL_MARKETING_LEGACY_API_KEY',
  teamId: 'EMAIL_MARKETING_TEAM_ID',
  logLevel: 'EMAIL_MARKETING_LOG',
} as const;

type EnvironmentOption = keyof typeof environmentVariables;

/** The environment. Reading it throws if the runtime has none. */
interface GlobalWithEnvironment {
  readonly process: { readonly env: Readonly<Record<string, string | undefined>> };
}

/** Returns an environment variable; `undefined` if it is empty, or the runtime has none or forbids to read it. */
export function fromEnvironment(option: EnvironmentOption): string | undefined {
  try {
    const { process } = globalThis as unknown as GlobalWithEnvironment;
    return process.env[environmentVariables[option]] || undefined;
  } catch {}
  return undefined;
}

/** Creates the error of an option that was not given. */
const missing = (option: EnvironmentOption, expected: string) =>
  new ConfigurationError(
    `Option ${option} is missing: pass ${expected}, or set the environment variable ${environmentVariables[option]}.`,
    { option },
  );

/** Creates the error of an option that was given and cannot be used. The value is not shown. */
const malformed = (option: EnvironmentOption, expected: string) =>
  new ConfigurationError(
    `Option ${option} (or environment variable ${environmentVariables[option]}) must be ${expected}.`,
    { option },
  );

/** Hosts that resolve to this machine whatever the resolver. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Paths that the library adds to a base URL (rule 1.1). */
const ownPath = /\/api\/v1(?:\/rest)?$/;

/** Returns a base URL without its trailing slash. */
export function checkBaseUrl(option: EnvironmentOption, value: string | undefined): string {
  if (value === undefined) throw missing(option, 'a URL such as https://api.example.com');
  if (typeof value !== 'string' || !URL.canParse(value))
    throw malformed(option, 'a URL such as https://api.example.com');
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(value);
  if (protocol !== 'https:' && !(protocol === 'http:' && loopbackHost.test(hostname)))
    throw malformed(
      option,
      'an https: URL, as the key travels with each request (http: is only for localhost)',
    );
  if (username || password || search || hash)
    throw malformed(option, 'a URL without user, query or fragment');
  const path = pathname.replace(/\/$/, '');
  const [added] = ownPath.exec(path) ?? [];
  if (added) throw malformed(option, `a URL without ${added} at its end: leave it out, as it is added to it`);
  return origin + path;
}

/** Visible text that a header may hold, without white space at its ends. */
const headerText = /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** Returns `true` for text that can be a key or a team id. */
export const isSecretText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxHeaderLength && headerText.test(value);

const secretRule = () =>
  `text of 1 to ${maxHeaderLength} characters of Latin-1, without control characters, and without white space at its ends (a copied text can hold characters that are not visible)`;

/** Returns a key that can be sent, or the function that returns it. The key is in no message. */
export function checkApiKey(option: EnvironmentOption, value: ApiKey | undefined): ApiKey {
  if (value === undefined) throw missing(option, 'the key from the team settings');
  const checked = (key: unknown) => {
    if (isSecretText(key)) return key;
    throw malformed(option, `the key from the team settings: ${secretRule()}`);
  };
  return typeof value === 'function' ? async () => checked(await value()) : checked(value);
}

/** Returns a team id, or `undefined`. */
export function checkTeamId(value: unknown): string | undefined {
  if (value === undefined || isSecretText(value)) return value;
  throw malformed('teamId', `the team id from the team settings: ${secretRule()}`);
}

/** Creates the error of a legacy call without a team id. */
export const missingTeamId = () =>
  missing('teamId', 'the team id from the team settings to use client.legacy');

/** Headers that hold the key (rules 1.2 and 1.3), in lower case. Options set them. */
export const keyHeaders = ['x-team-apikey', 'api_key'] as const;

/** Returns the header that authenticates each attempt, or a function that returns it, called for each attempt. */
export const authenticateByHeader = (header: string, key: ApiKey): Authentication =>
  typeof key === 'string' ? { [header]: key } : async () => ({ [header]: await key() });
