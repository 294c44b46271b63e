import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { UsageError } from '../command-line.ts';
import { keyOf } from '../csv.ts';
import { fieldOfName, plainName } from '../field-names.ts';
import type { InputFile } from '../input-file.ts';
import { startReading } from '../progress.ts';
import { addressIn, isAddress } from './addresses.ts';
import type { Job } from './options.ts';

/** How the text of a file is read. */
export interface Reading {
  /** Name of the encoding, as `TextDecoder` takes it. */
  readonly encoding: string;
  readonly delimiter: string;
  readonly lineEnd: string;
  /** Lines before the one that names the columns. */
  readonly above: number;
  /** The bytes are not UTF-8: characters that cannot be read become `\ufffd`. */
  readonly isBroken: boolean;
}

/** Maximum size of a row. No more than this is searched for a closing quote. */
const maxRowBytes = 1_048_576;

/** What is smaller is read before anybody wonders. */
const minShownBytes = 1_000_000;

/** Calls `work`, which reads the file once, and shows its progress if it takes long. */
export async function reading<Value>(
  { file, context }: Job,
  verb: string,
  work: () => Promise<Value>,
): Promise<Value> {
  if (file.size < minShownBytes) return await work();
  using progress = startReading(context, verb, file.size);
  file.onRead = progress.add;
  return await work();
}

const parserOptions = (delimiter: string) => ({
  delimiter,
  // Around quotes, too: white space within quotes is text.
  trim: true,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
});

/**
 * Yields the header, as row -1, and the rows with their indexes, without blank ones.
 * @throws UsageError that names the line if the file is no CSV, or a quoted cell may have swallowed rows.
 */
export async function* readRows(
  file: InputFile,
  reading: Reading,
  signal?: AbortSignal,
): AsyncGenerator<readonly [index: number, cells: string[]], void, undefined> {
  let [columns, names, lastLine] = [0, new Set<string>(), 0];
  const parser = parse({
    ...parserOptions(reading.delimiter),
    max_record_size: maxRowBytes,
    record_delimiter: reading.lineEnd === '\r' ? '\r' : ['\r\n', '\n'],
    on_record(cells: string[], info) {
      const lines = info.lines + reading.above;
      if (columns > 0) requireNoHeader(file.name, cells, names, lines);
      else [columns, names] = [cells.length, new Set(cells.map(keyOf))];
      // A quoted cell with a line break: most rows are one line.
      if (info.lines - lastLine > 1) requireNoRows(file.name, cells, columns, reading.delimiter, lines);
      lastLine = info.lines;
      return cells;
    },
  });
  const source = Readable.from(textOf(file, reading, signal));
  source.on('error', error => parser.destroy(error)).pipe(parser);
  let index = -1;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) yield [index++, cells];
  } catch (error) {
    throw toUsageError(error as CsvError & { readonly lines: number }, file.name, reading.above);
  } finally {
    source.destroy();
  }
}

async function* textOf(file: InputFile, { encoding, above, lineEnd }: Reading, signal?: AbortSignal) {
  const decoder = new TextDecoder(encoding);
  const ending = lineEnd === '\r' ? '\r' : '\n';
  let isFirst = above > 0;
  for await (const chunk of file.chunks(signal)) {
    const text = decoder.decode(chunk, { stream: true });
    yield isFirst ? text.split(ending).slice(above).join(ending) : text;
    isFirst = false;
  }
  yield decoder.decode();
}

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'text follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote is in a cell that does not begin with one',
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_MAX_RECORD_SIZE: `a row is larger than ${maxRowBytes} bytes, or a quote is never closed`,
};

function toUsageError(error: CsvError & { readonly lines: number }, name: string, above: number): Error {
  const reason = reasons[error.code];
  if (reason === undefined) return error;
  return new UsageError(
    `${name} is not CSV up to line ${error.lines + above}: ${reason}. If that line is right, a quote further ` +
      'up is wrong: double a quote that belongs to a text',
    'file',
  );
}

