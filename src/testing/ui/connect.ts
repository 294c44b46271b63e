import type { SandboxKeys } from '../service/service.ts';
import { quote } from './curl.ts';
import { byId, codeBlock, el } from './dom.ts';

/** Shows how a client connects to this server, in a view of its own and while there are no requests. */
export function startConnect(keys: SandboxKeys): void {
  for (const id of ['connect-code', 'first-request']) byId(id).replaceChildren(...connectSnippets(keys));
}

/** Creates snippets for the client, a shell and curl, with this server's address and keys. */
function connectSnippets({ apiKey, legacyApiKey, teamId }: SandboxKeys): HTMLElement[] {
  const { origin } = location;
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
