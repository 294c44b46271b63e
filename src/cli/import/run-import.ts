import { existsSync } from 'node:fs';
import { EmailMarketingClient } from '../../index.ts';
import { clientOptions, legacyAccount, requireVariables } from '../account.ts';
import {
  codeOf,
  couldNotRunExitCode,
  counted,
  doneExitCode,
  messageOf,
  someFailedExitCode,
  UsageError,
} from '../command-line.ts';
import { type Facts, InputFile } from '../input-file.ts';
import type { Context } from '../surroundings.ts';
import { ask, isInteractive, print, printJson, waitLogger } from '../terminal.ts';
import { Audience } from './audience.ts';
import { type Checked, checkRows } from './check-rows.ts';
import { type Open, openOf } from './open.ts';
import type { Job } from './options.ts';
import { layoutOf, type Reading, reading } from './read-rows.ts';
import {
  createReport,
  formatChecked,
  formatNotSent,
  formatOpen,
  formatReport,
  formatSurvey,
  peopleOf,
  surveyData,
} from './report.ts';
import { type RowFiles, writeRowFiles } from './row-files.ts';
import { sendRows } from './send-rows.ts';
import { Sent } from './sent.ts';
import { surveyRows } from './survey.ts';

/**
 * Imports the file at `path`; resolves to the exit code. It ends when something is open, in a dry run before it sends
 * anything, and if nobody confirms.
 */
export async function importFile(setup: Omit<Job, 'file'>, path: string): Promise<number> {
  const { flags, context } = setup;
  requireNoJournal(`${path}.journal`);
  await using file = await InputFile.open(path);
  const job: Job = { ...setup, file };
  const facts = await reading(job, 'Read', () => file.inspect(context.signal));
  const survey = await reading(job, 'Read', () => surveyRows(job, readingOf(job, facts)));
  const audience = new Audience(survey);
  const {
    EMAIL_MARKETING_BASE_URL: url,
    EMAIL_MARKETING_API_KEY: key,
    EMAIL_MARKETING_TEAM_ID: team,
  } = context.env;
  // Without a key, the command still shows what is open, and what a dry run would do, but not what was sent before.
  const ready = url && key && team ? createClient(context) : undefined;
  // Corrected rows are of the people of the file that they come from: who was left out there stays out.
  const record = `${path.replace(/\.rejected(?:\.\d+)?\.csv$/, '')}.sent`;
  const sent = new Sent(record, ready && legacyAccount(context.env));
  await sent.read();
  const checked = await reading(job, 'Checked', () => checkRows(job, survey, audience, sent));
  print(context, formatSurvey(job, checked));
  requireNothingOpen(job, checked, openOf(survey, audience, flags.yes === true));
  print(context, formatChecked(checked, job));
  if (flags.dryRun) return conclude(job, checked, {});
  const client = ready ?? createClient(context);
  print(context, formatNotSent(createReport(job, checked, {})));
  await requireConfirmed(job, checked);
  file.requireUnchanged();
  return await send(job, checked, sent, client);
}

/** @throws UsageError if version 1.0.0-rc.2 began to import the file. */
function requireNoJournal(path: string): void {
  if (existsSync(path))
    throw new UsageError(
      `${path} shows that version 1.0.0-rc.2 imported this file, so its rows may be there already: finish that import ` +
        'with npx email-marketing-client@1.0.0-rc.2, or move that file away to send all rows again',
      'file',
    );
}

/** @throws UsageError that names the variables that are missing. */
function createClient(context: Context): EmailMarketingClient {
  requireVariables(context.env, ['EMAIL_MARKETING_TEAM_ID']);
  return new EmailMarketingClient({
    ...clientOptions(context.env),
    onDrift: () => {},
    logger: waitLogger(context),
  });
}

/** @throws UsageError with all that is open. */
function requireNothingOpen(job: Job, checked: Checked, open: readonly Open[]): void {
  const { context, flags } = job;
  if (open.length === 0) return;
  if (!flags.json) print(context, formatOpen(job, checked, open));
  throw new UsageError(
    `nothing was sent, because ${counted(open.length, 'thing')} ${open.length === 1 ? 'is' : 'are'} open${flags.json ? '' : ' (see above)'}`,
    'confirmation',
    { survey: surveyData(checked, flags), open },
  );
}

/** Asks for the number of people, which nobody types without having read it. @throws UsageError if it is not typed. */
async function requireConfirmed({ context, flags }: Job, checked: Checked): Promise<void> {
  const account = legacyAccount(context.env);
  const { going, text } = peopleOf(checked);
  if (going === 0) print(context, ['Nothing is left to send.']);
  else if (flags.yes) print(context, [`Mailing ${text}, to ${account}.`]);
  else if (!isInteractive(context))
    throw new UsageError(
      'nothing was sent, because there is no terminal where you could confirm it (see --yes in --help)',
      'confirmation',
    );
  else {
    print(context, [`To ${account}:`, `  ${text}`]);
    const typed = await ask(context, 'How many people will be mailed? Type the number to start:');
    if (typed !== String(going)) throw new UsageError('Nothing was sent.', 'confirmation');
  }
}

async function send(job: Job, checked: Checked, sent: Sent, client: EmailMarketingClient): Promise<number> {
  await sent.open();
  try {
    const isLeft = checked.statuses.count('pending') > 0;
    // An import that mails nobody, and has not before, may be a mistake: it says no to nobody.
    if (isLeft || !sent.isEmpty) checked.remember();
    await sent.flush();
    const stopped = isLeft ? await sendRows({ ...job, checked, sent, client }) : undefined;
    const files = job.file.hasChanged ? {} : await writeRowFiles(job, checked, sent);
    await sent.close();
    return conclude(job, checked, files, stopped);
  } catch (error) {
    // Such as a full disk.
    await sent.close().catch(() => {});
    const rows = `${counted(checked.statuses.count('sent'), 'row')} of ${checked.statuses.rows}`;
    throw new UsageError(`${messageOf(error)}; ${rows} were sent`, codeOf(error));
  }
}

/** Returns how the bytes of the file are read. */
function readingOf({ file, choices }: Job, { mark, isUtf8, head }: Facts): Reading {
  if (mark === undefined && !isUtf8 && choices.encoding === undefined)
    throw new UsageError(
      `${file.name} is not UTF-8: save it as "CSV UTF-8", or pass --encoding, such as --encoding windows-1252`,
      'file',
    );
  // A mark decides: files of rejected rows have one, whatever encoding was named for their input.
  const encoding = mark ?? choices.encoding ?? 'utf-8';
  const { lacksHeader, ...layout } = layoutOf(new TextDecoder(encoding).decode(head), choices);
  if (lacksHeader)
    throw new UsageError(
      `${file.name}: the first line must name the columns. Add a line with their names`,
      'file',
    );
  return { ...layout, encoding, isBroken: !isUtf8 };
}

function conclude(job: Job, checked: Checked, files: RowFiles, stopped?: string): number {
  const { context, flags } = job;
  const report = createReport(job, checked, files, stopped);
  print(context, formatReport(report, checked));
  if (flags.json) printJson(context, report);
  if (report.stopped !== undefined) return couldNotRunExitCode;
  return report.rejected > 0 ? someFailedExitCode : doneExitCode;
}
