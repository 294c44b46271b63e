import { basename } from 'node:path';
import type { IdentifyParams } from '../../index.ts';
import { counted, UsageError } from '../command-line.ts';
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
import { type CellFormat, listed, mapColumns, rowReader } from './mapping.ts';
import { optOutReader } from './opt-outs.ts';

/** Ways to read a file that the command line asks for; what is absent is detected. */
export interface ReadingOptions {
  readonly format: WantedFormat;
  readonly maps: readonly string[];
  readonly tagSeparator: string;
  readonly dateFormat?: string | undefined;
  /** Send the rows of people who opted out, too. */
  readonly includeOptedOut: boolean;
}

/** Facts about the input file, collected before anything is sent. */
export interface Survey {
  readonly sha256: string;
  readonly format: FileFormat;
  readonly cells: CellFormat;
  readonly columns: ReturnType<typeof mapColumns>;
  /** Rows after the header, the unreadable ones among them. */
  readonly rows: number;
  /** Lines that are not CSV. */
  readonly unreadable: number;
  /** Rows of people who opted out, by index, with the reason. */
  readonly optedOut: ReadonlyMap<number, string>;
  /** First rows that can be read, as they will be sent. */
  readonly samples: readonly IdentifyParams[];
  readonly warnings: readonly string[];
  toParams(cells: readonly string[]): IdentifyParams;
}

/** Rows that are shown before anything is sent. */
const sampleCount = 3;

/** Reads the file to its end: its format, its columns and what its cells hold. */
export async function surveyFile(
  file: InputFile,
  { format: wanted, maps, tagSeparator, dateFormat, includeOptedOut }: ReadingOptions,
  signal: AbortSignal,
): Promise<Survey> {
  const { sha256, ...format } = await inspectFile(file, wanted, signal);
  let survey: RowSurvey | undefined;
  for await (const row of readRows(file, format, signal))
    if (survey === undefined) {
      const columns = mapColumns(headerOf(file.name, row), maps);
      survey = new RowSurvey({ columns, fileName: basename(file.name), tagSeparator, includeOptedOut });
    } else survey.add(row);
  if (survey === undefined)
    throw new UsageError(`${file.name} is empty: its first line must name the columns`);
  const { columns, rows, unreadable, optedOut, samples, birthdays } = survey;
  const cells: CellFormat = { tagSeparator, dateFormat: dateFormat ?? birthdays?.guess() };
  const toParams = rowReader(columns, cells);
  const warnings = [...encodingWarning(format, wanted), ...survey.warnings(dateFormat === undefined)];
  return {
    ...{ sha256, format, cells, columns, rows, unreadable, optedOut, warnings, toParams },
    samples: samples.map(toParams),
  };
}

function headerOf(path: string, { cells, unreadable }: Row): readonly string[] {
  if (unreadable !== undefined) throw new UsageError(`${path}: the first line ${unreadable}`);
  return cells;
}

function encodingWarning({ encoding }: FileFormat, wanted: WantedFormat): string[] {
  const isGuess = wanted.encoding === undefined && !encoding.startsWith('utf-');
  return isGuess
    ? [`the file is not UTF-8, and is read as ${encoding}; --encoding names another encoding`]
    : [];
}

class RowSurvey {
  rows = 0;
  unreadable = 0;
  readonly optedOut = new Map<number, string>();
  readonly samples: (readonly string[])[] = [];
  readonly columns: Survey['columns'];
  readonly birthdays: BirthdayFormats | undefined;
  readonly #birthdayIndex: number;
  readonly #tagsIndex: number;
  readonly #separator: string;
  readonly #includesOptedOut: boolean;
  readonly #optOutReason: (cells: readonly string[]) => string | undefined;
  /** Cells with tags, and those of them that hold a comma and no separator. */
  readonly #tags = { cells: 0, withComma: 0 };

  constructor({
    columns,
    fileName,
    tagSeparator,
    includeOptedOut,
  }: Pick<Survey, 'columns'> &
    Pick<ReadingOptions, 'tagSeparator' | 'includeOptedOut'> & { fileName: string }) {
    this.columns = columns;
    this.#separator = tagSeparator;
    this.#includesOptedOut = includeOptedOut;
    this.#optOutReason = optOutReader(
      columns.map(({ column }) => column),
      fileName,
    );
    this.#birthdayIndex = columns.findIndex(({ field }) => field === 'birthday');
    this.#tagsIndex = columns.findIndex(({ field }) => field === 'tags');
    const { column } = columns[this.#birthdayIndex] ?? {};
    this.birthdays = column === undefined ? undefined : new BirthdayFormats(column);
  }

