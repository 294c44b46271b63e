// A working day with the client, against the sandbox as a real HTTP server: `npm run demo`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmailMarketingClient } from 'email-marketing-client';
import { createSandbox } from 'email-marketing-client/testing';
import { type Desk, deleteList, setUpDomain, showErrors, tagAndRecord } from './day.ts';
import { checkService, exportFile, importFile } from './files.ts';
import { Report } from './report.ts';

const contacts = new URL('../data/contacts.csv', import.meta.url);

/** Rows of that file that are invalid on purpose. */
const badRows = 4;

const sandbox = createSandbox();
const server = await sandbox.listen();
console.log(`The sandbox listens on ${server.url}`);

const report = new Report();
const { apiKey, teamId } = sandbox;
const folder = await mkdtemp(join(tmpdir(), 'email-marketing-demo-'));
const environment = {
  EMAIL_MARKETING_BASE_URL: server.url,
  EMAIL_MARKETING_API_KEY: apiKey,
  EMAIL_MARKETING_TEAM_ID: teamId,
};
const client = new EmailMarketingClient({ baseUrl: server.url, apiKey, teamId });
const desk: Desk = { client, baseUrl: server.url, report, sandbox, environment, folder };
const domain = 'news.example.com';

try {
  await setUpDomain(desk, domain);
  await checkService(desk);
  await importFile(desk, contacts, badRows);
  await tagAndRecord(desk, await someEmails());
  await exportFile(desk);
  await showErrors(desk, domain);
  await deleteList(desk);
} catch (error) {
  console.error(error);
  report.check('the demo ran to its end', false);
} finally {
  await server.close();
  await rm(folder, { recursive: true });
}

/** Thirty of the people imported. */
async function someEmails(): Promise<string[]> {
  return (await client.contacts.list({ limit: 30 })).map(({ email }) => email);
}

process.exitCode = report.summary() ? 0 : 1;
