import { counted, UsageError } from '../command-line.ts';
import type { Facts } from '../input-file.ts';
import type { EarlierPeople } from './checked-rows.ts';
import type { Choices, Job } from './job.ts';
import type { EarlierImport } from './journal.ts';

/** What an earlier import leaves to this one. */
export interface Resumption {
  /** The import that is resumed; absent if a new one begins. */
  readonly resumed?: EarlierImport;
  readonly people: EarlierPeople;
  /** What was answered before. */
  readonly answers: Choices;
}

const nobody = new Set<number>();

/**
 * Returns what is resumed, by the first row of this table that applies:
 *
 * | the earlier import | this run |
 * |---|---|
 * | none, or it sent nothing | begins |
 * | of other bytes | begins with `--only-new` (without people who were sent) or `--restart` |
 * | to another account | is refused; after a complete import of the same bytes, `--restart` begins |
 * | by other answers | begins with `--only-new`, or after a complete import with `--restart` |
 * | complete | sends nothing; `--restart` begins |
 * | incomplete | resumes |
 *
 * @throws UsageError with the way on.
 */
export function resumptionOf(
  { file, path, given, flags }: Job,
  earlier: EarlierImport | undefined,
  { sha256 }: Facts,
  account: string,
): Resumption {
  const begins: Resumption = { people: { sent: nobody, skipped: nobody }, answers: {} };
  if (earlier === undefined) return begins;
  const { head, isFinished, people, skipped, statuses } = earlier;
  const isSame = head.sha256 === sha256;
  const isOwn = head.account === account;
  // Answers belong to the bytes of a file: those of another one permit nothing here.
  if (people.size === 0) return isSame && isOwn ? { ...begins, answers: head.choices } : begins;
  const journal = `${path}.journal`;
  const sent = `${counted(statuses.count('sent', 'unknown'), 'row')} of ${head.rows}`;
  const anew: Resumption = { people: { sent: isOwn ? people : nobody, skipped: nobody }, answers: {} };
  if (!isOwn && !(flags.restart && isFinished && isSame))
    throw new UsageError(
      `${journal} belongs to ${head.account}, but this is ${account}: move it away to send every row to this account`,
      'account',
    );
  if (!isSame) {
    if (flags.onlyNew) return { ...anew, people: { sent: people, skipped: people } };
    if (flags.restart) return anew;
    throw new UsageError(
      `${file.name} has changed since an import sent ${sent}. --only-new sends people who were not sent before; ` +
        '--restart sends every row (++ and -- would count twice)',
      'confirmation',
    );
  }
  if (isFinished && flags.restart) return anew;
  const differing = (Object.keys(given) as (keyof Choices)[]).filter(
    name => JSON.stringify(given[name]) !== JSON.stringify(head.choices[name]),
  );
  if (differing.length > 0 && flags.onlyNew) return { ...anew, people: { sent: people, skipped: people } };
  if (differing.length > 0)
    throw new UsageError(
      `an import with other options (${differing.join(', ')}) sent ${sent}: ` +
        (isFinished
          ? '--restart sends every row again, --only-new sends people who were not sent before'
          : `leave these options out to resume it, or move ${journal} away to begin anew, also with rows that were sent. ` +
            '--only-new sends people who were not sent before'),
      'confirmation',
    );
  return { resumed: earlier, people: { sent: people, skipped }, answers: head.choices };
}
