import { setMaxListeners } from 'node:events';
import {
  ApiError,
  bulk,
  type EmailMarketingClient,
  type EmailMarketingError,
  type IdentifyParams,
  InvalidResponseError,
  queueAction,
} from '../../index.ts';
import { isOwnFailure, otherThanAcknowledgment } from '../acknowledgment.ts';
import { counted, messageOf } from '../command-line.ts';
import { startProgress } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import type { Checked } from './check.ts';
import type { Person, Row } from './rows.ts';
import type { Sent } from './sent.ts';

/** People whose rows are in flight at once. */
const concurrency = 8;
/** Time for rows in flight after a signal such as Ctrl-C, in milliseconds. */
const graceMs = 5000;

/**
 * Consecutive rows after which an import stops, because the others would most likely fail too: rows whose response
 * acknowledges nothing or concerns the account, and rows that failed. One row that a firewall rejects stops nothing.
 */
const maxUnacknowledged = 3;
const maxFailures = 25;

interface Import {
  readonly checked: Checked;
  readonly sent: Sent;
  readonly client: EmailMarketingClient;
  readonly context: Context;
  /** Returns why no more rows may be sent. */
  isStale(): string | undefined;
}

/** Sends the pending rows, in any order. Resolves to why it stopped before the end, or to `undefined`. */
export async function sendRows(of: Import): Promise<string | undefined> {
  const { sent, client, context } = of;
  const { rows, people } = of.checked;
  const isLeft = ({ status }: Row) => status === 'pending';
  using progress = startProgress(context, 'Imported', rows.filter(isLeft).length);
  const { signal } = context;
  const inFlight = new AbortController();
  // Each call in flight listens: Node warns of more than ten.
  setMaxListeners(0, inFlight.signal);
  const abortLater = () => setTimeout(() => inFlight.abort(signal.reason), graceMs).unref();
  signal.addEventListener('abort', abortLater);
  let [unacknowledged, failures, lastReason] = [0, 0, ''];
  let stopped: string | undefined;

  function* waiting() {
    for (const person of people) {
      stopped ??= of.isStale();
      if (stopped !== undefined || signal.aborted) return;
      yield person;
    }
  }

  async function send(person: Person): Promise<void> {
    for (const row of person.rows) {
      if (stopped !== undefined || signal.aborted || row.params === undefined) return;
      const outcome = await sendRow(client, row.params, inFlight.signal);
      Object.assign(row, outcome);
      if (row.status !== 'pending') progress.add(1);
      failures = outcome.brief === undefined ? 0 : failures + 1;
      unacknowledged = outcome.isUnacknowledged ? unacknowledged + 1 : 0;
      lastReason = outcome.brief ?? lastReason;
      if (unacknowledged >= maxUnacknowledged)
        stopped ??= `the service acknowledged none of ${maxUnacknowledged} rows in a row: ${lastReason}`;
      if (failures >= maxFailures)
        stopped ??= `${maxFailures} rows in a row failed, the last one because: ${lastReason}`;
    }
    if (person.rows.some(({ status }) => status !== 'sent')) return;
    // Such as a full disk.
    await sent.add(person).catch(error => {
      stopped ??= messageOf(error);
    });
  }

  try {
    for await (const result of bulk(waiting(), send, { concurrency, ordered: false }))
      if (!result.ok) throw result.error;
  } finally {
    signal.removeEventListener('abort', abortLater);
    inFlight.abort();
  }
  if (signal.aborted) stopped ??= 'interrupted by a signal';
  const left = rows.filter(isLeft).length;
  if (left > 0) stopped ??= `${counted(left, 'row')} got no clear response; the last one: ${lastReason}`;
  return stopped;
}

/** Result of sending a row. A row that is `pending` is sent again by the next run: the service may have acted or not. */
interface Outcome extends Pick<Row, 'status' | 'reason' | 'brief'> {
  readonly isUnacknowledged?: boolean;
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
  const brief = `in place of the service's response came ${other}`;
  return { status: 'pending', brief, isUnacknowledged: true };
}

function failed(error: EmailMarketingError): Outcome {
  const { message, name } = error;
  if (name === 'CallAbortedError') return { status: 'pending' };
  const response = ApiError.isInstance(error) ? error.response : undefined;
  const isForeign = ApiError.isInstance(error) && error.response.status < 300 && !isOwnFailure(error.body);
  const action = queueAction(error);
  if (isForeign || action === 'pause' || InvalidResponseError.isInstance(error))
    return { status: 'pending', brief: message, isUnacknowledged: true };
  // What the service says about a row may contain an address or a name.
  const brief = response ? `the service responded with ${name}, status ${response.status}` : message;
  return { status: action === 'drop' ? 'rejected' : 'pending', reason: message, brief };
}
