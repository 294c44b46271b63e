import * as config from './config.ts';
import type { Credentials, Service } from './core/transport.ts';
import { ConfigurationError } from './errors.ts';
import type { Redactor } from './http/redact.ts';
import type { ApiKey, ClientOptions } from './options.ts';

/** Where both interfaces are, and how each is shown who calls (specification, sections 4 and 5). */
export function makeServices(options: ClientOptions, secrets: Redactor): { rest: Service; legacy: Service } {
  if (config.isBrowser() && !options.dangerouslyAllowBrowser)
    throw new ConfigurationError(
      'A key must not be in a browser, where every visitor can read it. Use createBrowserClient from email-marketing-client/browser, or set dangerouslyAllowBrowser.',
    );
  const given = <Name extends 'baseUrl' | 'apiKey' | 'legacyBaseUrl' | 'legacyApiKey' | 'teamId'>(
    name: Name,
  ) => options[name] ?? config.environment(name);
  const baseUrl = config.baseUrl('baseUrl', given('baseUrl'));
  const apiKey = config.apiKey('apiKey', given('apiKey'));
  const legacyBaseUrl = config.baseUrl('legacyBaseUrl', given('legacyBaseUrl') ?? baseUrl);
  const legacyApiKey = config.apiKey('legacyApiKey', given('legacyApiKey') ?? apiKey);
  const teamId = config.teamId(given('teamId'));
  return {
    rest: {
      baseUrl: `${baseUrl}/api/v1/rest`,
      credentials: credentials('X-Team-ApiKey', apiKey, '', secrets),
    },
    legacy: {
      baseUrl: `${legacyBaseUrl}/api/v1`,
      credentials: teamId
        ? credentials('api_key', legacyApiKey, teamQuery(teamId, secrets), secrets)
        : withoutTeam,
    },
  };
}

const withoutTeam = () => {
  throw config.unset('teamId', 'set to use client.legacy');
};

function teamQuery(teamId: string, secrets: Redactor): string {
  secrets.add(teamId);
  return new URLSearchParams({ team_id: teamId }).toString();
}

/** Keys that a function gave lately, and that are still looked for in what comes back. */
const keptKeys = 100;

/** Shows the key in a header; a key that is a function is asked for at each request. */
function credentials(header: string, key: ApiKey, query: string, secrets: Redactor): Service['credentials'] {
  const show = (text: string): Credentials => {
    secrets.add(text);
    return { headers: { [header]: text }, query };
  };
  if (typeof key === 'function') {
    const recent = new Set<string>();
    return async () => {
      const text = await key();
      recent.add(text);
      const [eldest = ''] = recent;
      if (recent.size > keptKeys && recent.delete(eldest)) secrets.delete(eldest);
      return show(text);
    };
  }
  const constant = show(key);
  return () => constant;
}
