import {
  ApiError,
  AuthenticationError,
  bulk,
  ConfigurationError,
  type EmailMarketingClient,
  EmailMarketingError,
  type IdentifyParams,
  type IdentifyResult,
  InvalidResponseError,
  NotFoundError,
  PermissionError,
  RateLimitError,
} from '../../index.ts';
import { identifyIsIdempotent } from '../../resources/endpoints.ts';
import { isOwnFailure, otherThanAcknowledgment } from '../acknowledgment.ts';
import { counted } from '../command-line.ts';
import { ChangedFileError, type InputFile, type Row, readRows } from '../input-file.ts';
import type { Progress } from '../terminal.ts';
import { markOf } from './changed-file.ts';
import type { Journal } from './journal.ts';
import type { RowStatus } from './row-statuses.ts';
import type { Survey } from './survey.ts';

export interface ImportRun {
  readonly client: EmailMarketingClient;
  readonly file: InputFile;
  readonly survey: Survey;
  readonly journal: Journal;
  readonly concurrency: number;
  readonly progress: Progress;
}

/** Consecutive error responses after which an import stops, because the other rows would most likely fail too. */
const maxConsecutiveFailures = 25;
/** Consecutive responses under 2xx that acknowledge nothing, after which an import stops: they are not the service's. */
const maxUnacknowledged = 3;

/** Sends the pending rows. Resolves to why it stopped before the end, or to `undefined`. */
export async function sendRows(run: ImportRun, signal: AbortSignal): Promise<string | undefined> {
  const state = new ImportState(run, signal);
  const results = bulk(state.pendingRows(), (row, context) => state.send(row, context.signal), {
    concurrency: run.concurrency,
    key: row => state.keyOf(row),
  });
  for await (const result of results) {
    if (!result.ok) throw result.error;
    run.progress.update(result.input.index + 1);
  }
  return state.stopped ?? state.unacknowledged;
}

class ImportState {
  readonly #run: ImportRun;
  readonly #signal: AbortSignal;
  /** Address that a contact had before its `newEmail`. */
  readonly #earlierAddress = new Map<string, string>();
  #consecutiveFailures = 0;
  #unacknowledged = { consecutive: 0, left: 0, last: '' };
  #stopped: string | undefined;

  constructor(run: ImportRun, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
  }

  /** Why no more rows are sent. Rows in flight are completed. */
  get stopped(): string | undefined {
    return this.#stopped ?? (this.#signal.aborted ? 'stopped by a signal' : undefined);
  }

  /** That rows are left to send, because nothing acknowledged them. */
  get unacknowledged(): string | undefined {
    const { left, last } = this.#unacknowledged;
    return left === 0
      ? undefined
      : `the service did not acknowledge ${counted(left, 'row')}, which are left to send; in place of its response came ${last}`;
  }

  async *pendingRows(): AsyncGenerator<Row, void, undefined> {
    const { file, survey, journal } = this.#run;
    try {
      for await (const row of readRows(file, survey.format)) {
        if (this.stopped !== undefined) return;
        file.requireUnchanged();
        if (row.index >= 0 && journal.statuses.get(row.index) === 'pending') yield row;
      }
    } catch (error) {
      if (!(error instanceof ChangedFileError)) throw error;
      this.#stopped ??= error.message;
    }
  }

  /** Returns the key of rows that are sent in order: the address, which stays the same through a `newEmail`. */
  keyOf(row: Row): string | undefined {
    if (row.unreadable !== undefined) return undefined;
    const { email, newEmail } = this.#run.survey.toParams(row.cells);
    const key = this.#earlierAddress.get(email.toLowerCase()) ?? email.toLowerCase();
    if (newEmail !== undefined) this.#earlierAddress.set(newEmail.toLowerCase(), key);
    return key;
  }

