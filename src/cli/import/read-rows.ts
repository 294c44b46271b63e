import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { type CsvError, parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { UsageError } from '../command-line.ts';
import { fieldOfName, ownField } from '../fields.ts';
import { startReading } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import { readText, type TextFile } from '../text-file.ts';
import { isAddress } from './addresses.ts';
import { type Cells, mailableIndex, type TableRow } from './columns.ts';

/** How the text of a file is divided. */
interface Layout {
  readonly delimiter: string;
  readonly lineEnd: string;
  /** Lines before the one that names the columns. */
  readonly above: number;
}

/** A file as it was read. The import shows and sends exactly these rows. */
export interface Table extends Layout, Cells, Omit<TextFile, 'text'> {
  /** Index of the column `mailable`. */
  readonly mailable: number;
}

/** Maximum size of a row. No more than this is searched for a closing quote. */
const maxRowBytes = 1_048_576;
const pieceBytes = 65_536;
const maxColumns = 1000;

const parserOptions = (delimiter: string) => ({
  delimiter,
  // Around quotes, too: white space within quotes is text.
  trim: true,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
});

/** @throws UsageError if the file is not CSV, or no line names the columns. */
export async function readTable(
  path: string,
  given: { readonly encoding?: string; readonly delimiter?: string },
  context: Context,
): Promise<Table> {
  const { text, ...file } = await readText(path, given.encoding);
  const layout = layoutOf(text.slice(0, pieceBytes), given.delimiter);
  if (layout === undefined)
    throw new UsageError(
      `${path}: the first line must name the columns. Add a line with their names.`,
      'file',
    );
  const { delimiter, lineEnd, above } = layout;
  const parser = parse({
    ...parserOptions(delimiter),
    max_record_size: maxRowBytes,
    record_delimiter: lineEnd === '\r' ? '\r' : ['\r\n', '\n', '\r'],
    info: true,
  });
  const bytes = Buffer.from(
    text.split(lineEnd, above).reduce((rest, line) => rest.slice(line.length + lineEnd.length), text),
  );
  const lineOf = lineCounter(path, bytes, layout);
  const rows: TableRow[] = [];
  await pipeline(piecesOf(path, bytes, context), parser, async records => {
    for await (const { record: cells, info } of records)
      rows.push({ cells, line: lineOf(cells, info.bytes) });
  }).catch((error: CsvError & { readonly lines?: number }) => {
    if (error.lines === undefined) throw error;
    throw new UsageError(
      `${path} is not CSV up to line ${error.lines + above}. A quote is missing there or above, or there is one too many. ` +
        'Double each quote within a cell.',
      'file',
    );
  });
  const [{ cells: header } = { cells: [] }] = rows.splice(0, 1);
  const { length } = header;
  if (length > maxColumns)
    throw new UsageError(`${path} has ${length} columns; the maximum is ${maxColumns}. Delete some.`, 'file');
  return { ...file, ...layout, header, rows, mailable: mailableIndex(path, header) };
}

/** Returns a function that returns the line in which a record begins. Call it for each record, with the end of its bytes. */
function lineCounter(path: string, bytes: Buffer, { lineEnd, above }: Layout) {
  const mark = lineEnd === '\r' ? '\r' : '\n';
  const breaksIn = (text: string) => text.split(mark).length - 1;
  let [line, at] = [above + 1, 0];
  return (cells: readonly string[], end: number): number => {
    const text = bytes.toString('latin1', at, end);
    [line, at] = [line + breaksIn(text), end];
    // `\r\r\n` is a line end of some programs.
    if (
      mark === '\n' &&
      text.endsWith('\r') &&
      !/[\r\n]/.test(bytes.toString('latin1', end, end + 1) || '\n')
    )
      throw new UsageError(
        `${path}: line ${line} contains a carriage return that may be the end of a row. Correct this line in a spreadsheet.`,
        'file',
      );
    return line - breaksIn(cells.join('')) - (text.endsWith(mark) ? 1 : 0);
  };
}

/** Lets system signals arrive. */
export async function pause(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

async function* piecesOf(path: string, bytes: Buffer, context: Context) {
  using progress = startReading(context, path, bytes.length);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    await pause(context.signal);
    yield bytes.subarray(at, at + pieceBytes);
    progress.add(pieceBytes);
  }
}

const maxFirstRecords = 50;
/** Maximum number of records above the header. */
const maxRecordsAbove = 10;

/** Returns the first records, each with the number of the line in which it ends. */
function firstRecords(text: string, delimiter: string) {
  const records: { cells: string[]; line: number }[] = [];
  const on_record = (cells: string[], { lines }: { readonly lines: number }) => {
    records.push({ cells, line: lines });
    return null;
  };
  try {
    parseText(text, { ...parserOptions(delimiter), to: maxFirstRecords, on_record, relax_quotes: true });
  } catch {
    // The text may end within a row. What was collected is enough.
  }
  return records;
}

/**
 * Finds the delimiter that splits most rows into the same number of cells, and the header: the first record that names the
 * email, or that has text in most columns. Returns `undefined` if that record may be a row.
 */
function layoutOf(head: string, given?: string): Layout | undefined {
  const layouts = [given ?? [',', ';', '\t', '|']].flat().map(delimiter => {
    const records = firstRecords(head, delimiter);
    const lengths = records.map(({ cells }) => cells.length);
    const count = (length: number) => lengths.filter(other => other === length).length;
    const length = Math.max(...lengths.toSorted((one, other) => count(other) - count(one)).slice(0, 1), 1);
    return { delimiter, records, length, share: length > 1 ? count(length) / records.length : 0 };
  });
  layouts.sort((one, other) => other.share - one.share || other.length - one.length);
  const [{ delimiter, records, length } = { delimiter: ',', records: [], length: 1 }] = layouts;
  const first = records.slice(0, maxRecordsAbove + 1);
  const isFull = (cells: string[] = []) => length === 1 || 2 * cells.filter(Boolean).length > length;
  const namesEmail = (cell: string) => (ownField(cell) ?? fieldOfName(cell)) === 'email';
  const byEmail = first.findIndex(({ cells }) => cells.some(namesEmail));
  const at = byEmail >= 0 ? byEmail : first.findIndex(({ cells }) => isFull(cells));
  const header = first[at];
  const mayBeRow = first.slice(0, at + 1).some(({ cells }) => cells.some(isAddress));
  if (header === undefined || mayBeRow || !isFull(header.cells)) return undefined;
  const lineEnd = /\r?\n/.exec(head)?.[0] ?? (head.includes('\r') ? '\r' : '\n');
  const ownLines = header.cells.join('').split(/\r?\n|\r/).length;
  return { delimiter, lineEnd, above: at === 0 ? 0 : header.line - ownLines };
}
