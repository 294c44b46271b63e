import { createHash } from 'node:crypto';
import type { Contact, ContactsFilter, EmailMarketingClient } from '../../index.ts';
import { doneExitCode } from '../command-line.ts';
import { print, printJson, startProgress } from '../terminal.ts';
import { countContacts } from './count-contacts.ts';
import type { ExportFormat } from './formats.ts';
import { type Names, nameParts } from './names.ts';
import { openOutput } from './output.ts';

/** Contacts that an export reads, and the format that it writes. */
export interface ExportOptions {
  readonly client: EmailMarketingClient;
  readonly filter: ContactsFilter;
  readonly format: ExportFormat;
  readonly names: Names;
  /** Pages requested ahead. */
  readonly concurrency: number;
  /** Fingerprint of all that decides the content of the file: an export resumes only with the same. */
  readonly settings: string;
}

/** Where an export writes, and how it reports. */
export interface ExportTarget {
  readonly out?: string;
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

/** Ids without a name that are remembered, of each kind. */
const maxUnnamedIds = 1000;
/** Ids without a name that are printed, of each kind. */
const maxPrintedIds = 20;

/** Returns a fingerprint of settings. */
export const exportSettings = (settings: {
  readonly names: Names;
  readonly [name: string]: unknown;
}): string =>
  createHash('sha256')
    .update(
      JSON.stringify({ ...settings, names: [[...settings.names.tags], [...settings.names.customFields]] }),
    )
    .digest('hex');

/** Writes every contact; resolves to the exit code. Resumes after the last page that an earlier run wrote. */
export async function exportContacts(
  { client, filter, format, names, concurrency, settings }: ExportOptions,
  target: ExportTarget,
  signal: AbortSignal,
): Promise<number> {
  const output = await openOutput(target, settings);
  const { done: before, checkpoint } = output.saved;
  const contacts = client.contacts.all(filter, { checkpoint, concurrency, signal });
  const unnamed = new UnnamedIds(names);
  if (before > 0) print(process.stderr, [`Resuming after ${before} contacts.`]);
  const total = countInBackground(client, filter, signal);
  const progress = startProgress('Exported', before, undefined);
  let done = before;
  try {
    if (before === 0) await output.append(format.head);
    for await (const page of contacts.pages()) {
      done += page.length;
      unnamed.add(page);
      await output.append(format.page(page), { done, checkpoint: contacts.checkpoint });
      progress.update(done, total());
    }
    await output.finish();
    progress.update(done, done);
  } catch (error) {
    progress.stop();
    if (target.out !== undefined && done > 0)
      print(process.stderr, ['Run the same command again to resume.']);
    throw error;
  } finally {
    progress.stop();
    await output.close();
  }
  report(done, unnamed, target);
  return doneExitCode;
}

/** Counts while the export runs, so that it starts at once. */
function countInBackground(
  client: EmailMarketingClient,
  filter: ContactsFilter,
  signal: AbortSignal,
): () => number | undefined {
  let total: number | undefined;
  if (process.stderr.isTTY)
    countContacts(client, filter, signal).then(
      count => {
        total = count;
      },
      () => {},
    );
  return () => total;
}

/** Collects the ids of tags and custom fields that no name was given for. */
class UnnamedIds {
  readonly tags = new Set<string>();
  readonly customFields = new Set<string>();
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  add(contacts: readonly Contact[]): void {
    for (const contact of contacts) {
      const { unnamedTags, unnamedCustomFields } = nameParts(contact, this.#names);
      for (const id of unnamedTags) if (this.tags.size < maxUnnamedIds) this.tags.add(id);
      for (const id of Object.keys(unnamedCustomFields))
        if (this.customFields.size < maxUnnamedIds) this.customFields.add(id);
    }
  }
}

function report(contacts: number, { tags, customFields }: UnnamedIds, { out, json }: ExportTarget): void {
  const lines = [
    `Exported ${contacts} contacts${out === undefined ? '' : ` to ${out}`}.`,
    ...unnamedLines('tags', '--tag', [...tags]),
    ...unnamedLines('custom fields', '--field', [...customFields]),
  ];
  print(process.stderr, lines);
  const result = { contacts, file: out, unnamedTags: [...tags], unnamedCustomFields: [...customFields] };
  if (json) printJson(result);
}

function unnamedLines(kind: string, flag: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, maxPrintedIds).map(id => `  ${flag} ${id}=NAME`);
  const more = ids.length > maxPrintedIds ? [`  and ${ids.length - maxPrintedIds} more`] : [];
  return [`${ids.length} ${kind} have no name; an import ignores them. To name them:`, ...shown, ...more];
}
