import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Contact, EmailMarketingClient } from 'email-marketing-client';
import { createSandbox } from 'email-marketing-client/testing';
import { runCommand } from './command.ts';
import type { Desk } from './day.ts';

/** Long enough for the progress bars to be seen, in milliseconds per request. */
const latencyMs = 40;

/** Imports a CSV file with the command; a bad row stops nothing. */
export async function importFile(
  { environment, folder, report, sandbox }: Desk,
  source: URL,
  badRows: number,
): Promise<void> {
  report.heading('Import contacts.csv');
  const file = join(folder, 'contacts.csv');
  await copyFile(source, file);
  const slow = sandbox.latency('POST /contact/identify', latencyMs);
  const { code, result } = await runCommand(environment, [
    'import',
    file,
    '--map',
    'plan=customFields.plan',
    '--yes',
  ]);
  slow.cancel();
  report.check(`imported ${result.sent} of ${result.rows} rows`, code === 1);
  const rejected = (await readFile(`${file}.rejected.csv`, 'utf8')).trim().split('\n').slice(1);
  for (const row of rejected) report.error(row);
  report.check(`rejected ${rejected.length} bad rows, each with its reason`, rejected.length === badRows);
}

/** Exports every contact with the command, and imports the file into an empty service. */
export async function exportFile(desk: Desk): Promise<void> {
  const { client, environment, folder, report, sandbox } = desk;
  report.heading('Export every contact, and import the file elsewhere');
  const file = join(folder, 'export.csv');
  const slow = sandbox.latency('GET /contact', latencyMs);
  const exported = await runCommand(environment, ['export', '--out', file]);
  slow.cancel();
  report.check(`exported ${exported.result.contacts} contacts`, exported.code === 0);

  const other = createSandbox();
  const server = await other.listen();
  const { apiKey, teamId } = other;
  const there = {
    EMAIL_MARKETING_BASE_URL: server.url,
    EMAIL_MARKETING_API_KEY: apiKey,
    EMAIL_MARKETING_TEAM_ID: teamId,
  };
  const imported = await runCommand(there, ['import', file, '--yes']);
  const copy = new EmailMarketingClient({ baseUrl: server.url, apiKey, teamId });
  const same = (await profiles(client)).join('\n') === (await profiles(copy)).join('\n');
  await server.close();
  report.check('the same contacts are there now', imported.code === 0 && same);
}

/** Everyone's name and company, by email. */
async function profiles(client: EmailMarketingClient): Promise<string[]> {
  const contacts = await client.contacts.all().toArray({ max: 10_000 });
  const line = ({ email, firstName, lastName, company }: Contact) =>
    JSON.stringify([email, firstName, lastName, company]);
  return contacts.map(line).sort();
}

/** Compares the service's responses with its documentation. */
export async function checkService({ environment, report }: Desk): Promise<void> {
  report.heading('Check the service');
  const { code, result } = await runCommand(environment, ['check']);
  for (const { id, detail } of result.checks as { id: string; detail: string }[])
    console.log(`  ${id}: ${detail}`);
  report.check('address and key are right, and no response differs from the documentation', code === 0);
}
