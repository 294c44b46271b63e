import { UsageError } from '../command-line.ts';
import { FileJournal, type Journal, type JournalHead, readJournalHead, readStatuses } from './journal.ts';
import type { Mapping } from './mapping.ts';
import type { Survey } from './survey.ts';

/** Why a row is unknown that was being sent when the process ended. */
const interrupted = 'the import ended while this row was being sent';

/**
 * Opens the journal of a file: that of an earlier import of the same file with the same mapping, or a new one. An
 * earlier import that did not come to its end, of a file that has changed since, is an error that says so.
 */
export async function openJournal(
  file: string,
  survey: Survey,
  mapping: Mapping,
  restart: boolean,
): Promise<Journal> {
  const path = `${file}.journal`;
  const fields = mapping.columns.map(({ field }) => field ?? null);
  const head: JournalHead = { version: 1, sha256: survey.sha256, mapping: fields, rows: survey.rows };
  const earlier = restart ? undefined : await readJournalHead(path);
  if (earlier === undefined) return FileJournal.create(path, head);
  if (JSON.stringify(earlier) !== JSON.stringify(head)) {
    await requireComplete(path, file, earlier);
    return FileJournal.create(path, head);
  }
  const journal = await FileJournal.resume(path, head);
  for (let index = 0; index < survey.rows; index += 1)
    if (journal.statuses.get(index) === 'sending') journal.record(index, 'unknown', interrupted);
  return journal;
}

async function requireComplete(path: string, file: string, { rows }: JournalHead): Promise<void> {
  const pending = (await readStatuses(path, rows)).count('pending', 'sending');
  if (pending > 0 && pending < rows)
    throw new UsageError(
      `${file}, or its mapping, has changed since an import of it stopped with ${pending} of ${rows} rows to send; ` +
        '--restart forgets that import, and sends rows again that were sent',
    );
}
