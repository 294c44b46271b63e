import { EmailMarketingClient } from '../../index.ts';
import { accountOfEnvironment, clientOptions, requireVariables } from '../account.ts';
import {
  couldNotRunExitCode,
  counted,
  doneExitCode,
  someFailedExitCode,
  UsageError,
} from '../command-line.ts';
import { keepBeside } from '../files.ts';
import { ChangedFileError, type InputFile, readRows } from '../input-file.ts';
import { withLock } from '../lock.ts';
import { startProgress, startReading } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import { confirm, print, printJson, waitLogger } from '../terminal.ts';
import { type MarkedRow, markOf } from './changed-file.ts';
import { readJournal } from './earlier-import.ts';
import { answersOf, type ImportFlags, type Job } from './job.ts';
import { Journal } from './journal.ts';
import { sealOf } from './kept-survey.ts';
import { planImport } from './plan.ts';
import {
  createReport,
  failedPasses,
  formatDryRun,
  formatReport,
  unknownFile,
  writeFailedRows,
} from './report.ts';
import { type Import, sendRows } from './send-rows.ts';
import { formatSurvey, readLayout, type Survey, surveyOf, surveyRows } from './survey.ts';

/** Where the rows come from. */
interface Source {
  /** Start of the names of the files that are written. */
  readonly path: string;
  readonly journal?: string | undefined;
  open(): Promise<InputFile>;
}

/** Imports from a file or a copy of standard input; resolves to the exit code. */
export async function importFrom(source: Source, flags: ImportFlags, context: Context): Promise<number> {
  const { path, journal: journalPath = `${path}.journal`, open } = source;
  if (flags.dryRun) {
    await using file = await open();
    return await dryRun({ file, path, journalPath, flags, context });
  }
  const client = createClient(flags, context);
  return withLock(`${path}.lock`, async () => {
    await using file = await open();
    return await importRows({ file, path, journalPath, flags, context }, client);
  });
}

/** Reads the file and the journal of an earlier import of it. */
async function prepare(job: Job) {
  const { journalPath, flags, context } = job;
  const { earlier, answers, survey, seal } = await withProgress(job, 'Read', surveyPasses, () =>
    readOrResume(job),
  );
  showSurvey(job, survey);
  const { sha256, findings, checked, columns, format, cells } = survey;
  const mapping = columns.map(({ field }) => field ?? null);
  const reading = { encoding: format.encoding, delimiter: format.delimiter, ...cells };
  const account = accountOfEnvironment(context.env);
  const head = { version: 2, account, sha256, mapping, reading, rows: checked.rows } as const;
  const kept = { findings, checked, seal };
  const plan = await withProgress(job, 'Compared', 1, () =>
    planImport(journalPath, earlier, head, kept, flags, () => markedRows(job, survey)),
  );
  return { account, answers, survey, plan };
}

/** Surveys the file, or takes what an earlier import of it with the same options has found. */
async function readOrResume(job: Job) {
  const { flags } = job;
  const { layout, journal, answers } = await readWithAnswers(job);
  const earlier = flags.discard ? undefined : journal;
  const kept = earlier?.kept;
  const survey =
    kept !== undefined && kept.seal === sealOf(job, layout.sha256, answers, kept)
      ? surveyOf(layout, kept.findings, kept.checked, flags)
      : await surveyRows(job, layout, answers);
  return { earlier, answers, survey, seal: sealOf(job, layout.sha256, answers, survey) };
}

/** Reads the format of the file, and what an earlier import of it has left. */
async function readWithAnswers(job: Job) {
  const layout = await readLayout(job);
  const journal = await readJournal(job.journalPath, layout.sha256);
  const header = layout.columns.map(({ column }) => column);
  return { layout, journal, answers: answersOf(job.flags, journal?.answers, header) };
}

/** Prints and writes what is wrong with the rows, and sends nothing. */
async function dryRun(job: Job): Promise<number> {
  const { file, path, flags, context } = job;
  const survey = await withProgress(job, 'Read', surveyPasses, async () => {
    const { layout, answers } = await readWithAnswers(job);
    return surveyRows(job, layout, answers);
  });
  showSurvey(job, survey);
  const failed = { file, format: survey.format, keep: false };
  const files = await withProgress(job, 'Looked for failed rows in', failedPasses(survey.checked), () =>
    writeFailedRows(`${path}.dry-run`, failed, survey.checked),
  );
  const report = createReport(job, survey, survey.checked, files, undefined);
  print(context, formatDryRun(report));
  const { rows, pending: valid, rejected, reasons, optedOut, optOutReasons, ignoredColumns } = report;
  const counts = { rows, valid, rejected, reasons, optedOut, optOutReasons, ignoredColumns };
  if (flags.json) printJson(context, { dryRun: true, file: file.name, ...counts, ...files });
  return rejected > 0 ? someFailedExitCode : doneExitCode;
}

/** Yields the rows. One that is not sent now can have been sent before. */
async function* markedRows(
  { file, context }: Job,
  { format, checked, toParams }: Survey,
): AsyncGenerator<MarkedRow, void, undefined> {
  for await (const { index, cells } of readRows(file, format, context.signal))
    if (index >= 0) yield { index, mark: markOf(toParams(cells)), status: checked.get(index) };
}

