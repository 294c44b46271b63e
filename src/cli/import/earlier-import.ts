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
const noPeople = { sent: nobody, skipped: nobody, once: nobody, excepted: nobody };

/**
 * Returns what is resumed, by the first row of this table that applies:
 *
 * | the earlier import | this run |
 * |---|---|
 * | none, or it sent nothing | begins |
 * | to another account | is refused |
 * | of other bytes, or by other answers | begins with `--only-new` (without people who were sent) or `--restart` |
 * | complete | sends nothing; `--restart` begins |
 * | incomplete | resumes |
 *
 * @throws UsageError with the way on.
 */
export function resumptionOf(
  { file, path, given, flags }: Job,
  earlier: EarlierImport | undefined,
  { sha256 }: Facts,
  account: string | undefined,
): Resumption {
  const begins: Resumption = { people: noPeople, choices: given };
  if (earlier === undefined) return begins;
  const { head, isFinished, people, once, before, statuses } = earlier;
  const isSame = head.sha256 === sha256;
  const isOwn = account === undefined || head.account === account;
  const known = { ...head.choices, ...given };
  // Answers belong to the bytes of a file: those of another one permit nothing here.
  if (people.size === 0) return isSame && isOwn ? { ...begins, choices: known } : begins;
  if (!isOwn)
    throw new UsageError(
      `${path}.journal belongs to ${head.account}, but this is ${account}: move it away to send every row to this account`,
      'account',
    );
  const names = Object.keys(given) as (keyof Choices)[];
  const differing = names.filter(name => JSON.stringify(given[name]) !== JSON.stringify(head.choices[name]));
  const isResumed = isSame && differing.length === 0;
  if (isResumed && !(flags.restart && isFinished))
    return { resumed: earlier, people: { ...before, sent: people }, choices: known };
  if (flags.restart || flags.onlyNew) {
    // Whoever was left out of an import of these bytes is left out of the next one, too.
    const except = [...new Set([...(isSame ? (head.choices.except ?? []) : []), ...(given.except ?? [])])];
    const [skipped, excepted] = [flags.onlyNew ? people : nobody, isSame ? before.excepted : nobody];
    return {
      people: { sent: people, skipped, once, excepted },
      choices: except.length > 0 ? { ...given, except } : given,
    };
  }
  const unknown = statuses.count('unknown');
  const sent = `${counted(statuses.count('sent'), 'row')} of ${head.rows}${unknown > 0 ? `, and perhaps ${unknown} more` : ''}`;
  const what = isSame
    ? `an import with other options (${differing.join(', ')}) sent ${sent}`
    : `${file.name} has changed since an import sent ${sent}`;
  // Without options that say who may be mailed, the others would be.
  const isAboutPeople = differing.includes('mailable') || differing.includes('except');
  const resume = isFinished || !isSame || isAboutPeople ? '' : '; leave these options out to resume it';
  throw new UsageError(
    `${what}: --only-new sends people who were not sent before; ${restartHelp}${resume}`,
    'confirmation',
  );
}

/** What a restart does. */
export const restartHelp =
  '--restart sends all rows again, except those with ++, -- or newEmail that may have been sent';
