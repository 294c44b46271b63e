import { basename } from 'node:path';
import type { IdentifyParams } from '../../index.ts';
import { counted, UsageError } from '../command-line.ts';
import { hasOpenCommas, unprotect } from '../csv.ts';
import {
  type FileFormat,
  type InputFile,
  inspectFile,
  type Row,
  readRows,
  type WantedFormat,
} from '../input-file.ts';
import { type Line, styled } from '../terminal.ts';
import { BirthdayFormats } from './birthdays.ts';
import { Consent, type ConsentAnswer } from './consent.ts';
import { guessColumns } from './email-column.ts';
import type { Answer } from './journal.ts';
import { type CellFormat, listed, mapColumns, readColumnOption, rowReader, withConsent } from './mapping.ts';
import { rowCheck } from './row-check.ts';
import { RowStatuses } from './row-statuses.ts';

/** Options for reading a file; what is absent is detected. */
export interface ReadingOptions {
  readonly format: WantedFormat;
  readonly maps: readonly string[];
  readonly tagSeparator?: string | undefined;
  readonly dateFormat?: string | undefined;
  readonly includeOptedOut: boolean;
  /** Later ones replace earlier ones. */
  readonly answers: readonly Answer[];
  /** Send rows without an invalid birthday, rather than reject them. */
  readonly skipBadBirthdays: boolean;
}

/** What is known about the input file before anything is sent. */
export interface Survey {
  readonly sha256: string;
  readonly format: FileFormat;
  readonly cells: CellFormat;
  readonly columns: ReturnType<typeof mapColumns>;
  /** Rows after the header, including lines that are not CSV. */
  readonly rows: number;
  /** Rows that are not sent: `rejected` or `opted-out`, with the reason. The others are `pending`. */
  readonly checked: RowStatuses;
  readonly samples: Samples;
  readonly warnings: readonly string[];
  /** What only the user knows: nothing is sent before it is answered. */
  readonly questions: readonly string[];
  readonly badBirthdays: number;
  readonly skipsBadBirthdays: boolean;
  toParams(cells: readonly string[]): IdentifyParams;
}

/** The first rows that will be sent, as they will be sent, and the first that will be rejected. */
interface Samples {
  readonly sent: readonly IdentifyParams[];
  readonly rejected?: { readonly cells: readonly string[]; readonly reason: string } | undefined;
}

const defaultTagSeparator = ';';

/** Reads the whole file: its format, its columns and its cells. */
export async function surveyFile(
  file: InputFile,
  options: ReadingOptions,
  signal: AbortSignal,
): Promise<Survey> {
  const { format: wanted, maps, tagSeparator = defaultTagSeparator, skipBadBirthdays } = options;
  const { sha256, ...found } = await inspectFile(file, wanted, signal);
  const guess = await guessColumns(file, found, signal);
  const { header = headerOf(file.name, guess.first) } = guess;
  const format = guess.header === undefined ? found : { ...found, header };
  const columns = mapColumns(header, maps, guess.email);
  const consent = new Consent(columns, basename(file.name), readAnswers(options.answers, header));
  const survey = new RowSurvey(columns, consent, options);
  for await (const row of readRows(file, format, signal)) if (row.index >= 0) survey.add(row);
  const { rows, optedOut, birthdays } = survey;
  const cells: CellFormat = { tagSeparator, dateFormat: birthdays?.guess() };
  const toParams = rowReader(columns, cells, skipBadBirthdays);
  const checked = new RowStatuses(rows);
  if (!options.includeOptedOut)
    for (const [index, reason] of optedOut) checked.set(index, 'opted-out', reason);
  const problemOf = rowCheck(columns.length, toParams);
  const samples = await checkRows(readRows(file, format, signal), checked, problemOf, toParams);
  return {
    sha256,
    format,
    cells,
    columns: withConsent(columns, consent.indexes),
    rows,
    checked,
    toParams,
    badBirthdays: birthdays?.unreadable ?? 0,
    skipsBadBirthdays: skipBadBirthdays,
    warnings: [...formatWarnings(format, wanted), ...survey.warnings()],
    questions: survey.questions(),
    samples,
  };
}

/** Returns the answers about columns of the file; earlier ones may be about columns that are gone. */
const readAnswers = (answers: readonly Answer[], header: readonly string[]): ConsentAnswer[] =>
  answers.flatMap(({ verdict, text, isEarlier }) => {
    const option = verdict === 'mailable' ? '--mailable' : '--opted-out';
    try {
      return { ...readColumnOption(option, text, header), verdict };
    } catch (error) {
      if (isEarlier) return [];
      throw error;
    }
  });

const sampleCount = 3;

