import { basename } from 'node:path';
import type { IdentifyParams } from '../../index.ts';
import { identify } from '../../resources/legacy.ts';
import { counted, UsageError } from '../command-line.ts';
import { hasOpenCommas, unprotect } from '../csv.ts';
import { type FileFormat, inspectFile, type Row, readRows } from '../input-file.ts';
import { type Line, styled } from '../terminal.ts';
import { BirthdayFormats } from './birthdays.ts';
import { Consent, type ConsentAnswer } from './consent.ts';
import { guessColumns } from './email-column.ts';
import { type Answers, answersOf, type ImportFlags, type Job } from './job.ts';
import { type CellFormat, listed, mapColumns, readColumnOption, rowReader, withConsent } from './mapping.ts';
import { OptedOutPeople } from './opted-out-people.ts';
import { RowStatuses } from './row-statuses.ts';

/** The format and the columns of a file: enough to read its rows. */
export interface Layout {
  readonly sha256: string;
  readonly format: FileFormat;
  readonly columns: ReturnType<typeof mapColumns>;
}

/** What only a pass over all rows finds, besides what becomes of each row. */
export interface Findings {
  /** Format of birthdays. */
  readonly dateFormat?: string | undefined;
  readonly badBirthdays: number;
  /** Indexes of the columns that say who opted out. */
  readonly consentColumns: readonly number[];
}

/** What is known about the input file before anything is sent. */
export interface Survey extends Layout {
  readonly findings: Findings;
  readonly cells: CellFormat;
  /** Rows that are not sent: `rejected` or `opted-out`, with the reason. The others are `pending`. */
  readonly checked: RowStatuses;
  readonly samples: Samples;
  readonly warnings: readonly string[];
  /** What only the user knows: nothing is sent before it is answered. */
  readonly questions: readonly string[];
  toParams(cells: readonly string[]): IdentifyParams;
}

/** The first rows that will be sent, as they will be sent, and the first that will be rejected. */
interface Samples {
  readonly sent: readonly IdentifyParams[];
  readonly rejected?: { readonly cells: readonly string[]; readonly reason: string } | undefined;
}

/** The answer that the whole file agreed. Columns that say who left are read nevertheless. */
const everyone = 'everyone';
const defaultTagSeparator = ';';

/** Hashes the file, and detects its format and its columns. */
export async function readLayout({ file, flags, context: { signal } }: Job): Promise<Layout> {
  const { sha256, ...found } = await inspectFile(file, flags, signal);
  const guess = await guessColumns(file, found, signal);
  const { header = headerOf(file.name, guess.first) } = guess;
  const format = guess.header === undefined ? found : { ...found, header };
  return { sha256, format, columns: mapColumns(header, flags.map ?? [], guess.email) };
}

/** Reads all rows. */
export async function surveyRows(job: Job, layout: Layout, answers: Answers): Promise<Survey> {
  const { file, path, flags, context } = job;
  const { format, columns } = layout;
  const header = columns.map(({ column }) => column);
  const names = [basename(file.name), basename(path)];
  const consent = new Consent(columns, names, readAnswers(answers, header, answersOf(flags)));
  const rows = new RowSurvey(layout, consent, flags, answers.size > 0);
  for await (const row of readRows(file, format, context.signal)) if (row.index >= 0) rows.add(row);
  return rows.finish();
}

/** Returns the survey that led to these findings, without what needs the rows again: samples and their warnings. */
export function surveyOf(
  layout: Layout,
  findings: Findings,
  checked: RowStatuses,
  { tagSeparator = defaultTagSeparator, badBirthdays, encoding }: ImportFlags,
): Survey {
  const cells: CellFormat = { tagSeparator, dateFormat: findings.dateFormat };
  return {
    ...layout,
    columns: withConsent(layout.columns, findings.consentColumns),
    findings,
    cells,
    checked,
    toParams: rowReader(layout.columns, cells, badBirthdays === 'skip'),
    samples: { sent: [] },
    warnings: formatWarnings(layout.format, encoding),
    questions: [],
  };
}

