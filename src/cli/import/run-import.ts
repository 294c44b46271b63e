import { bulk, type EmailMarketingClient } from '../../index.ts';
import { type Row, readRows } from '../csv/read-rows.ts';
import type { Progress } from '../terminal.ts';
import type { Journal } from './journal.ts';
import type { Mapping } from './mapping.ts';
import { isIdempotent, sendRow } from './send-row.ts';

/** Parts of an import. */
export interface ImportRun {
  readonly client: EmailMarketingClient;
  readonly file: string;
  readonly delimiter: string;
  readonly mapping: Mapping;
  readonly journal: Journal;
  /** Rows in flight. */
  readonly concurrency: number;
  readonly lookUp: boolean;
  /** Number of rows. */
  readonly rows: number;
  readonly progress: Progress;
}

interface IndexedRow extends Row {
  readonly index: number;
}

/** Failures by the service, one after the other, at which an import stops: the other rows would most likely fail too. */
const maxConsecutiveFailures = 25;

/** Sends every row that is pending. Resolves to why it stopped before the end, or to `undefined` when it did not. */
export async function runImport(run: ImportRun, signal: AbortSignal): Promise<string | undefined> {
  const state = new ImportState(run, signal);
  const results = bulk(state.pendingRows(), (row, context) => state.send(row, context.signal), {
    concurrency: run.concurrency,
    key: row => state.keyOf(row),
  });
  for await (const result of results) {
    if (!result.ok) throw result.error;
    run.progress.update(result.input.index + 1, run.rows);
  }
  return state.stopped;
}

class ImportState {
  readonly #run: ImportRun;
  readonly #signal: AbortSignal;
  /** New addresses of contacts, and the address that their rows had before. */
  readonly #earlierAddress = new Map<string, string>();
  #consecutiveFailures = 0;
  #stopped: string | undefined;

  constructor(run: ImportRun, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
  }

  /** Why nothing more is sent; rows in flight are left to end. */
  get stopped(): string | undefined {
    return this.#stopped ?? (this.#signal.aborted ? 'stopped by a signal' : undefined);
  }

  async *pendingRows(): AsyncGenerator<IndexedRow, void, undefined> {
    const { file, delimiter, journal } = this.#run;
    // The header comes first.
    let index = -1;
    for await (const row of readRows(file, delimiter)) {
      if (this.stopped !== undefined) return;
      if (index >= 0 && journal.statuses.get(index) === 'pending') yield { ...row, index };
      index += 1;
    }
  }

  /** Returns the key of rows that are sent in order: the address, which stays the same through a `newEmail`. */
  keyOf(row: IndexedRow): string | undefined {
    if (row.unreadable !== undefined) return undefined;
    const { email, newEmail } = this.#run.mapping.toParams(row.cells);
    const key = this.#earlierAddress.get(email.toLowerCase()) ?? email.toLowerCase();
    if (newEmail !== undefined) this.#earlierAddress.set(newEmail.toLowerCase(), key);
    return key;
  }

  async send(row: IndexedRow, signal: AbortSignal): Promise<void> {
    if (this.stopped !== undefined) return;
    const { journal, mapping, client, lookUp } = this.#run;
    const wrong = this.#unusable(row);
    if (wrong !== undefined) return journal.record(row.index, 'rejected', wrong);
    const params = mapping.toParams(row.cells);
    const idempotent = isIdempotent(params);
    if (!idempotent) await journal.recordSending(row.index);
    const sent = await sendRow(client, params, lookUp, signal);
    if ('stop' in sent) {
      this.#stopped ??= sent.stop.message;
      if (!idempotent) journal.record(row.index, 'pending');
      return;
    }
    journal.record(row.index, sent.status, sent.reason);
    this.#countFailure(sent.byService === true, sent.reason);
  }

  #unusable({ cells, unreadable }: IndexedRow): string | undefined {
    const expected = this.#run.mapping.columns.length;
    if (unreadable !== undefined) return `the line ${unreadable}`;
    return cells.length === expected
      ? undefined
      : `the row has ${cells.length} cells, the header ${expected}`;
  }

  #countFailure(failed: boolean, reason = ''): void {
    this.#consecutiveFailures = failed ? this.#consecutiveFailures + 1 : 0;
    if (this.#consecutiveFailures >= maxConsecutiveFailures)
      this.#stopped ??= `${maxConsecutiveFailures} rows failed one after the other, the last one because: ${reason}`;
  }
}
