import type { Sandbox, SandboxServer, TemplateRecord } from '../testing/index.ts';

/** Returns what the command prints at its start: how to connect, and the ids that no endpoint lists. */
export function greeting(sandbox: Sandbox, { url }: SandboxServer): string {
  const { apiKey, teamId, state } = sandbox;
  return [
    `Sandbox with ${state.contacts.size} contacts on ${url}`,
    'Open it in a browser to inspect and change it. Stop it with Ctrl+C.',
    '',
    `export EMAIL_MARKETING_BASE_URL=${quote(url)}`,
    `export EMAIL_MARKETING_API_KEY=${quote(apiKey)}`,
    `export EMAIL_MARKETING_TEAM_ID=${quote(teamId)}`,
    '',
    ...listing('Templates', state.templates, noteOfTemplate),
    ...listing('Campaigns', state.campaigns, campaign => ` (${campaign.state})`),
    '',
  ].join('\n');
}

function noteOfTemplate({ system, shared }: TemplateRecord): string {
  return `${system ? ' (system)' : ''}${shared ? ' (shared)' : ''}`;
}

/** Number of records of a kind that the start lists. */
const maxListed = 20;

function listing<T extends { readonly id: string; readonly name: string }>(
  title: string,
  records: Iterable<T> & { readonly size: number },
  note: (record: T) => string,
): readonly string[] {
  const lines = [...records]
    .slice(0, maxListed)
    .map(record => `  ${record.id}  ${record.name}${note(record)}`);
  const rest = records.size > maxListed ? [`  and ${records.size - maxListed} more, in the page`] : [];
  return [`${title}, which no endpoint lists:`, ...lines, ...rest, ''];
}

/** Quotes for a shell what needs it. */
function quote(text: string): string {
  return /^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