/** Returns the answers about columns of the file; earlier ones may be about columns that are gone. */
const readAnswers = (answers: Answers, header: readonly string[], now: Answers): ConsentAnswer[] =>
  [...answers].flatMap(([text, verdict]) => {
    if (text === everyone) return [];
    const name = verdict === 'mailable' ? '--mailable' : '--opted-out';
    const option = now.has(text) ? `${name} "${text}"` : undefined;
    try {
      const { index: first, value } = readColumnOption(name, text, header);
      // Several columns can have one name.
      return header.flatMap((column, index) =>
        column === header[first] ? { index, value, verdict, option } : [],
      );
    } catch (error) {
      if (!now.has(text)) return [];
      throw error;
    }
  });

function headerOf(path: string, first: Row | undefined): readonly string[] {
  if (first === undefined)
    throw new UsageError(`${path} is empty; its first line must name the columns`, 'file');
  if (first.unreadable !== undefined)
    throw new UsageError(`${path}: the first line ${first.unreadable}`, 'file');
  return first.cells;
}

function formatWarnings({ encoding, header }: FileFormat, wanted: string | undefined): string[] {
  const isGuess = wanted === undefined && !encoding.startsWith('utf-');
  return [
    ...(isGuess
      ? [`the file is not UTF-8, and is read as ${encoding}; for any other encoding, pass --encoding`]
      : []),
    ...(header === undefined
      ? []
      : [
          `the first line contains an email address, so it is read as a row, and the columns are called ${listed(header)}`,
        ]),
  ];
}

const sampleCount = 3;
/** Rows that are kept to show the first of them. Those with a bad birthday are known only at the end. */
const maxKept = 100;

/** Checks the rows as they are read. */
class RowSurvey {
  readonly #layout: Layout;
  readonly #flags: ImportFlags;
  readonly #checked = new RowStatuses();
  readonly #consent: Consent;
  readonly #birthdays: BirthdayFormats | undefined;
  readonly #birthdayIndex: number;
  readonly #tagsIndex: number;
  /** Converts a row without its birthday, whose format is known when all have been read. */
  readonly #toParams: Survey['toParams'];
  readonly #kept: Readonly<Record<'pending' | 'rejected', Row[]>> = { pending: [], rejected: [] };
  readonly #people: OptedOutPeople;
  readonly #isDecided: boolean;
  #optedOut = 0;
  /** Cells of tags with commas that may separate them, and the first of them. */
  readonly #commas = { cells: 0, first: '' };

