/**
 * Writes every contact to a JSON Lines file. Run it again to resume where it stopped. The command
 * `npx email-marketing-client export` also writes CSV and shows progress. Unlike this example, it writes no page twice
 * if the process ends between the two writes below.
 *
 *   node examples/export-contacts.mjs contacts.jsonl
 */
import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { EmailMarketingClient } from 'email-marketing-client';

const [file = 'contacts.jsonl'] = process.argv.slice(2);
const client = new EmailMarketingClient();
const checkpoint = await readFile(`${file}.checkpoint`, 'utf8').catch(() => undefined);
const contacts = client.contacts.all({}, { checkpoint, concurrency: 4 });

for await (const page of contacts.pages()) {
  await appendFile(file, page.map(contact => `${JSON.stringify(contact)}\n`).join(''));
  await writeFile(`${file}.checkpoint.new`, contacts.checkpoint);
  await rename(`${file}.checkpoint.new`, `${file}.checkpoint`);
}
await rm(`${file}.checkpoint`, { force: true });
