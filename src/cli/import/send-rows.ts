import { setMaxListeners } from 'node:events';
import {
  ApiError,
  bulk,
  type EmailMarketingClient,
  type EmailMarketingError,
  type IdentifyParams,
  InvalidResponseError,
} from '../../index.ts';
import { isOwnFailure, otherThanAcknowledgment } from '../acknowledgment.ts';
import { counted } from '../command-line.ts';
import { type Progress, startProgress } from '../progress.ts';
import type { Checked } from './check-rows.ts';
import type { Job } from './options.ts';
import { personOf } from './people.ts';
import { readRows } from './read-rows.ts';
import type { RowStatus } from './row-statuses.ts';
import type { Sent } from './sent.ts';

/** Consecutive rows after which an import stops, because the others would most likely fail too, and what it says. */
const limits = {
  fail: { rows: 1, why: '' },
  'may fail': { rows: 25, why: '25 consecutive rows failed, the last one because: ' },
  // Responses under 2xx that acknowledge nothing: they are not the service's.
  'may not arrive': { rows: 3, why: 'the service acknowledged none of 3 rows in a row: ' },
};
/** Time for rows in flight after a signal such as Ctrl-C, in milliseconds. */
const graceMs = 5000;

/** A run that sends rows. */
export interface Import extends Job {
  readonly checked: Checked;
  readonly sent: Sent;
  readonly client: EmailMarketingClient;
}

/** A row as it is sent. */
interface Upsert {
  readonly index: number;
  readonly params: IdentifyParams;
  readonly person: number;
}

/** Sends the pending rows, in any order. Resolves to why it stopped before the end, or to `undefined`. */
export async function sendRows(run: Import): Promise<string | undefined> {
  using progress = startProgress(run.context, 'Imported', run.checked.statuses.count('pending'));
  const sending = new Sending(run, progress);
  const { signal } = run.context;
  const inFlight = new AbortController();
  // Each call in flight listens: Node warns of more than ten.
  setMaxListeners(0, inFlight.signal);
  const abortLater = () => setTimeout(() => inFlight.abort(signal.reason), graceMs).unref();
  signal.addEventListener('abort', abortLater);
  try {
    const results = bulk(sending.rows(), row => sending.send(row, inFlight.signal), {
      concurrency: run.flags.concurrency,
      // Of two rows with one address, the second is right.
      key: ({ person }) => person,
      ordered: false,
    });
    for await (const result of results) if (!result.ok) throw result.error;
    return sending.stopped ?? sending.leftOver;
  } finally {
    signal.removeEventListener('abort', abortLater);
    inFlight.abort();
  }
}

class Sending {
  readonly #run: Import;
  readonly #progress: Progress;
  /** What the last rows said about the next ones, and how many of them. */
  readonly #inARow: { next: Outcome['next']; rows: number } = { next: undefined, rows: 0 };
  /** Content of the acknowledged rows of each person, and people with a row that was not acknowledged. */
  readonly #contents = new Map<number, string>();
  readonly #unclear = new Set<number>();
  #lastReason = '';
  #stopped: string | undefined;

  constructor(run: Import, progress: Progress) {
    this.#run = run;
    this.#progress = progress;
  }

  /** Why no more rows are sent. Rows in flight are completed. */
  get stopped(): string | undefined {
    const { sent, context } = this.#run;
    if (sent.failure !== undefined) return sent.failure.message;
    return this.#stopped ?? (context.signal.aborted ? 'interrupted by a signal' : undefined);
  }

  /** That rows are left at the end, because their responses said nothing. */
  get leftOver(): string | undefined {
    const left = this.#run.checked.statuses.count('pending');
    return left === 0
      ? undefined
      : `${counted(left, 'row')} got no clear response; the last one: ${this.#lastReason}`;
  }