/** Where two exports were put together, the columns of the second can be in another order. */
function requireNoHeader(
  name: string,
  cells: readonly string[],
  names: ReadonlySet<string>,
  line: number,
): void {
  if (!names.has(keyOf(cells[0] ?? '')) || !cells.every(cell => names.has(keyOf(cell)))) return;
  if (new Set(cells).size < Math.min(cells.length, names.size)) return;
  throw new UsageError(
    `${name}: line ${line} names the columns again: two files were put together. Import each of them`,
    'file',
  );
}

const lineBreak = /\r?\n|\r/;

/** A stray quote makes one cell of all that follows, up to the next one: other people's rows are in it. */
function requireNoRows(
  name: string,
  cells: readonly string[],
  columns: number,
  delimiter: string,
  lastLine: number,
): void {
  const isRow = (line: string): boolean => {
    const parts = line.split(delimiter).map(part => part.trim().replace(/^"|"$/g, ''));
    return parts.length >= Math.min(columns, 2) && parts.some(part => isAddress(addressIn(part)));
  };
  const lines = cells.map(cell => cell.split(lineBreak));
  if (!lines.some(within => within.length > 1 && within.some(isRow))) return;
  const first = lastLine - lines.reduce((sum, { length }) => sum + length - 1, 0);
  throw new UsageError(
    `${name}: a quoted cell in lines ${first} to ${lastLine} contains what look like rows. If they ` +
      'are, a quote is missing or too many: correct it. If they are one text, remove its line breaks',
    'file',
  );
}

const maxFirstRecords = 50;

/** A record at the start of a file, and the number of the line in which it ends. */
interface FirstRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

function firstRecords(text: string, delimiter: string): FirstRecord[] {
  const records: FirstRecord[] = [];
  const collect = (cells: string[], { lines }: { readonly lines: number }) => {
    records.push({ cells, line: lines });
    return null;
  };
  const options = { ...parserOptions(delimiter), to: maxFirstRecords, on_record: collect };
  try {
    parseText(text, { ...options, relax_quotes: true });
  } catch {
    // The text may end within a row. What was collected is enough.
  }
  return records;
}

/** What the start of a file says about its form. */
export interface Layout extends Pick<Reading, 'delimiter' | 'lineEnd' | 'above'> {
  /** No record at the start names the columns. */
  readonly lacksHeader: boolean;
}

/** Finds the delimiter that splits most rows into the same number of cells. */
export function layoutOf(head: string, given: { readonly delimiter?: string }): Layout {
  const layouts = [given.delimiter ?? [',', ';', '\t', '|']].flat().map(delimiter => {
    const records = firstRecords(head, delimiter);
    const counts = new Map<number, number>();
    for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
    const [length = 1, count = 0] = [...counts].sort(([a, one], [b, other]) => other - one || b - a)[0] ?? [];
    return { delimiter, records, length, share: length > 1 ? count / records.length : 0 };
  });
  const { delimiter, records, length } = layouts.reduce((one, other) =>
    other.share > one.share || (other.share === one.share && other.length > one.length) ? other : one,
  );
  const lineEnd = /\r?\n/.exec(head)?.[0] ?? (head.includes('\r') ? '\r' : '\n');
  const at = headerAt(records, length);
  const { cells: names = [], line = 1 } = records[at] ?? {};
  const above = at === 0 ? 0 : line - names.join('').split(lineBreak).length;
  const lacksHeader = records.slice(0, at + 1).some(({ cells }) => cells.some(isAddress));
  return { delimiter, lineEnd, above, lacksHeader: lacksHeader || isSparse(records[at], length) };
}

const namesEmail = ({ cells }: FirstRecord): boolean =>
  cells.some(cell => fieldOfName(cell) === 'email' || plainName(cell) === 'email');

/** How far a header is searched. */
const maxLinesAbove = 10;

/** Returns whether a record has fewer cells with text than rows have. */
const isSparse = (record: FirstRecord | undefined, usual: number): boolean =>
  record !== undefined && usual > 1 && 2 * record.cells.filter(cell => cell !== '').length <= usual;

/** Returns the index of the record that names the columns: the email, or at least most columns. */
function headerAt(records: readonly FirstRecord[], usual: number): number {
  const first = records.slice(0, maxLinesAbove + 1);
  const byEmail = first.findIndex(namesEmail);
  return Math.max(byEmail >= 0 ? byEmail : first.findIndex(record => !isSparse(record, usual)), 0);
}
