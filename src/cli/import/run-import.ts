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
import { withLock } from '../lock.ts';
import { confirm, print, printJson, waitLogger } from '../terminal.ts';
import { type Checked, checkRows, type EarlierPeople } from './checked-rows.ts';
import { mapColumns } from './columns.ts';
import { Dialogue, nothingSent } from './dialogue.ts';
import { restartHelp, resumptionOf } from './earlier-import.ts';
import { type Choices, type Job, optionsOf } from './job.ts';
import { Journal, readJournal } from './journal.ts';
import { emailQuestion, openQuestions } from './questions.ts';
import { layoutOf, type Reading, reading } from './read-rows.ts';
import { createReport, formatChecked, formatReport, formatSurvey } from './report.ts';
import { type RowFiles, unknownFile, type WrittenFiles, writeRowFiles } from './row-files.ts';
import { type Import, sendRows } from './send-rows.ts';
import { surveyRows, withFindings } from './survey.ts';

/** Imports the file that is called `name`; resolves to the exit code. */
export async function importFile(setup: Omit<Job, 'file'>, name: string): Promise<number> {
  const { path, flags, context } = setup;
  const run = async (work: (job: Job, facts: Facts) => Promise<number>) => {
    await using file = await InputFile.open(path, name);
    const job = { ...setup, file };
    return await work(job, await reading(job, 'Read', () => file.inspect(context.signal)));
  };
  if (flags.dryRun) return run(importRows);
  requireVariables(context.env, ['EMAIL_MARKETING_TEAM_ID']);
  const options = { ...clientOptions(context.env), onDrift: () => {}, logger: waitLogger(context) };
  const client = new EmailMarketingClient(options);
  return withLock(`${path}.lock`, () => run((job, facts) => importRows(job, facts, client)));
}

/** Shows what will be sent, and sends it after a confirmation. Without a client, in a dry run, it ends before that. */
async function importRows(job: Job, facts: Facts, client?: EmailMarketingClient): Promise<number> {
  const { file, path, flags, context } = job;
  const account = client && legacyAccount(context.env);
  const journalPath = `${path}.journal`;
  const earlier = await readJournal(journalPath);
  const { resumed, people, choices: known } = resumptionOf(job, earlier, facts, account);
  const checked = await check(job, facts, known, people);
  const { choices, statuses } = checked;
  if (resumed !== undefined) statuses.restore(resumed.statuses);
  print(context, formatChecked(checked));
  const pending = statuses.count('pending');
  if (pending === 0 && resumed?.isFinished) {
    print(context, [`Nothing is left to send: this file was imported before. ${restartHelp}.`]);
    // Who has left since then is named in a file.
    if (statuses.count('left-since') === 0) return conclude(job, checked, {});
  } else if (resumed !== undefined)
    print(context, [`Resuming: ${counted(pending, 'row')} left of ${statuses.rows}.`]);
  if (client === undefined || account === undefined) return conclude(job, checked, {});
  const rows = `${counted(pending, 'row')} to ${account}`;
  if (pending > 0 && flags.yes) print(context, [`Sending ${rows}.`]);
  else if (pending > 0 && !(await confirm(context, `Send ${rows}?`))) throw nothingSent();
  file.requireUnchanged();
  const head = { version: 3, sha256: facts.sha256, account, rows: statuses.rows, choices } as const;
  const journal = resumed
    ? await Journal.resume(journalPath)
    : await Journal.create(journalPath, head, { ...people, excepted: checked.excepted });
  // What another import left unknown is still unknown: its file is kept.
  const written = new Map(earlier?.files);
  if (resumed === undefined) written.delete(unknownFile(path));
  return send({ ...job, checked, journal, client }, written);
}

async function send(run: Import, written: WrittenFiles): Promise<number> {
  const { file, checked, journal } = run;
  try {
    const stopped = checked.statuses.count('pending') > 0 ? await sendRows(run) : undefined;
    const files = file.hasChanged ? {} : await writeRowFiles(run, checked, journal, written);
    if (stopped === undefined) journal.finish();
    await journal.close();
    return conclude(run, checked, files, stopped);
  } catch (error) {
    // Such as a full disk: no report, as the journal lacks what was sent last.
    await journal.close().catch(() => {});
    const sent = `${counted(checked.statuses.count('sent'), 'row')} of ${checked.statuses.rows}`;
    throw new UsageError(`${messageOf(error)}; ${sent} were sent`, codeOf(error));
  }
}

/** Reads the rows, and asks what only the user knows. */
async function check(job: Job, facts: Facts, given: Choices, people: EarlierPeople): Promise<Checked> {
  const dialogue = new Dialogue(job);
  const form = readingOf(job, facts, given);
  const { restart = false, onlyNew = false, dryRun } = job.flags;
  const survey = await reading(job, 'Read', () => surveyRows(job, form, given));
  print(job.context, formatSurvey(job, survey, mapColumns(survey.header, given)));
  const found = withFindings(given, survey);
  const mapped = await dialogue.settle(emailQuestion(survey, mapColumns(survey.header, found)), found);
  const choices = await dialogue.settle(openQuestions(survey, mapped), mapped);
  dialogue.requireAnswered();
  const checked = await reading(job, 'Checked', () => checkRows(job, survey, choices, people));
  const answers = optionsOf({ ...choices, restart, onlyNew }).join(' ');
  checked.overlooked.requireNoPlainNo(answers);
  if (dialogue.hasAsked)
    print(job.context, [`The same without questions: ${answers} ${dryRun ? '--dry-run' : '--yes'}`]);
  return checked;
}

/** Returns how the bytes of the file are read. */
function readingOf({ file }: Job, { mark, isUtf8, head }: Facts, given: Choices): Reading {
  if (mark === undefined && !isUtf8 && given.encoding === undefined)
    throw new UsageError(
      `${file.name} is not UTF-8: save it as "CSV UTF-8", or pass --encoding, such as --encoding windows-1252`,
      'file',
    );
  // A mark decides: files of rejected rows have one, whatever encoding was named for their input.
  const encoding = mark ?? given.encoding ?? 'utf-8';
  const { lacksHeader, ...layout } = layoutOf(new TextDecoder(encoding).decode(head), given);
  if (lacksHeader)
    throw new UsageError(
      `${file.name}: the first line must name the columns. Remove what is above their names, or add a line with names`,
      'file',
    );
  return { ...layout, encoding, isBroken: !isUtf8 };
}

function conclude(job: Job, checked: Checked, files: RowFiles, stopped?: string): number {
  const { context, flags } = job;
  const report = createReport(job, checked, files, stopped);
  print(context, formatReport(report, job, checked.choices));
  if (flags.json) printJson(context, report);
  if (report.stopped !== undefined) return couldNotRunExitCode;
  return report.rejected + report.unknown > 0 ? someFailedExitCode : doneExitCode;
}
