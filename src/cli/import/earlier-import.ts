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
  /** What was answered before, and the choices of the command line. */
  readonly choices: Choices;
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
  const noPeople = { sent: nobody, skipped: nobody, excepted: nobody };
  const begins: Resumption = { people: noPeople, choices: given };
  if (earlier === undefined) return begins;
  const { head, isFinished, people, skipped, excepted, statuses } = earlier;
  const isSame = head.sha256 === sha256;
  const isOwn = head.account === account;
  const known = { ...head.choices, ...given };
  // Answers belong to the bytes of a file: those of another one permit nothing here.
  if (people.size === 0) return isSame && isOwn ? { ...begins, choices: known } : begins;
  const journal = `${path}.journal`;
  if (!isOwn && !(flags.restart && isFinished && isSame))
    throw new UsageError(
      `${journal} belongs to ${head.account}, but this is ${account}: move it away to send every row to this account`,
      'account',
    );
  const names = Object.keys(given) as (keyof Choices)[];
  const differing = names.filter(name => JSON.stringify(given[name]) !== JSON.stringify(head.choices[name]));
  // Whoever was left out of an import of these bytes is left out of the next one, too.
  const except = [...new Set([...(isSame ? (head.choices.except ?? []) : []), ...(given.except ?? [])])];
  const choices = except.length > 0 ? { ...given, except } : given;
  const left = isSame ? excepted : nobody;
  if (flags.restart && (isFinished || !isSame))
    return { people: { sent: isOwn ? people : nobody, skipped: nobody, excepted: left }, choices };
  if (isSame && differing.length === 0)
    return { resumed: earlier, people: { sent: people, skipped, excepted }, choices: known };
  if (flags.onlyNew) return { people: { sent: people, skipped: people, excepted: left }, choices };
  const unknown = statuses.count('unknown');
  const sent = `${counted(statuses.count('sent'), 'row')} of ${head.rows}${unknown > 0 ? `, and perhaps ${unknown} more` : ''}`;
  const what = isSame
    ? `an import with other options (${differing.join(', ')}) sent ${sent}`
    : `${file.name} has changed since an import sent ${sent}`;
  // Without options that say who may be mailed, the others would be.
  const isAboutPeople = differing.includes('mailable') || differing.includes('except');
  const resume = isAboutPeople ? '' : 'leave these options out to resume it, or ';
  const anew =
    isFinished || !isSame
      ? '--restart sends every row again (++ and -- would count twice)'
      : `${resume}move ${journal} away to begin anew, also with rows that were sent`;
  throw new UsageError(`${what}: --only-new sends people who were not sent before; ${anew}`, 'confirmation');
}
