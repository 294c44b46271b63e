import { EmailMarketingClient } from '../../index.ts';
import { clientOptions, legacyAccount, requireVariables } from '../account.ts';
import { couldNotRunExitCode, counted, doneExitCode, someFailedExitCode } from '../command-line.ts';
import { type Facts, InputFile } from '../input-file.ts';
import { withLock } from '../lock.ts';
import { startProgress, startReading } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import { confirm, print, printJson, waitLogger } from '../terminal.ts';
import { type Checked, checkRows, type EarlierPeople } from './checked-rows.ts';
import { mapColumns } from './columns.ts';
import { askAll, isInteractive, nothingSent, unanswered } from './dialogue.ts';
import { type Resumption, resumptionOf } from './earlier-import.ts';
import { type Choices, choicesOf, type ImportFlags, type Job } from './job.ts';
import { Journal, readJournal } from './journal.ts';
import {
  emailQuestion,
  encodingQuestion,
  headerQuestion,
  openQuestions,
  plainNoQuestion,
  type Question,
} from './questions.ts';
import { layoutOf, type Reading } from './read-rows.ts';
import { createReport, formatChecked, formatReport, formatSurvey } from './report.ts';
import { unknownFile, type WrittenFiles, writeRowFiles } from './row-files.ts';
import { sendRows } from './send-rows.ts';
import { surveyRows, withFindings } from './survey.ts';

/** Imports the file at `path`; resolves to the exit code. */
export async function importFile(
  path: string,
  name: string,
  flags: ImportFlags,
  context: Context,
): Promise<number> {
  if (flags.dryRun) {
    await using file = await InputFile.open(path, name);
    return await dryRun({ file, path, flags, context });
  }
  const client = createClient(flags, context);
  return withLock(`${path}.lock`, async () => {
    await using file = await InputFile.open(path, name);
    return await importRows({ file, path, flags, context }, client);
  });
}

function createClient({ perSecond }: ImportFlags, context: Context): EmailMarketingClient {
  requireVariables(context.env, ['EMAIL_MARKETING_TEAM_ID']);
  return new EmailMarketingClient({
    ...clientOptions(context.env),
    onDrift: () => {},
    logger: waitLogger(context),
    ...(perSecond !== undefined && { throttle: { requestsPerSecond: perSecond } }),
  });
}

const nobody: EarlierPeople = { sent: new Set(), skipped: new Set() };

/** Shows what would be sent, and sends nothing. */
async function dryRun(job: Job): Promise<number> {
  const facts = await reading(job, 'Read', () => job.file.inspect(job.context.signal));
  return conclude(job, createReport(job, await check(job, facts, choicesOf(job.flags), nobody), {}));
}

async function importRows(job: Job, client: EmailMarketingClient): Promise<number> {
  const { file, path, flags, context } = job;
  const account = legacyAccount(context.env);
  const journalPath = `${path}.journal`;
  const facts = await reading(job, 'Read', () => file.inspect(context.signal));
  const earlier = await readJournal(journalPath);
  const { resumed, people, answers } = resumptionOf(job, earlier, facts, account);
  const checked = await check(job, facts, { ...answers, ...choicesOf(flags) }, people, resumed);
  const pending = checked.statuses.count('pending');
  if (pending === 0 && resumed?.isFinished) {
    print(context, ['Nothing is left to send: this file was imported before. --restart sends it again.']);
    return conclude(job, createReport(job, checked, {}));
  }
  if (resumed !== undefined)
    print(context, [`Resuming: ${counted(pending, 'row')} left of ${checked.statuses.rows}.`]);
  const rows = `${counted(pending, 'row')} to ${account}`;
  if (pending > 0 && flags.yes) print(context, [`Sending ${rows}.`]);
  else if (pending > 0 && !(await confirm(context, `Send ${rows}?`))) throw nothingSent();
  file.requireUnchanged();
  const { choices, statuses } = checked;
  const head = { version: 3, sha256: facts.sha256, account, rows: statuses.rows, choices } as const;
  const journal = resumed
    ? await Journal.resume(journalPath)
    : await Journal.create(journalPath, head, people);
  // What another import left unknown is still unknown: its file is kept.
  const written = new Map(earlier?.files);
  if (resumed === undefined) written.delete(unknownFile(path));
  try {
    return await send({ ...job, checked, journal, client }, written);
  } finally {
    await journal.close();
  }
}

/** Sets what became of the rows that were sent. Whoever may no longer be mailed is not among the rejected ones. */
function restoreStatuses({ statuses }: Checked, resumed: Resumption['resumed']): void {
  for (const status of ['sent', 'rejected', 'unknown'] as const)
    for (const index of resumed?.statuses.indexes(status) ?? [])
      if (['pending', 'rejected'].includes(statuses.get(index)))
        statuses.set(index, status, resumed?.statuses.reason(index));
}

