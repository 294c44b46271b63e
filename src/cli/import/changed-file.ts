import { hash } from 'node:crypto';
import type { IdentifyParams } from '../../index.ts';
import { identifyIsIdempotent } from '../../resources/endpoints.ts';
import { counted, UsageError } from '../command-line.ts';
import type { EarlierImport } from './earlier-import.ts';
import type { Entry, RowStatus } from './row-statuses.ts';

/** A row of the changed file. */
export interface MarkedRow {
  readonly index: number;
  readonly mark: string;
  /** What the survey found: only a row that is `pending` can be sent. */
  readonly status: RowStatus;
}

/** Start of the mark of a row that must not be sent twice. */
const once = '!';
const isOnce = (mark: string): boolean => mark.startsWith(once);
const hashLength = 16;

/**
 * Returns a text that two rows share if they send the same. For rows that must not be sent twice, only what must not
 * happen twice counts: another name does not make them new.
 */
export function markOf(params: IdentifyParams): string {
  const isIdempotent = identifyIsIdempotent(params);
  const content = isIdempotent ? params : amountsOf(params);
  const digest = hash('sha256', JSON.stringify(content), 'base64url');
  return (isIdempotent ? '' : once) + digest.slice(0, hashLength);
}

function amountsOf({ email, newEmail = '', customFields = {} }: IdentifyParams): readonly unknown[] {
  const isAmount = ([name, value]: [string, unknown]) =>
    !identifyIsIdempotent({ customFields: { [name]: value } });
  const amounts = Object.entries(customFields).filter(isAmount).sort();
  return [email.toLowerCase(), newEmail.toLowerCase(), amounts];
}

/** Statuses of rows that the service has acted on, or may have. */
const sentStatuses: ReadonlySet<RowStatus> = new Set(['sending', 'sent', 'created', 'updated', 'unknown']);

/** Returns the indexes of the rows that were sent, by the marks of all rows. */
function sentByMark({ results, marks }: EarlierImport): Map<string, number[]> {
  const sent = new Map<string, number[]>();
  for (const [index, mark] of marks) {
    const same = sent.get(mark) ?? [];
    if (sentStatuses.has(results.get(index))) same.push(index);
    sent.set(mark, same);
  }
  return sent;
}

/** Yields the rejected rows last: one can have been sent before, but a row that can be sent comes first. */
async function* rejectedLast(rows: AsyncIterable<MarkedRow>): AsyncGenerator<MarkedRow, void, undefined> {
  const rejected: MarkedRow[] = [];
  for await (const row of rows)
    if (row.status === 'rejected') rejected.push(row);
    else yield row;
  yield* rejected;
}

/**
 * Returns the entries of rows that an earlier import of a changed file has sent, and what to tell the user.
 * @param restart Send new rows even if they may be edited ones, and rows that were sent before if that is harmless.
 * @throws UsageError if rows that must not be sent twice may have been edited.
 */
export async function compareRows(
  earlier: EarlierImport,
  rows: AsyncIterable<MarkedRow>,
  restart: boolean,
): Promise<{ readonly before: readonly Entry[]; readonly note: string }> {
  const { results, isFinished } = earlier;
  const changed = 'The file has changed since rows of it were sent:';
  const sent = sentByMark(earlier);
  if (restart && isFinished && ![...sent.keys()].some(isOnce))
    return { before: [], note: `${changed} sending every row again, which does no harm.` };
  const before: Entry[] = [];
  const fresh: string[] = [];
  let optedOut = 0;
  for await (const { index, mark, status } of rejectedLast(rows)) {
    const match = sent.get(mark)?.pop();
    if (match !== undefined && status === 'opted-out') optedOut += 1;
    if (match !== undefined) before.push([index, results.get(match), results.reason(match) ?? '', mark]);
    else if (status === 'pending') fresh.push(mark);
  }
  const missing = [...sent].flatMap(([mark, indexes]) => (isOnce(mark) ? indexes : [])).length;
  if (missing > 0 && fresh.some(isOnce) && !restart)
    throw new UsageError(
      `the file has changed since rows of it were sent: it lacks ${counted(missing, 'row')} with ++, -- or newEmail, ` +
        `and its ${counted(fresh.length, 'new row')} may be edited ones, so nothing was sent; ` +
        '--restart sends the new rows, --discard every row',
      'confirmation',
    );
  const skips = `skipping ${counted(before.length, 'row')} sent before; --discard sends every row.`;
  const left = ` Of these, ${counted(optedOut, 'row')} now opted out: unsubscribe them in the service.`;
  return { before, note: `${changed} ${skips}${optedOut > 0 ? left : ''}` };
}
