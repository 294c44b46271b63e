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
import { acknowledgmentProblem } from '../acknowledgment.ts';
import { messageOf } from '../command-line.ts';
import { startProgress } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import type { Checked } from './check.ts';
import type { Person, Row } from './rows.ts';
import type { Sent } from './side-files.ts';

/** People whose rows are sent at once. */
const concurrency = 8;

/**
 * Consecutive rows after which an import stops, because the others would most likely fail too: rows whose response
 * acknowledges nothing or concerns the account, and rows that failed. One row that a firewall rejects stops nothing.
 */
const maxUnacknowledged = 3;
const maxFailures = 25;

/**
 * Sends the pending rows, in any order. `isStale` returns why no more may be sent. Resolves to why it stopped before the end,
 * or to `undefined`. Rows that a signal interrupts are sent again by the next run.
 */
export async function sendRows(
  { rows, people }: Checked,
  sent: Sent,
  client: EmailMarketingClient,
  context: Context,
  isStale: () => string | undefined,
): Promise<string | undefined> {
  const { signal } = context;
  const isLeft = ({ status }: Row) => status === 'pending';
  using progress = startProgress(context, 'Imported', rows.filter(isLeft).length);
  // Each call adds a listener, and Node warns about more than ten.
  setMaxListeners(0, signal);
  let [unacknowledged, failures, lastReason] = [0, 0, ''];
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
      const result = await sendRow(client, row.params, signal);
      Object.assign(row, result);
      if (row.status !== 'pending') progress.add(1);
      failures = result.brief === undefined ? 0 : failures + 1;
      unacknowledged = result.isUnacknowledged ? unacknowledged + 1 : 0;
      lastReason = result.brief ?? lastReason;
      if (unacknowledged >= maxUnacknowledged)
        stopped ??= `the service acknowledged none of ${maxUnacknowledged} consecutive rows: ${lastReason}`;
      if (failures >= maxFailures)
        stopped ??= `${maxFailures} consecutive rows failed, the last one with: ${lastReason}`;
    }
    if (person.rows.some(({ status }) => status !== 'sent')) return;
    // The disk may be full, for example.
    await sent.add(person).catch(error => {
      stopped ??= messageOf(error);
    });
  }

  for await (const result of bulk(waiting(), send, { concurrency, ordered: false }))
    if (!result.ok) throw result.error;
  if (signal.aborted) stopped ??= 'interrupted by a signal';
  const left = rows.find(isLeft);
  if (left) stopped ??= `line ${left.line} was not acknowledged: ${left.brief}`;
  return stopped;
}

/** Result of sending a row. The next run sends `pending` rows again, whether or not the service has acted. */
interface RowResult extends Pick<Row, 'status' | 'reason' | 'brief'> {
  readonly isUnacknowledged?: boolean;
}

async function sendRow(
  client: EmailMarketingClient,
  params: IdentifyParams,
  signal: AbortSignal,
): Promise<RowResult> {
  const result = await client.legacy.identify(params, { signal }).safe();
  if (!result.ok) return failed(result.error);
  const brief = acknowledgmentProblem(result.data);
  return brief === undefined ? { status: 'sent' } : { status: 'pending', brief, isUnacknowledged: true };
}

function failed(error: EmailMarketingError): RowResult {
  const { message, name } = error;
  if (name === 'CallAbortedError') return { status: 'pending' };
  const response = ApiError.isInstance(error) ? error.response : undefined;
  // Such as a login page that responds with 200.
  const isForeign = response !== undefined && response.status < 300 && error.outcome !== 'refused';
  const action = queueAction(error);
  if (isForeign || action === 'pause' || InvalidResponseError.isInstance(error))
    return { status: 'pending', brief: message, isUnacknowledged: true };
  // The service's message may contain an address or a name.
  const brief = response ? `the service responded with ${name}, status ${response.status}` : message;
  return { status: action === 'drop' ? 'rejected' : 'pending', reason: message, brief };
}