async function send(run: Parameters<typeof sendRows>[0], written: WrittenFiles): Promise<number> {
  const { file, checked, journal, context } = run;
  const before = checked.statuses.count('sent', 'rejected', 'unknown');
  const total = before + checked.statuses.count('pending');
  const progress = startProgress(context, 'Imported', before, total);
  const stopped = await sendRows(run, progress).finally(() => progress.stop());
  const files = file.hasChanged
    ? {}
    : await reading(run, 'Looked for rows that were not sent in', () =>
        writeRowFiles(run, checked, journal, written),
      );
  if (stopped === undefined) journal.finish();
  // A journal that cannot be written is an error, and no report.
  await journal.flush();
  return conclude(run, createReport(run, checked, files, stopped));
}

/** Reads the rows, asks what only the user knows, and shows what will be sent. */
async function check(
  job: Job,
  facts: Facts,
  given: Choices,
  people: EarlierPeople,
  resumed?: Resumption['resumed'],
): Promise<Checked> {
  const open: Question[] = [];
  /** Asks; where nobody is there, goes on with the first answer to find out what else is open. */
  const settle = (questions: readonly Question[], choices: Choices): Promise<Choices> | Choices => {
    if (isInteractive(job)) return askAll(job, questions, choices);
    open.push(...questions);
    return questions.reduce((all, { answers: [first] }) => {
      return typeof first?.choose === 'function' ? first.choose(all) : all;
    }, choices);
  };
  const { choices: known, read } = await settleForm(job, facts, given, settle);
  const survey = await reading(job, 'Read', () => surveyRows(job, read, known));
  print(job.context, formatSurvey(job, survey, mapColumns(survey.header, known), read));
  const found = withFindings(known, survey);
  const mapped = await settle(emailQuestion(survey, mapColumns(survey.header, found)), found);
  let choices = await settle(openQuestions(survey, mapped), mapped);
  for (;;) {
    if (open.length > 0) throw unanswered(job, open);
    const checked = await reading(job, 'Checked', () => checkRows(job, survey, read, choices, people));
    const plain = checked.plainNos.map(each => plainNoQuestion(survey, each));
    if (plain.length === 0) {
      restoreStatuses(checked, resumed);
      print(job.context, formatChecked(survey, checked, withFindings(given, survey)));
      return checked;
    }
    choices = await settle(plain, choices);
  }
}

/** Settles how the bytes of the file are read. */
async function settleForm(
  { file }: Job,
  facts: Facts,
  given: Choices,
  settle: (questions: readonly Question[], choices: Choices) => Promise<Choices> | Choices,
): Promise<{ readonly choices: Choices; readonly read: Reading }> {
  const isOpen = facts.encoding === undefined && given.encoding === undefined;
  const { encoding: chosen = 'utf-8', ...decoded } = await settle(
    isOpen ? encodingQuestion(file.name, facts) : [],
    given,
  );
  // A mark decides: files of rejected rows have one, whatever encoding was named for their input.
  const encoding = (facts.hasMark ? facts.encoding : given.encoding) ?? facts.encoding ?? chosen;
  const layout = layoutOf(new TextDecoder(encoding).decode(facts.head), given);
  const answered = await settle(headerQuestion(file.name, layout, given), decoded);
  const headerLine = answered.headerLine ?? layout.headerLine ?? 1;
  const { delimiter, quotes, lineEnd } = layout;
  const choices = {
    ...answered,
    ...(isOpen || given.encoding ? { encoding: given.encoding ?? chosen } : {}),
  };
  return { choices, read: { encoding, delimiter, quotes, lineEnd, headerLine, isBroken: !facts.isUtf8 } };
}

/** Calls `work`, which reads the file, and shows its progress if it takes long. */
async function reading<Value>(
  { file, context }: Job,
  verb: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const progress = startReading(context, verb, file.size);
  let read = 0;
  file.onRead = bytes => {
    read += bytes;
    progress.update(Math.min(read, file.size));
  };
  try {
    const result = await work();
    progress.update(file.size);
    return result;
  } finally {
    file.onRead = () => {};
    progress.stop();
  }
}

function conclude({ flags, context }: Job, report: ReturnType<typeof createReport>): number {
  print(context, formatReport(report));
  if (flags.json) printJson(context, report);
  if (report.stopped !== undefined) return couldNotRunExitCode;
  return report.rejected + report.unknown > 0 ? someFailedExitCode : doneExitCode;
}