/** One for the encoding and the hash, one for the rows. */
const surveyPasses = 2;

/** Calls `work`, which reads the file so many times, and shows its progress if it takes long. */
async function withProgress<Value>(
  { file, context }: Job,
  verb: string,
  passes: number,
  work: () => Promise<Value>,
): Promise<Value> {
  const progress = startReading(context, verb, file.size);
  let read = 0;
  file.onRead = bytes => {
    read += bytes;
    progress.update(Math.min(read / passes, file.size));
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

/**
 * Prints what was found.
 * @throws UsageError if only the user can answer what was found.
 */
function showSurvey({ file, flags, context }: Job, survey: Survey): void {
  if (file.isPipe && !survey.format.endsWithLine)
    throw new UsageError(
      'standard input ends within a row: the command before it may have failed, and nothing was sent; ' +
        'if the input is complete, end it with a line break, or import it as a file',
      'file',
    );
  print(context, formatSurvey(file.name, survey));
  const { questions } = survey;
  if (questions.length > 0) {
    const why = `nothing was sent, because of ${counted(questions.length, 'question')} that only you can answer`;
    const which = flags.json ? `: ${questions.join('; ')}` : ' (see above)';
    throw new UsageError(why + which, 'confirmation');
  }
}

function createClient({ perSecond }: ImportFlags, context: Context): EmailMarketingClient {
  const { env } = context;
  requireVariables(env, ['EMAIL_MARKETING_TEAM_ID']);
  const throttle = perSecond === undefined ? {} : { throttle: { requestsPerSecond: perSecond } };
  return new EmailMarketingClient({
    ...clientOptions(env),
    onDrift: () => {},
    logger: waitLogger(context),
    ...throttle,
  });
}

async function importRows(job: Job, client: EmailMarketingClient): Promise<number> {
  const { path, file, flags, context } = job;
  const { account, answers, survey, plan } = await prepare(job);
  if (plan.note) print(context, [plan.note]);
  const pending = plan.statuses.count('pending');
  const rows = `${counted(pending, 'row')} to ${account.legacy}, team ${account.team}`;
  if (pending > 0 && !flags.yes && !(await confirm(context, `Send ${rows}?`)))
    throw new UsageError('Nothing was sent.', 'confirmation');
  file.requireUnchanged();
  // The files of the earlier import stay as they are until here: an import that is declined forgets nothing.
  const kept = plan.isNew && (await keepBeside(unknownFile(path), context.now()));
  if (kept) print(context, [`The unknown rows of the earlier import are in ${kept}.`]);
  const journal = new Journal(job.journalPath, await plan.openJournal(), plan.statuses);
  try {
    journal.remember(answers);
    if (pending > 0 && flags.yes) print(context, [`Sending ${rows}.`]);
    const run = { ...job, survey, journal, client };
    return await conclude(run, await send(run, plan.before, pending), pending > 0 || plan.refusesMore);
  } finally {
    await journal.close();
  }
}

async function send(run: Import, before: number, pending: number): Promise<string | undefined> {
  const { file, journal, context } = run;
  const { rows } = journal.statuses;
  const resumes = `Resuming after ${counted(before, 'row')}; --discard starts over.`;
  const again = file.isPipe ? '--discard' : '--restart';
  const complete = `Nothing is left to send: this input was imported before. ${again} sends it again.`;
  if (before > 0) print(context, [pending > 0 ? resumes : complete]);
  const progress = startProgress(context, 'Imported', rows - pending, rows);
  try {
    return pending > 0 ? await sendRows(run, progress) : undefined;
  } finally {
    progress.stop();
  }
}

/**
 * Writes the files of failed rows, and the report.
 * @param sent Rows were sent. Otherwise, the files of an earlier run are kept, since you may have corrected them.
 */
async function conclude(job: Import, stopped: string | undefined, sent: boolean): Promise<number> {
  const { file, flags, survey, journal, context } = job;
  const { statuses } = journal;
  const failed = { file, format: survey.format, keep: !sent };
  const written = await withProgress(job, 'Looked for failed rows in', failedPasses(statuses), () =>
    writeFailedRows(job.path, failed, statuses),
  ).catch((error: unknown) => {
    if (error instanceof ChangedFileError) return error.message;
    throw error;
  });
  const [files, reason] = typeof written === 'string' ? [{}, written] : [written, stopped];
  if (reason === undefined && !file.isPipe) journal.finish();
  // A journal that cannot be written is an error, and no report.
  await journal.flush();
  const report = createReport(job, survey, statuses, files, reason);
  print(context, formatReport(report));
  if (file.isPipe && sent && reason === undefined)
    print(context, [
      'If the command before the pipe failed, run both again: only rows that are missing are sent.',
    ]);
  if (flags.json) printJson(context, { ...report, dryRun: false });
  if (reason !== undefined) return couldNotRunExitCode;
  return report.rejected + report.unknown > 0 ? someFailedExitCode : doneExitCode;
}
