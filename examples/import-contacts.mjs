/**
 * Creates or updates a contact for each line of a JSON Lines file, and prints the rows that failed. The command
 * `npx email-marketing-client import` reads CSV, imports only rows of people who agreed, and resumes after a crash.
 *
 *   node examples/import-contacts.mjs people.jsonl
 */
import { open } from 'node:fs/promises';
import { bulk, EmailMarketingClient } from 'email-marketing-client';

const [file = 'people.jsonl'] = process.argv.slice(2);
const client = new EmailMarketingClient();

async function* rowsOf(path) {
  for await (const line of (await open(path)).readLines()) yield JSON.parse(line);
}

const identify = (row, { signal }) => client.legacy.identify(row, { signal });
const options = { concurrency: 16, key: row => row.email, ordered: false };
for await (const result of bulk(rowsOf(file), identify, options)) {
  if (result.ok) continue;
  console.error(`line ${result.index + 1}: ${result.error.message}`);
  process.exitCode = 1;
}