  /** Yields the pending rows. */
  async *rows(): AsyncGenerator<Upsert, void, undefined> {
    const { file, checked } = this.#run;
    try {
      for await (const [index, cells] of readRows(file, checked.survey.reading)) {
        if (index < 0 || checked.statuses.get(index) !== 'pending') continue;
        file.requireUnchanged();
        if (this.stopped !== undefined) return;
        const params = checked.toParams(cells);
        yield { index, params, person: personOf(params.email.toLowerCase()) };
      }
    } catch (error) {
      if (!file.hasChanged) throw error;
      this.#stopped ??= (error as Error).message;
    }
  }

  async send({ index, params, person }: Upsert, signal: AbortSignal): Promise<void> {
    if (this.stopped !== undefined) return;
    const { sent, checked, client } = this.#run;
    const outcome = await sendRow(client, params, signal);
    const { status, reason = '', next } = outcome;
    const logged = holdsPerson(reason, params) ? `legacy.identify: ${outcome.short}` : reason;
    checked.statuses.set(index, status, reason, logged);
    if (status !== 'pending') this.#progress.add(1);
    if (status !== 'sent') this.#unclear.add(person);
    // What follows a row that was not acknowledged is sent again with it.
    if (!this.#unclear.has(person)) {
      const content = sent.contentOf(params, this.#contents.get(person));
      this.#contents.set(person, content);
      sent.add(person, content);
    }
    this.#count(next, this.#run.flags.yes ? logged : reason);
  }

  #count(next: Outcome['next'], reason: string): void {
    const inARow = this.#inARow;
    inARow.rows = inARow.next === next ? inARow.rows + 1 : 1;
    inARow.next = next;
    if (next === undefined) return;
    this.#lastReason = reason;
    if (inARow.rows >= limits[next].rows) this.#stopped ??= limits[next].why + reason;
  }
}

/** Result of sending a row. A row that is `pending` is left to send: nobody knows whether the service acted. */
interface Outcome {
  readonly status: RowStatus;
  readonly reason?: string;
  /** The reason without the words of the service, which may hold an address or a name. */
  readonly short?: string;
  /** What a failure says about the next rows. */
  readonly next?: keyof typeof limits;
}

async function sendRow(
  client: EmailMarketingClient,
  params: IdentifyParams,
  signal: AbortSignal,
): Promise<Outcome> {
  const result = await client.legacy.identify(params, { signal }).safe();
  if (!result.ok) return failed(result.error);
  const other = otherThanAcknowledgment(result.data);
  if (other === undefined) return { status: 'sent' };
  const short = "something came in place of the service's response";
  return {
    ...{ status: 'pending', next: 'may not arrive', short },
    reason: `in place of the service's response came ${other}`,
  };
}

function failed(error: EmailMarketingError): Outcome {
  const { outcome, message: reason, name } = error;
  if (error.name === 'CallAbortedError') return { status: 'pending' };
  const status = ApiError.isInstance(error) ? error.response.status : 0;
  const short = `${name}${status > 0 ? `, status ${status}` : ''}`;
  const isForeign = ApiError.isInstance(error) && status >= 200 && status < 300 && !isOwnFailure(error.body);
  if (isForeign || InvalidResponseError.isInstance(error))
    return { status: 'pending', reason, short, next: 'may not arrive' };
  const next = outcome === 'not-sent' || error.scope === 'account' ? 'fail' : 'may fail';
  const isRejected = next === 'may fail' && outcome === 'refused' && !error.retryable;
  return { status: isRejected ? 'rejected' : 'pending', reason, short, next };
}

/** Returns whether a text holds an address, or what a row says about a person. */
function holdsPerson(text: string, { customFields, tags: _, ...fields }: IdentifyParams): boolean {
  const lower = text.toLowerCase();
  const texts = [...Object.values(fields), ...Object.values(customFields ?? {})].map(value =>
    String(value).toLowerCase(),
  );
  return lower.includes('@') || texts.some(value => value.length > 1 && lower.includes(value));
}
