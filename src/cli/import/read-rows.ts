import { Readable } from 'node:stream';
import { type CsvError, parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { UsageError } from '../command-line.ts';
import { keyOf } from '../csv.ts';
import { fieldOfName, plainName } from '../field-names.ts';
import type { InputFile } from '../input-file.ts';
import { startReading } from '../progress.ts';
import { addressesIn, isAddress } from './addresses.ts';
import type { Job } from './options.ts';

/** How the text of a file is read. */
export interface Reading {
  /** Name of the encoding, as `TextDecoder` takes it. */
  readonly encoding: string;
  readonly delimiter: string;
  readonly lineEnd: string;
  /** The bytes are not UTF-8: characters that cannot be read become `\ufffd`. */
  readonly isBroken: boolean;
}

/** Maximum size of a row. No more than this is searched for a closing quote. */
const maxRowBytes = 1_048_576;

/** Calls `work`, which reads the file once, and shows its progress if it takes long. */
export async function reading<Value>(
  { file, context }: Job,
  verb: string,
  work: () => Promise<Value>,
): Promise<Value> {
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
  let [columns, names] = [0, new Set<string>()];
  const parser = parse({
    ...parserOptions(reading.delimiter),
    max_record_size: maxRowBytes,
    record_delimiter: reading.lineEnd === '\r' ? '\r' : ['\r\n', '\n'],
    on_record(cells: string[], { lines }) {
      if (columns > 0) requireNoHeader(file.name, cells, names, lines);
      else [columns, names] = [cells.length, new Set(cells.map(keyOf))];
      const text = cells.find(cell => cell.includes('\n') || cell.includes('\r'));
      if (text !== undefined) requireNoRows(file.name, cells, columns, reading.delimiter, lines);
      return cells;
    },
  });
  const source = Readable.from(textOf(file, reading, signal));
  source.on('error', error => parser.destroy(error)).pipe(parser);
  let index = -1;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) yield [index++, cells];
  } catch (error) {
    throw toUsageError(error as CsvError & { readonly lines: number }, file.name);
  } finally {
    source.destroy();
  }
}

async function* textOf(file: InputFile, { encoding }: Reading, signal?: AbortSignal) {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of file.chunks(signal)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'text follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote is in a cell that does not begin with one',
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_MAX_RECORD_SIZE: `a row is larger than ${maxRowBytes} bytes, or a quote is never closed`,
};

function toUsageError(error: CsvError & { readonly lines: number }, name: string): Error {
  const reason = reasons[error.code];
  if (reason === undefined) return error;
  return new UsageError(
    `${name} is not CSV up to line ${error.lines}: ${reason}. If that line is right, a quote further ` +
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
  const partsOf = (line: string) => line.split(delimiter).map(part => part.trim().replace(/^"|"$/g, ''));
  const lines = cells.join(delimiter).split(lineBreak);
  const within = cells.flatMap(cell => cell.split(lineBreak).slice(1)).map(partsOf);
  const holdsRow = within.some(parts => parts.length >= Math.min(columns, 2) && parts.some(isAddress));
  // The quote of one row can end in the next: then the lines are as long as rows, cells outside of the quotes included.
  const least = Math.min(columns, cells.length);
  const isLong = (line: string) => partsOf(line).length >= least;
  const areRows =
    isLong(lines[0] ?? '') && lines.slice(1).some(line => isLong(line) && addressesIn(line).length > 0);
  if (!holdsRow && !areRows) return;
  throw new UsageError(
    `${name}: a quoted cell in lines ${lastLine - lines.length + 1} to ${lastLine} contains what look like rows. If they ` +
      'are, a quote is missing or too many: correct it. If they are one text, remove its line breaks',
    'file',
  );
}

const maxFirstRecords = 50;

function firstRecords(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  const collect = (cells: string[]) => {
    records.push(cells);
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

/** Returns the number of cells that most records have. */
function usualLength(records: readonly (readonly string[])[]): {
  readonly length: number;
  readonly share: number;
} {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [length = 1, count = 0] = [...counts].sort(([a, one], [b, other]) => other - one || b - a)[0] ?? [];
  return { length, share: count / Math.max(records.length, 1) };
}

/** What the start of a file says about its form. */
export interface Layout extends Pick<Reading, 'delimiter' | 'lineEnd'> {
  /** The first record may not name the columns. */
  readonly lacksHeader: boolean;
}

/** Finds the delimiter that splits most rows into the same number of cells. */
export function layoutOf(head: string, given: { readonly delimiter?: string }): Layout {
  const layouts = [given.delimiter ?? [',', ';', '\t', '|']].flat().map(delimiter => {
    const records = firstRecords(head, delimiter);
    const { length, share } = usualLength(records);
    return { delimiter, records, length, score: length > 1 ? share : 0 };
  });
  const { delimiter, records, length } = layouts.reduce((one, other) =>
    other.score > one.score || (other.score === one.score && other.length > one.length) ? other : one,
  );
  const lineEnd = /\r?\n/.exec(head)?.[0] ?? (head.includes('\r') ? '\r' : '\n');
  return { delimiter, lineEnd, lacksHeader: lacksHeader(records, length) };
}

const namesEmail = (cells: readonly string[]): boolean =>
  cells.some(cell => fieldOfName(cell) === 'email' || plainName(cell) === 'email');

/** How far a header is searched. */
const maxLinesAbove = 10;

function lacksHeader([first, ...others]: readonly (readonly string[])[], usual: number): boolean {
  if (first === undefined) return false;
  const filled = first.filter(cell => cell !== '').length;
  const isAbove = !namesEmail(first) && others.slice(0, maxLinesAbove).some(namesEmail);
  return first.some(isAddress) || (usual > 1 && 2 * filled <= usual) || isAbove;
}
