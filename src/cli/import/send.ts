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

/** Consecutive rows after which an import stops, because the others would most likely fail too, and what it says. */
const limits = {
  fail: { rows: 1, why: '' },
  'may fail': { rows: 25, why: '25 rows in a row failed, the last one because: ' },
  // Responses under 2xx that acknowledge nothing: they are not the service's.
  'may not arrive': { rows: 3, why: 'the service acknowledged none of 3 rows in a row: ' },
};

interface Import {
  readonly checked: Checked;
  readonly sent: Sent;
  readonly client: EmailMarketingClient;
  readonly context: Context;
  /** Returns why no more rows may be sent. */
  isStale(): string | undefined;
}

/** Sends the pending rows, in any order. Resolves to why it stopped before the end, or to `undefined`. */
export async function sendRows({
  checked,
  sent,
  client,
  context,
  isStale,
}: Import): Promise<string | undefined> {
  const { rows, people } = checked;
  const isLeft = ({ status }: Row) => status === 'pending';
  using progress = startProgress(context, 'Imported', rows.filter(isLeft).length);
  const { signal } = context;
  const inFlight = new AbortController();
  // Each call in flight listens: Node warns of more than ten.
  setMaxListeners(0, inFlight.signal);
  const abortLater = () => setTimeout(() => inFlight.abort(signal.reason), graceMs).unref();
  signal.addEventListener('abort', abortLater);
  /** What the last rows said about the next ones, and how many of them. */
  let [next, inARow, lastReason]: [Outcome['next'], number, string] = [undefined, 0, ''];
  let stopped: string | undefined;

  function* waiting() {
    for (const person of people) {
      stopped ??= isStale();
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
      [next, inARow] = [outcome.next, outcome.next === next ? inARow + 1 : 1];
      if (next === undefined) continue;
      lastReason = outcome.brief ?? '';
      if (inARow >= limits[next].rows) stopped ??= limits[next].why + lastReason;
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

/** Result of sending a row. A row that is `pending` is left to send: nobody knows whether the service acted. */
interface Outcome extends Pick<Row, 'status' | 'reason' | 'brief'> {
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
  const brief = `in place of the service's response came ${other}`;
  return { status: 'pending', brief, next: 'may not arrive' };
}

function failed(error: EmailMarketingError): Outcome {
  const { outcome, message, name } = error;
  if (name === 'CallAbortedError') return { status: 'pending' };
  const status = ApiError.isInstance(error) ? error.response.status : 0;
  const isForeign = ApiError.isInstance(error) && status >= 200 && status < 300 && !isOwnFailure(error.body);
  if (isForeign || InvalidResponseError.isInstance(error))
    return { status: 'pending', brief: message, next: 'may not arrive' };
  if (outcome === 'not-sent' || error.scope === 'account')
    return { status: 'pending', brief: message, next: 'fail' };
  // What the service says about a row may hold an address or a name.
  const brief = `the service responded with ${name}${status > 0 ? `, status ${status}` : ''}`;
  const isRejected = outcome === 'refused' && !error.retryable;
  return { status: isRejected ? 'rejected' : 'pending', reason: message, brief, next: 'may fail' };
}
