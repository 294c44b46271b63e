#!/usr/bin/env node
/**
 * Exports every contact to CSV or JSON lines. Stopped by Ctrl-C, an error or a crash, the same command goes on where it
 * was; the file appears under its name when it is complete.
 *
 *   node examples/export-contacts.mjs contacts.csv
 *   node examples/export-contacts.mjs contacts.jsonl --search @example.com --concurrency 8
 *   node examples/export-contacts.mjs contacts.csv --sandbox
 */
import { existsSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { stringify } from 'csv-stringify/sync';
import { startProgress } from './support/progress.mjs';
import { savedState } from './support/saved-state.mjs';
import { openClient, runScript, UsageError } from './support/script.mjs';

const usage = `Usage: export-contacts <file> [options]

  <file>                  ends in .csv or .jsonl
  --search <text>         only contacts with this in a name or email
  --concurrency <number>  pages to read ahead (4)
  --escape-formulas       put a quote before cells that a spreadsheet would run
  --overwrite             replace the file when it exists
  --sandbox               try it on a sandbox instead of the service
  --sandbox-contacts <n>  how many contacts the sandbox has (2500)
`;

const flags = {
  search: { type: 'string' },
  concurrency: { type: 'string', default: '4' },
  'escape-formulas': { type: 'boolean', default: false },
  overwrite: { type: 'boolean', default: false },
  sandbox: { type: 'boolean', default: false },
  'sandbox-contacts': { type: 'string', default: '2500' },
  help: { type: 'boolean', default: false },
};

const columns =
  'id email firstName lastName company customFields lists tags unsubscribed bounced spam blocked dropped created updated trackData contactSource pageSource lastTrackedIp ltv'.split(
    ' ',
  );

/** How each format writes its beginning and its records. */
const formats = {
  csv: {
    head: stringify([columns]),
    body: (contacts, escapeFormulas) =>
      stringify(contacts.map(toRow), { columns, cast: { boolean: String }, escape_formulas: escapeFormulas }),
  },
  jsonl: { head: '', body: contacts => contacts.map(contact => `${JSON.stringify(contact)}\n`).join('') },
};

const toRow = contact => ({
  ...contact,
  customFields: JSON.stringify(contact.customFields),
  lists: contact.lists.join(';'),
  tags: contact.tags.join(';'),
});

await runScript(async signal => {
  const { values, positionals } = parseArgs({ options: flags, allowPositionals: true });
  if (values.help) return console.log(usage);
  const [file = ''] = positionals;
  const format = formats[file.split('.').at(-1)];
  if (!format || positionals.length !== 1) throw new UsageError(usage);
  if (existsSync(file) && !values.overwrite) throw new UsageError(`${file} exists; --overwrite replaces it`);
  const { client, close } = await openClient({
    sandboxContacts: values.sandbox ? Number(values['sandbox-contacts']) : undefined,
  });
  try {
    await exportContacts(client, file, format, values, signal);
  } finally {
    await close();
  }
});

async function exportContacts(client, file, format, values, signal) {
  const state = savedState(`${file}.checkpoint`);
  const saved = await state.load();
  const filter = values.search === undefined ? {} : { search: values.search };
  const { checkpoint } = saved ?? {};
  const walk = client.contacts.all(filter, { checkpoint, concurrency: Number(values.concurrency), signal });
  const part = await openPart(`${file}.part`, saved?.bytes);
  let done = saved?.done ?? 0;
  if (saved) console.error(`going on after ${done} contacts`);
  const progress = startProgress('exported', { total: await countContacts(client, filter, signal), done });
  try {
    if (!saved) await part.append(format.head);
    for await (const contacts of walk.pages()) {
      await part.append(format.body(contacts, values['escape-formulas']));
      done += contacts.length;
      await state.save({ done, bytes: part.bytes, checkpoint: walk.checkpoint });
      progress.update(done);
    }
  } finally {
    progress.stop();
    await part.close();
  }
  await rename(`${file}.part`, file);
  await state.remove();
  console.error(`exported ${done} contacts to ${file}`);
}

/** The unfinished file, cut back to what was written when the checkpoint was: what a crash left behind it goes. */
async function openPart(path, bytes = 0) {
  const left = existsSync(path) ? statSync(path).size : 0;
  if (left < bytes)
    throw new UsageError(`${path} is not what it was; remove the .checkpoint file to start anew`);
  const handle = await open(path, bytes > 0 ? 'r+' : 'w');
  await handle.truncate(bytes);
  return {
    get bytes() {
      return bytes;
    },
    async append(text) {
      bytes += (await handle.write(text, bytes)).bytesWritten;
      await handle.datasync();
    },
    close: () => handle.close(),
  };
}

/** About how many there are, by asking for single contacts further and further on: some 40 requests for a million. */
async function countContacts(client, filter, signal) {
  const isThere = async offset =>
    (await client.contacts.list({ ...filter, offset, limit: 1 }, { signal })).length > 0;
  let below = -1;
  let beyond = 0;
  while (await isThere(beyond)) {
    below = beyond;
    beyond = beyond * 2 + 1;
  }
  while (beyond - below > 1) {
    const middle = Math.floor((below + beyond) / 2);
    if (await isThere(middle)) below = middle;
    else beyond = middle;
  }
  return beyond;
}
