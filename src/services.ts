import * as config from './config.ts';
import type { Credentials, Service } from './core/transport.ts';
import { ConfigurationError } from './errors.ts';
import type { ApiKey, ClientOptions } from './options.ts';

/** Where both interfaces are, and how each is shown who calls (specification, sections 4 and 5). */
export function makeServices(
  options: ClientOptions,
  secrets: Set<string>,
): { rest: Service; legacy: Service } {
  if (config.isBrowser() && !options.dangerouslyAllowBrowser)
    throw new ConfigurationError(
      'A key must not be in a browser, where every visitor can read it. Use createBrowserClient from email-marketing-client/browser, or set dangerouslyAllowBrowser.',
    );
  const baseUrl = options.baseUrl ?? config.environment('EMAIL_MARKETING_BASE_URL');
  const apiKey = options.apiKey ?? config.environment('EMAIL_MARKETING_API_KEY');
  const legacyBaseUrl =
    options.legacyBaseUrl ?? config.environment('EMAIL_MARKETING_LEGACY_BASE_URL') ?? baseUrl;
  const legacyApiKey = options.legacyApiKey ?? config.environment('EMAIL_MARKETING_LEGACY_API_KEY') ?? apiKey;
  const teamId = options.teamId ?? config.environment('EMAIL_MARKETING_TEAM_ID');
  const restBase = config.baseUrl('baseUrl', 'EMAIL_MARKETING_BASE_URL', baseUrl);
  const restKey = config.apiKey('apiKey', 'EMAIL_MARKETING_API_KEY', apiKey);
  const legacyBase = config.baseUrl('legacyBaseUrl', 'EMAIL_MARKETING_LEGACY_BASE_URL', legacyBaseUrl);
  const legacyKey = config.apiKey('legacyApiKey', 'EMAIL_MARKETING_LEGACY_API_KEY', legacyApiKey);
  const team = teamId === undefined ? undefined : config.teamId(teamId);
  if (team) secrets.add(team);
  return {
    rest: {
      baseUrl: `${restBase}/api/v1/rest`,
      credentials: credentials('X-Team-ApiKey', restKey, '', secrets),
    },
    legacy: {
      baseUrl: `${legacyBase}/api/v1`,
      credentials: team
        ? credentials('api_key', legacyKey, new URLSearchParams({ team_id: team }).toString(), secrets)
        : () => {
            throw config.unusable('teamId', 'EMAIL_MARKETING_TEAM_ID', 'set to use client.legacy');
          },
    },
  };
}

/** Shows the key in a header; a key that is a function is asked for at each request. */
function credentials(
  header: string,
  key: ApiKey,
  query: string,
  secrets: Set<string>,
): Service['credentials'] {
  const show = (text: string): Credentials => {
    secrets.add(text);
    return { headers: { [header]: text }, query };
  };
  if (typeof key === 'function') return async () => show(await key());
  const constant = show(key);
  return () => constant;
}
