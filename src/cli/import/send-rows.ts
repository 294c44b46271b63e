import { setMaxListeners } from 'node:events';
import {
  ApiError,
  AuthenticationError,
  bulk,
  ConfigurationError,
  type EmailMarketingClient,
  type EmailMarketingError,
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
import { ChangedFileError, readRows } from '../input-file.ts';
import type { Progress } from '../progress.ts';
import { markOf } from './changed-file.ts';
import type { Job } from './job.ts';
import type { Journal } from './journal.ts';
import { interrupted, type RowStatus } from './row-statuses.ts';
import type { Survey } from './survey.ts';

/** Consecutive error responses after which an import stops, because the other rows would most likely fail too. */
const maxConsecutiveFailures = 25;
/** Consecutive responses under 2xx that acknowledge nothing, after which an import stops: they are not the service's. */
const maxUnacknowledged = 3;
/** Time for rows in flight after a signal such as Ctrl-C, in milliseconds. */
const graceMs = 5000;
/** Time between two looks at whether the file has changed, in milliseconds. */
const fileCheckMs = 20;

/** A run that sends rows. */
export interface Import extends Job {
  readonly survey: Survey;
  readonly journal: Journal;
  readonly client: EmailMarketingClient;
}

/** A row as it is sent. */
interface Upsert {
  readonly index: number;
  readonly params: IdentifyParams;
}

/** Sends the pending rows, in any order. Resolves to why it stopped before the end, or to `undefined`. */
export async function sendRows(job: Import, progress: Progress): Promise<string | undefined> {
  const sending = new Sending(job, progress);
  const { signal } = job.context;
  const inFlight = new AbortController();
  // Each call in flight listens: Node warns of more than ten.
  setMaxListeners(0, inFlight.signal);
  let timer: NodeJS.Timeout | undefined;
  const abortLater = () => {
    timer = setTimeout(() => inFlight.abort(signal.reason), graceMs);
  };
  signal.addEventListener('abort', abortLater);
  try {
    const results = bulk(sending.rows(), row => sending.send(row, inFlight.signal), {
      concurrency: job.flags.concurrency,
      key: row => sending.keyOf(row),
      ordered: false,
    });
    for await (const result of results) if (!result.ok) throw result.error;
    return sending.stopped ?? sending.leftOver;
  } finally {
    signal.removeEventListener('abort', abortLater);
    clearTimeout(timer);
    inFlight.abort();
  }
}

class Sending {
  readonly #job: Import;
  readonly #progress: Progress;
  /** Address that a contact had before its `newEmail`. */
  readonly #earlierAddress = new Map<string, string>();
  #done: number;
  #consecutiveFailures = 0;
  #unacknowledged = { consecutive: 0, last: '' };
  #stopped: string | undefined;

  constructor(job: Import, progress: Progress) {
    this.#job = job;
    this.#progress = progress;
    const { statuses } = job.journal;
    this.#done = statuses.rows - statuses.count('pending');
  }

  /** Why no more rows are sent. Rows in flight are completed. */
  get stopped(): string | undefined {
    const { journal, context } = this.#job;
    if (journal.hasFailed) return 'the journal cannot be written';
    return this.#stopped ?? (context.signal.aborted ? 'stopped by a signal' : undefined);
  }

  /** That rows are left at the end, because nothing acknowledged them. */
  get leftOver(): string | undefined {
    const left = this.#job.journal.statuses.count('pending');
    return left === 0
      ? undefined
      : `the service did not acknowledge ${counted(left, 'row')}, which are left to send; in place of its response came ${this.#unacknowledged.last}`;
  }

  /** Yields the pending rows. */
  async *rows(): AsyncGenerator<Upsert, void, undefined> {
    const { file, survey, journal, context } = this.#job;
    let checkedAt = Number.NEGATIVE_INFINITY;
    try {
      for await (const { index, cells } of readRows(file, survey.format)) {
        if (this.stopped !== undefined) return;
        if (index < 0 || journal.statuses.get(index) !== 'pending') continue;
        if (context.now() - checkedAt >= fileCheckMs) {
          file.requireUnchanged();
          checkedAt = context.now();
        }
        yield { index, params: survey.toParams(cells) };
      }
    } catch (error) {
      if (!(error instanceof ChangedFileError)) throw error;
      this.#stopped ??= error.message;
    }
  }

  /** Returns the key of rows that are sent in order: the address, which stays the same through a `newEmail`. */
  keyOf({ params: { email, newEmail } }: Upsert): string {
    const key = this.#earlierAddress.get(email.toLowerCase()) ?? email.toLowerCase();
    if (newEmail !== undefined) this.#earlierAddress.set(newEmail.toLowerCase(), key);
    return key;
  }

  async send({ index, params }: Upsert, signal: AbortSignal): Promise<void> {
    if (this.stopped !== undefined) return;
    const { journal, client } = this.#job;
    const idempotent = identifyIsIdempotent(params);
    const mark = markOf(params);
    if (!idempotent) await journal.recordSending(index, mark);
    const outcome = await sendRow(client, params, idempotent, signal);
    const { status, reason, stop } = outcome;
    if (status !== 'pending') {
      journal.record(index, status, reason, mark);
      this.#progress.update(++this.#done);
    } else if (!idempotent) journal.record(index, status);
    this.#stopped ??= stop;
    this.#count(outcome);
  }

  #count({ unacknowledged, byService, reason }: Outcome): void {
    const counts = this.#unacknowledged;
    counts.consecutive = unacknowledged === undefined ? 0 : counts.consecutive + 1;
    if (unacknowledged !== undefined) {
      counts.last = unacknowledged;
      if (counts.consecutive >= maxUnacknowledged)
        this.#stopped ??= `the service acknowledged none of ${maxUnacknowledged} rows in a row: in place of its response came ${unacknowledged}`;
    }
    this.#consecutiveFailures = byService ? this.#consecutiveFailures + 1 : 0;
    if (this.#consecutiveFailures >= maxConsecutiveFailures)
      this.#stopped ??= `${maxConsecutiveFailures} consecutive rows failed, the last one because: ${reason}`;
  }
}

/** Result of sending a row. A row that is `pending` is left to send. */
interface Outcome {
  readonly status: RowStatus;
  readonly reason?: string;
  readonly byService?: true;
  /** What came under 2xx in place of the service's acknowledgment. */
  readonly unacknowledged?: string;
  /** Why the import stops: the failure does not depend on the row. */
  readonly stop?: string;
}

async function sendRow(
  client: EmailMarketingClient,
  params: IdentifyParams,
  idempotent: boolean,
  signal: AbortSignal,
): Promise<Outcome> {
  const result = await client.legacy.identify(params, { signal }).safe();
  if (!result.ok) return failed(result.error, idempotent);
  const other = otherThanAcknowledgment(result.data);
  return other === undefined ? { status: statusOf(result.data) } : unacknowledged(other, idempotent);
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

function failed(error: EmailMarketingError, idempotent: boolean): Outcome {
  if (error.name === 'CallAbortedError')
    return error.outcome === 'unknown' && !idempotent
      ? { status: 'unknown', reason: interrupted }
      : { status: 'pending' };
  const isForeign = InvalidResponseError.isInstance(error) || (isSuccess(error) && !isOwnFailure(error.body));
  if (isForeign) return unacknowledged(error.message, idempotent);
  if (error.outcome === 'unknown') {
    const status = idempotent ? 'unknown-idempotent' : 'unknown';
    const stop = PermissionError.isInstance(error) ? { stop: error.message } : {};
    return { status, reason: error.message, byService: true, ...stop };
  }
  const isOther = ApiError.isInstance(error) && otherStatuses.includes(error.status);
  if (error.outcome === 'not-sent' || isOther || stopsAll.some(type => type.isInstance(error)))
    return { status: 'pending', stop: error.message };
  return { status: 'rejected', reason: error.message, byService: true };
}

/** Returns whether a failure was reported under 2xx. */
const isSuccess = (error: EmailMarketingError): error is ApiError =>
  ApiError.isInstance(error) && error.status >= 200 && error.status < 300;

/** Errors that do not depend on the row: a wrong key, no permission, a wrong address, too many requests. */
const stopsAll = [AuthenticationError, ConfigurationError, NotFoundError, PermissionError, RateLimitError];
/** Other such statuses: payment required, unavailable for legal reasons. */
const otherStatuses = [402, 451];