  async send(row: Row, signal: AbortSignal): Promise<void> {
    if (this.stopped !== undefined) return;
    const { journal, survey, client } = this.#run;
    if (survey.checked.get(row.index) === 'rejected')
      return journal.record(row.index, 'rejected', survey.checked.reason(row.index));
    const params = survey.toParams(row.cells);
    const idempotent = identifyIsIdempotent(params);
    const mark = markOf(params);
    if (!idempotent) await journal.recordSending(row.index, mark);
    const sent = await sendRow(client, params, signal);
    if ('stop' in sent) {
      this.#stopped ??= sent.stop.message;
      if (!idempotent) journal.record(row.index, 'pending');
      return;
    }
    if (sent.status !== 'pending') journal.record(row.index, sent.status, sent.reason, mark);
    this.#countUnacknowledged(sent);
    this.#countFailure(sent.byService === true, sent.reason);
  }

  #countUnacknowledged({ status, unacknowledged }: Outcome): void {
    const counts = this.#unacknowledged;
    counts.consecutive = unacknowledged === undefined ? 0 : counts.consecutive + 1;
    if (unacknowledged === undefined) return;
    counts.last = unacknowledged;
    if (status === 'pending') counts.left += 1;
    if (counts.consecutive >= maxUnacknowledged)
      this.#stopped ??= `the service acknowledged none of ${maxUnacknowledged} rows in a row: in place of its response came ${unacknowledged}`;
  }

  #countFailure(failed: boolean, reason = ''): void {
    this.#consecutiveFailures = failed ? this.#consecutiveFailures + 1 : 0;
    if (this.#consecutiveFailures >= maxConsecutiveFailures)
      this.#stopped ??= `${maxConsecutiveFailures} consecutive rows failed, the last one because: ${reason}`;
  }
}

/** Result of sending a row. */
interface Outcome {
  readonly status: RowStatus;
  readonly reason?: string;
  readonly byService?: true;
  /** What came under 2xx in place of the service's acknowledgment. */
  readonly unacknowledged?: string;
}

/** Result of sending a row, or the error that stops the import. */
type Sent = Outcome | { readonly stop: EmailMarketingError };

async function sendRow(
  client: EmailMarketingClient,
  params: IdentifyParams,
  signal: AbortSignal,
): Promise<Sent> {
  const idempotent = identifyIsIdempotent(params);
  try {
    const result = await client.legacy.identify(params, { signal });
    const other = otherThanAcknowledgment(result);
    return other === undefined ? { status: statusOf(result) } : unacknowledged(other, idempotent);
  } catch (error) {
    return failed(error, idempotent);
  }
}

/** Nobody knows whether the row was processed: it is left to send, if that does no harm. */
function unacknowledged(text: string, idempotent: boolean): Outcome {
  if (idempotent) return { status: 'pending', unacknowledged: text };
  const reason = `the service did not acknowledge it; in place of its response came ${text}`;
  return { status: 'unknown', reason, unacknowledged: text };
}

/** Reads from the service's message, whose text is not documented, whether the contact was created. */
function statusOf({ message }: IdentifyResult): RowStatus {
  const [created, updated] = [/\bcreated\b/i.test(message), /\bupdated\b/i.test(message)];
  if (created === updated) return 'sent';
  return created ? 'created' : 'updated';
}

function failed(error: unknown, idempotent: boolean): Sent {
  if (!EmailMarketingError.isInstance(error)) throw error;
  const isForeign = InvalidResponseError.isInstance(error) || (isSuccess(error) && !isOwnFailure(error.body));
  if (isForeign) return unacknowledged(error.message, idempotent);
  if (error.outcome === 'unknown') {
    const status = idempotent ? 'unknown-idempotent' : 'unknown';
    return { status, reason: error.message, byService: true };
  }
  const isOther = ApiError.isInstance(error) && otherStatuses.includes(error.status);
  if (error.outcome === 'not-sent' || isOther || stopsAll.some(type => type.isInstance(error)))
    return { stop: error };
  return { status: 'rejected', reason: error.message, byService: true };
}

/** Returns whether a failure was reported under 2xx. */
const isSuccess = (error: EmailMarketingError): error is ApiError =>
  ApiError.isInstance(error) && error.status >= 200 && error.status < 300;

/** Errors that do not depend on the row: a wrong key, no permission, a wrong address, too many requests. */
const stopsAll = [AuthenticationError, ConfigurationError, NotFoundError, PermissionError, RateLimitError];
/** Other such statuses: payment required, unavailable for legal reasons. */
const otherStatuses = [402, 451];