  add({ cells, unreadable }: Row): void {
    this.rows += 1;
    if (unreadable !== undefined) this.unreadable += 1;
    if (unreadable !== undefined || cells.length !== this.columns.length) return;
    const optOut = this.#optOutReason(cells);
    if (optOut !== undefined) this.optedOut.set(this.rows - 1, optOut);
    if (optOut !== undefined && !this.#includesOptedOut) return;
    if (this.samples.length < sampleCount) this.samples.push(cells);
    this.birthdays?.add(cells[this.#birthdayIndex] ?? '');
    const tags = cells[this.#tagsIndex] ?? '';
    if (tags === '') return;
    this.#tags.cells += 1;
    if (tags.includes(',') && !tags.includes(this.#separator)) this.#tags.withComma += 1;
  }

  /** @param guessed The format of birthdays was not given. */
  warnings(guessed: boolean): string[] {
    const birthdays = guessed ? this.birthdays?.warning() : undefined;
    const { cells, withComma } = this.#tags;
    const column = this.columns[this.#tagsIndex]?.column;
    const tags =
      withComma * 2 > cells
        ? `most cells of column "${column}" hold a comma, and are read as one tag each: --tag-separator , splits them`
        : undefined;
    const people = counted(this.optedOut.size, 'row');
    const optedOut = this.#includesOptedOut
      ? `${people} of people who opted out will be sent, and can be mailed again`
      : `${people} of people who opted out will be skipped: the service would mail them; --include-opted-out sends them`;
    return [this.optedOut.size > 0 ? optedOut : undefined, birthdays, tags].flatMap(warning => warning ?? []);
  }
}

/** Maximum length of what is printed of a row or the name of a column. */
const maxPrintedLength = 300;
/** Maximum length of the names of columns that are aligned. */
const maxNameWidth = 40;
/** Maximum number of columns that are printed, one per line. */
const maxPrintedColumns = 100;

/** Returns the format of the file, what becomes of each column, and sample rows, as lines for people. */
export function formatSurvey(file: string, survey: Survey): Line[] {
  const { rows, unreadable, columns, samples, warnings, format } = survey;
  const delimiter = format.delimiter === '\t' ? 'tab' : `"${format.delimiter}"`;
  const note = unreadable > 0 ? ` (${unreadable} unreadable)` : '';
  const encoding = `${format.encoding}${format.bom ? ' with byte order mark' : ''}`;
  return [
    `${file}: ${counted(rows, 'row')}${note}, encoding ${encoding}, ${delimiter} between cells`,
    ...columnLines(survey),
    ...ignoredLines(columns),
    ...warnings.map(warning => styled('yellow', `Warning: ${warning}`)),
    ...(samples.length > 0 ? ['First rows as they will be sent:'] : []),
    ...samples.map(params => `  ${shortened(JSON.stringify(params))}`),
  ];
}

const shortened = (text: string): string =>
  text.length > maxPrintedLength ? `${text.slice(0, maxPrintedLength)}…` : text;

function columnLines({ columns, cells }: Survey): Line[] {
  const shown = columns.filter(({ field, unknown }) => field !== undefined || unknown);
  const width = shown.reduce((widest, { column }) => Math.max(widest, column.length), 0);
  const lines = shown.slice(0, maxPrintedColumns).map(({ column, field, ignored }): Line => {
    const name = shortened(column).padEnd(Math.min(width, maxNameWidth));
    if (field === undefined) return [`  ${name}   `, styled('yellow', shortened(`ignored: ${ignored}`))];
    const { dateFormat } = cells;
    const note = field === 'birthday' && dateFormat !== undefined ? `, read as ${dateFormat}` : '';
    return [`  ${name} → `, styled('green', shortened(field)), note];
  });
  const more = shown.length - lines.length;
  return more > 0 ? [...lines, `  and ${counted(more, 'more column')}`] : lines;
}

/** Returns the columns that are ignored for known reasons, one line for each reason. */
function ignoredLines(columns: Survey['columns']): Line[] {
  const known = columns.filter(({ field, unknown }) => field === undefined && !unknown);
  const reasons = [...new Set(known.map(({ ignored = '' }) => ignored))];
  return reasons.map(reason => {
    const names = known.filter(({ ignored }) => ignored === reason).map(({ column }) => column);
    return styled('dim', `  ${listed(names)}: ignored, ${reason}`);
  });
}
