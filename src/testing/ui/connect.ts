import type { SandboxKeys } from '../service/service.ts';
import { byId, codeBlock, el } from './dom.ts';
import { quote } from './snippets.ts';

let keys: SandboxKeys = { apiKey: '', legacyApiKey: '', teamId: '' };

/** Shows how a client connects to this server. */
export function startConnect(view: SandboxKeys): void {
  keys = view;
  byId('connect-view').replaceChildren(
    el(
      'section',
      { class: 'pane' },
      el('h2', {}, 'Connect'),
      el('p', {}, 'This server is the whole service, in memory. Call it with any client in any language.'),
      ...connectSnippets(),
      el('p', {}, 'API description: ', el('a', { href: '/openapi.json' }, 'OpenAPI document'), '.'),
    ),
  );
}

/** Creates snippets for the client, a shell and curl, with this server's address and keys. */
export function connectSnippets(): HTMLElement[] {
  const { origin } = location;
  const { apiKey, legacyApiKey, teamId } = keys;
  const legacy = legacyApiKey === apiKey ? '' : `\n  legacyApiKey: ${JSON.stringify(legacyApiKey)},`;
  const code = `import { EmailMarketingClient } from 'email-marketing-client';

const client = new EmailMarketingClient({
  baseUrl: ${JSON.stringify(origin)},
  apiKey: ${JSON.stringify(apiKey)},${legacy}
  teamId: ${JSON.stringify(teamId)},
});`;
  const exports = [
    `export EMAIL_MARKETING_BASE_URL=${quote(origin)}`,
    `export EMAIL_MARKETING_API_KEY=${quote(apiKey)}`,
    ...(legacy === '' ? [] : [`export EMAIL_MARKETING_LEGACY_API_KEY=${quote(legacyApiKey)}`]),
    `export EMAIL_MARKETING_TEAM_ID=${quote(teamId)}`,
  ].join('\n');
  const curl = `curl ${origin}/api/v1/rest/contact -H ${quote(`X-Team-ApiKey: ${apiKey}`)}`;
  return [
    el('h3', {}, 'TypeScript'),
    codeBlock(code, 'the client code'),
    el('h3', {}, 'Environment'),
    codeBlock(exports, 'the environment variables'),
    el('h3', {}, 'curl'),
    codeBlock(curl, 'the curl command'),
  ];
}
