// A working day with the client, against the sandbox as a real HTTP server: `npm run demo`.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmailMarketingClient } from 'email-marketing-client';
import { createSandbox } from 'email-marketing-client/testing';
import { bringIn, type Desk, deleteList, setUpDomain, showErrors, tagAndRecord, takeOut } from './day.ts';
import { Report } from './report.ts';

const contacts = new URL('../data/contacts.csv', import.meta.url);

/** The lines of that file that were written to be refused. */
const badLines = [52, 123, 204, 338, 410, 562, 609];

const sandbox = createSandbox();
const server = await sandbox.listen();
console.log(`The sandbox listens on ${server.url}`);

const report = new Report();
const { apiKey, teamId } = sandbox;
const client = new EmailMarketingClient({ baseUrl: server.url, apiKey, teamId });
const desk: Desk = { client, baseUrl: server.url, report };
const domain = 'news.example.com';

try {
  await setUpDomain(desk, domain);
  const people = await bringIn(desk, contacts, badLines);
  const vip = await tagAndRecord(desk, [...people.keys()].slice(0, 30));
  const folder = await mkdtemp(join(tmpdir(), 'email-marketing-demo-'));
  await takeOut(desk, join(folder, 'contacts.csv'), people, vip);
  await showErrors(desk, domain);
  await deleteList(desk);
} catch (error) {
  console.error(error);
  report.check('the day went on to its end', false);
} finally {
  await server.close();
}
process.exitCode = report.summary() ? 0 : 1;