  constructor(layout: Layout, consent: Consent, flags: ImportFlags, isDecided: boolean) {
    const { dateFormat, tagSeparator = defaultTagSeparator } = flags;
    const { columns } = layout;
    this.#layout = layout;
    this.#consent = consent;
    this.#isDecided = isDecided;
    this.#people = new OptedOutPeople(columns);
    this.#flags = flags;
    this.#birthdayIndex = columns.findIndex(({ field }) => field === 'birthday');
    this.#tagsIndex = columns.findIndex(({ field }) => field === 'tags');
    const { column } = columns[this.#birthdayIndex] ?? {};
    this.#birthdays = column === undefined ? undefined : new BirthdayFormats(column, dateFormat);
    const others = columns.map(mapped => (mapped.field === 'birthday' ? { column: mapped.column } : mapped));
    this.#toParams = rowReader(others, { tagSeparator }, true);
  }

  add(row: Row): void {
    const { cells, unreadable } = row;
    const isWhole = unreadable === undefined && cells.length === this.#layout.columns.length;
    const optOut = isWhole ? this.#consent.reasonOf(cells) : undefined;
    this.#people.add(cells, isWhole ? (optOut === undefined ? undefined : 'opted-out') : 'unread');
    if (optOut !== undefined) this.#optedOut += 1;
    if (optOut !== undefined && !this.#flags.includeOptedOut) {
      this.#checked.add('opted-out', optOut);
      return;
    }
    if (isWhole) this.#addCells(row);
    const problem = this.#problemOf(row);
    const status = problem === undefined ? 'pending' : 'rejected';
    this.#checked.add(status, problem);
    if (this.#kept[status].length < maxKept) this.#kept[status].push(row);
  }

  #addCells({ index, cells }: Row): void {
    this.#birthdays?.add(index, unprotect(cells[this.#birthdayIndex] ?? ''));
    const tags = unprotect(cells[this.#tagsIndex] ?? '');
    if (this.#flags.tagSeparator !== undefined || !hasOpenCommas(tags)) return;
    this.#commas.cells += 1;
    this.#commas.first ||= tags;
  }

  #problemOf({ cells, unreadable }: Row): string | undefined {
    const { columns } = this.#layout;
    if (unreadable !== undefined) return `the line ${unreadable}`;
    if (cells.length !== columns.length)
      return `the row has ${counted(cells.length, 'cell')}, the header ${columns.length}`;
    return problemOf(this.#toParams(cells));
  }

  /** Returns the survey once all rows have been added. */
  finish(): Survey {
    if (!this.#flags.includeOptedOut) this.#skipOtherRows();
    const findings = {
      dateFormat: this.#birthdays?.guess(),
      badBirthdays: this.#birthdays?.unreadable ?? 0,
      consentColumns: this.#consent.indexes,
    };
    const bad = this.#flags.badBirthdays === 'skip' ? [] : (this.#birthdays?.badRows() ?? []);
    for (const index of bad)
      if (this.#checked.get(index) === 'pending') this.#checked.set(index, 'rejected', badBirthday());
    const survey = surveyOf(this.#layout, findings, this.#checked, this.#flags);
    const samples = this.#samples(survey.toParams);
    const warnings = [...survey.warnings, ...this.#warnings()];
    return { ...survey, samples, warnings, questions: this.#questions() };
  }

  /** Skips the other rows of people who opted out: nobody knows which of their rows is right. */
  #skipOtherRows(): void {
    for (const index of this.#people.rows('opted-out')) {
      if (this.#checked.get(index) === 'opted-out') continue;
      this.#checked.set(index, 'opted-out', Consent.otherRow);
      this.#optedOut += 1;
    }
    // A row that cannot be read may say no.
    if (this.#consent.indexes.length === 0) return;
    for (const index of this.#people.rows('unread'))
      if (this.#checked.get(index) === 'pending') this.#checked.set(index, 'rejected', Consent.unreadRow);
  }

  #samples(toParams: Survey['toParams']): Samples {
    const kept = [...this.#kept.pending, ...this.#kept.rejected].sort(
      (one, other) => one.index - other.index,
    );
    const sent = kept.filter(({ index }) => this.#checked.get(index) === 'pending').slice(0, sampleCount);
    const rejected = kept.find(({ index }) => this.#checked.get(index) === 'rejected');
    return {
      sent: sent.map(({ cells }) => toParams(cells)),
      rejected: rejected && { cells: rejected.cells, reason: this.#checked.reason(rejected.index) ?? '' },
    };
  }

  #warnings(): string[] {
    const { includeOptedOut, badBirthdays } = this.#flags;
    const guessed = this.#layout.columns.find(column => column.guessed)?.column;
    const people = counted(this.#optedOut, 'row');
    const warnings = [
      guessed !== undefined &&
        `column "${guessed}" is read as the email, because most of its cells are email addresses`,
      this.#optedOut > 0 &&
        (includeOptedOut
          ? `people who opted out will be sent, and can be mailed again (${people})`
          : `people who opted out will be skipped (${people}), because the service would mail them; --include-opted-out sends them`),
      this.#birthdays?.warning(badBirthdays === 'skip'),
      ...this.#consent.unusedOptions().map(option => `${option} matches no row`),
    ];
    return warnings.filter(warning => typeof warning === 'string');
  }

  #questions(): string[] {
    const { cells, first } = this.#commas;
    const consent = this.#flags.includeOptedOut
      ? []
      : this.#consent.questions(this.#isDecided || this.#flags.dryRun === true);
    if (cells === 0) return consent;
    const where = `column "${this.#layout.columns[this.#tagsIndex]?.column}" has commas`;
    return [
      ...consent,
      `${where} in ${counted(cells, 'row')}, such as "${shortened(first)}": ` +
        `--tag-separator "," separates tags by them, --tag-separator ";" makes them part of the tag`,
    ];
  }
}

/** Returns what the client would refuse. */
function problemOf(params: IdentifyParams): string | undefined {
  const result = identify.input?.validateInput(params);
  if (result === undefined || result.ok) return undefined;
  return result.issues.map(({ path, expected }) => `${path} must be ${expected}`).join('; ');
}

/** Returns why a row with a bad birthday cannot be sent. */
const badBirthday = () => problemOf({ email: 'someone@example.com', birthday: 'no date' });

/** Maximum length of a printed row or column name. */
const maxPrintedLength = 300;
const maxNameWidth = 40;
const maxPrintedColumns = 100;

/** Returns lines about the format, the columns and the first rows. */
export function formatSurvey(file: string, survey: Survey): Line[] {
  const { checked, columns, samples, warnings, questions, format } = survey;
  const { sent, rejected } = samples;
  const delimiter = format.delimiter === '\t' ? 'tab' : `"${format.delimiter}"`;
  const encoding = `${format.encoding}${format.bom ? ' with byte order mark' : ''}`;
  return [
    `${file}: ${counted(checked.rows, 'row')}, encoding ${encoding}, delimiter ${delimiter}`,
    ...columnLines(survey),
    ...ignoredLines(columns),
    ...warnings.map(warning => styled('yellow', `Warning: ${warning}`)),
    ...(sent.length > 0 ? ['First rows as they will be sent:'] : []),
    ...sent.map(params => `  ${shortened(JSON.stringify(params))}`),
    ...(rejected === undefined
      ? []
      : [
          'First row that will be rejected:',
          `  ${shortened(rejected.cells.join(format.delimiter))}`,
          `  ${rejected.reason}`,
        ]),
    ...questions.map(question => styled('red', `Question: ${question}`)),
  ];
}

const shortened = (text: string): string =>
  text.length > maxPrintedLength ? `${text.slice(0, maxPrintedLength)}…` : text;

function columnLines({ columns, cells }: Survey): Line[] {
  const mapped = columns.flatMap(({ column, field }) => (field === undefined ? [] : { column, field }));
  const width = mapped.reduce((widest, { column }) => Math.max(widest, column.length), 0);
  const lines = mapped.slice(0, maxPrintedColumns).map(({ column, field }): Line => {
    const name = shortened(column).padEnd(Math.min(width, maxNameWidth));
    const { dateFormat } = cells;
    const note = field === 'birthday' && dateFormat !== undefined ? `, read as ${dateFormat}` : '';
    return [`  ${name} → `, styled('green', shortened(field)), note];
  });
  const more = mapped.length - lines.length;
  return more > 0 ? [...lines, `  and ${counted(more, 'more column')}`] : lines;
}

/** Returns one line for each reason why columns are ignored. */
function ignoredLines(columns: Survey['columns']): Line[] {
  const reasons = new Set(columns.flatMap(({ ignored }) => ignored ?? []));
  return [...reasons].map(reason => {
    const names = columns.flatMap(({ column, ignored }) => (ignored === reason ? column : []));
    return styled('yellow', `  ${listed(names)}: ignored, ${reason}`);
  });
}