/** Records which rows cannot be sent, and returns the first rows. */
async function checkRows(
  rows: AsyncIterable<Row>,
  checked: RowStatuses,
  problemOf: (row: Row) => string | undefined,
  toParams: Survey['toParams'],
): Promise<Samples> {
  const sent: IdentifyParams[] = [];
  let rejected: Samples['rejected'];
  for await (const row of rows) {
    if (row.index < 0 || checked.get(row.index) !== 'pending') continue;
    const reason = problemOf(row);
    if (reason === undefined) {
      if (sent.length < sampleCount) sent.push(toParams(row.cells));
      continue;
    }
    checked.set(row.index, 'rejected', reason);
    rejected ??= { cells: row.cells, reason };
  }
  return { sent, rejected };
}

function headerOf(path: string, first: Row | undefined): readonly string[] {
  if (first === undefined) throw new UsageError(`${path} is empty; its first line must name the columns`);
  if (first.unreadable !== undefined) throw new UsageError(`${path}: the first line ${first.unreadable}`);
  return first.cells;
}

function formatWarnings({ encoding, header }: FileFormat, wanted: WantedFormat): string[] {
  const isGuess = wanted.encoding === undefined && !encoding.startsWith('utf-');
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

class RowSurvey {
  rows = 0;
  readonly optedOut = new Map<number, string>();
  readonly birthdays: BirthdayFormats | undefined;
  readonly #columns: Survey['columns'];
  readonly #options: ReadingOptions;
  readonly #birthdayIndex: number;
  readonly #tagsIndex: number;
  readonly #consent: Consent;
  /** Cells of tags with commas that may separate them, and the first of them. */
  readonly #commas = { cells: 0, first: '' };

  constructor(columns: Survey['columns'], consent: Consent, options: ReadingOptions) {
    this.#columns = columns;
    this.#consent = consent;
    this.#options = options;
    this.#birthdayIndex = columns.findIndex(({ field }) => field === 'birthday');
    this.#tagsIndex = columns.findIndex(({ field }) => field === 'tags');
    const { column } = columns[this.#birthdayIndex] ?? {};
    this.birthdays = column === undefined ? undefined : new BirthdayFormats(column, options.dateFormat);
  }

  add({ index, cells, unreadable }: Row): void {
    this.rows += 1;
    if (unreadable !== undefined || cells.length !== this.#columns.length) return;
    const optOut = this.#consent.reasonOf(cells);
    if (optOut !== undefined) this.optedOut.set(index, optOut);
    if (optOut !== undefined && !this.#options.includeOptedOut) return;
    this.birthdays?.add(unprotect(cells[this.#birthdayIndex] ?? ''));
    const tags = unprotect(cells[this.#tagsIndex] ?? '');
    if (this.#options.tagSeparator !== undefined || !hasOpenCommas(tags)) return;
    this.#commas.cells += 1;
    this.#commas.first ||= tags;
  }

  warnings(): string[] {
    const { includeOptedOut, skipBadBirthdays } = this.#options;
    const guessed = this.#columns.find(column => column.guessed)?.column;
    const people = counted(this.optedOut.size, 'row');
    const warnings = [
      guessed !== undefined &&
        `column "${guessed}" is read as the email, because most of its cells are email addresses`,
      this.optedOut.size > 0 &&
        (includeOptedOut
          ? `people who opted out will be sent, and can be mailed again (${people})`
          : `people who opted out will be skipped (${people}), because the service would mail them; --include-opted-out sends them`),
      this.birthdays?.warning(skipBadBirthdays),
    ];
    return warnings.filter(warning => typeof warning === 'string');
  }

  questions(): string[] {
    const { cells, first } = this.#commas;
    const consent = this.#options.includeOptedOut ? [] : this.#consent.questions();
    if (cells === 0) return consent;
    const where = `column "${this.#columns[this.#tagsIndex]?.column}" has commas`;
    return [
      ...consent,
      `${where} in ${counted(cells, 'row')}, such as "${shortened(first)}": ` +
        `--tag-separator "," separates tags by them, --tag-separator ";" makes them part of the tag`,
    ];
  }
}

/** Maximum length of a printed row or column name. */
const maxPrintedLength = 300;
const maxNameWidth = 40;
const maxPrintedColumns = 100;

/** Returns lines about the format, the columns and the first rows. */
export function formatSurvey(file: string, survey: Survey): Line[] {
  const { rows, columns, samples, warnings, questions, format } = survey;
  const { sent, rejected } = samples;
  const delimiter = format.delimiter === '\t' ? 'tab' : `"${format.delimiter}"`;
  const encoding = `${format.encoding}${format.bom ? ' with byte order mark' : ''}`;
  return [
    `${file}: ${counted(rows, 'row')}, encoding ${encoding}, delimiter ${delimiter}`,
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
