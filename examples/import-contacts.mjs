#!/usr/bin/env node
/**
 * Imports contacts from a CSV file: one `identify` call a row. Stopped by Ctrl-C, an error or a crash, the same command
 * goes on where it was. Rows that fail go to a file with the reason, which can be mended and imported in turn.
 *
 *   node examples/import-contacts.mjs people.csv --dry-run
 *   node examples/import-contacts.mjs people.csv --map 'email=E-mail address' --map customFields.plan=Plan
 *   node examples/import-contacts.mjs people.csv --sandbox
 *
 * After a crash (not after Ctrl-C) the calls of the last second are made again. That changes nothing, save where a
 * custom field holds `++5` or `--5`.
 */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { bulk } from 'email-marketing-client';
import { makeMapping } from './support/columns.mjs';
import { startProgress } from './support/progress.mjs';
import { savedState } from './support/saved-state.mjs';
import { openClient, runScript, UsageError } from './support/script.mjs';

const usage = `Usage: import-contacts <file.csv> [options]

  <file.csv>               the first row names the columns
  --map <field>=<column>   which column holds email, newEmail, firstName, lastName, company, birthday, tags (several
                           with ; between them) or customFields.<name>; columns named like a field need no --map
  --dry-run                check every row, and send nothing
  --failed <file>          where rows that fail go (<file>.failed.csv)
  --concurrency <number>   calls at once (8)
  --per-second <number>    calls a second at most (no bound)
  --delimiter <character>  what stands between cells (,)
  --sandbox                try it on a sandbox instead of the service
`;

const flags = {
  map: { type: 'string', multiple: true, default: [] },
  'dry-run': { type: 'boolean', default: false },
  failed: { type: 'string' },
  concurrency: { type: 'string', default: '8' },
  'per-second': { type: 'string' },
  delimiter: { type: 'string', default: ',' },
  sandbox: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

/** For a dry run: rows are checked as they are before each call, and each call succeeds without being sent. */
const sendNothing = {
  baseUrl: 'https://nowhere.invalid',
  apiKey: 'none',
  teamId: 'none',
  fetch: async () => Response.json({ status: '200', message: 'not sent' }),
};

await runScript(async signal => {
  const { values, positionals } = parseArgs({ options: flags, allowPositionals: true });
  if (values.help) return console.log(usage);
  const [file] = positionals;
  if (!file || positionals.length !== 1) throw new UsageError(usage);
  const perSecond = values['per-second'] && { throttle: { requestsPerSecond: Number(values['per-second']) } };
  const { client, close } = await openClient({
    sandboxContacts: values.sandbox && !values['dry-run'] ? 0 : undefined,
    options: values['dry-run'] ? sendNothing : { ...perSecond },
  });
  try {
    return await importContacts(client, file, values, signal);
  } finally {
    await close();
  }
});

async function importContacts(client, file, values, signal) {
  const dryRun = values['dry-run'];
  const size = statSync(file).size;
  const { total, columns } = await readThrough(file, values, signal);
  const toParams = makeMapping(columns, values.map);
  const failedFile = values.failed ?? `${file}.failed.csv`;
  const state = savedState(`${file}.checkpoint`);
  const saved = dryRun ? undefined : await state.load();
  if (saved && saved.size !== size)
    throw new UsageError(`${file} has changed; remove ${state.path} to start anew`);
  const failures = await openFailures(failedFile, columns, saved);
  let done = saved?.done ?? 0;
  if (saved) console.error(`going on after ${done} rows`);
  const save = () =>
    dryRun || state.save({ size, done, failed: failures.count, failedBytes: failures.bytes });
  const progress = startProgress(dryRun ? 'checked' : 'imported', { total, done });
  const calls = bulk(
    rowsAfter(done, file, values, signal),
    (row, context) => client.legacy.identify(toParams(row), { signal: context.signal }),
    { concurrency: Number(values.concurrency), key: row => toParams(row).email?.toLowerCase(), signal },
  );
  let saveAt = 0;
  try {
    for await (const result of calls) {
      if (!result.ok) await failures.add(result.input, result.error);
      done += 1;
      if (performance.now() > saveAt) {
        await save();
        saveAt = performance.now() + 1000;
      }
      progress.update(done, failures.count > 0 ? `${failures.count} failed` : '');
    }
    await state.remove();
  } catch (error) {
    await save();
    throw error;
  } finally {
    progress.stop();
    await failures.close();
  }
  const sound = done - failures.count;
  console.error(
    `${dryRun ? `${sound} rows can be imported` : `imported ${sound} contacts`}, ${failures.count} failed`,
  );
  if (failures.count > 0) console.error(`the rows that failed are in ${failedFile}`);
  return failures.count > 0 ? 3 : 0;
}

function rowsOf(file, { delimiter }, signal) {
  const parser = parse({ columns: true, bom: true, delimiter, skip_empty_lines: true });
  return createReadStream(file, { signal })
    .on('error', error => parser.destroy(error))
    .pipe(parser);
}

/** Reads the file once, so that one that is broken is told of before anything is sent, and counts its rows. */
async function readThrough(file, values, signal) {
  let total = 0;
  let columns = [];
  for await (const row of rowsOf(file, values, signal)) {
    if (total === 0) columns = Object.keys(row).filter(column => column !== 'error');
    total += 1;
  }
  return { total, columns };
}

async function* rowsAfter(done, file, values, signal) {
  let index = 0;
  for await (const row of rowsOf(file, values, signal)) if (index++ >= done) yield row;
}

/** The file of rows that failed, cut back to what was written when the checkpoint was. */
async function openFailures(path, columns, saved) {
  let { failed: count, failedBytes: bytes } = saved ?? { failed: 0, failedBytes: 0 };
  const handle = await open(path, bytes > 0 && existsSync(path) ? 'r+' : 'w');
  await handle.truncate(bytes);
  const append = async cells => {
    bytes += (await handle.write(stringify([cells]), bytes)).bytesWritten;
  };
  return {
    get count() {
      return count;
    },
    get bytes() {
      return bytes;
    },
    async add(row, error) {
      if (bytes === 0) await append([...columns, 'error']);
      await append([...columns.map(column => row[column]), error.message]);
      count += 1;
    },
    async close() {
      await handle.close();
      if (bytes === 0) await rm(path);
    },
  };
}
