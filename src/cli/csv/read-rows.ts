import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type CsvError, parse } from 'csv-parse';
import { UsageError } from '../command-line.ts';

/** One row of a CSV file, or one line that is no CSV. */
export interface Row {
  /** Cells as they are in the file; of an unreadable line the whole text. */
  readonly cells: readonly string[];
  /** Why the line cannot be read; absent for a row. */
  readonly unreadable?: string;
}

/** Largest row, in bytes: where a quote is never closed, no more than this is searched for its end. */
const maxRowBytes = 1_048_576;

/** Lines that may be unreadable. Beyond this the file is hardly CSV, and each costs a new search for its end. */
const maxUnreadable = 1000;

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Reads a CSV file row by row, the header among them, in a memory that does not grow with it. A line that is no CSV
 * is given as unreadable, and reading resumes at the line after it.
 */
export async function* readRows(path: string, delimiter: string): AsyncGenerator<Row, void, undefined> {
  let offset = 0;
  for (let unreadable = 0; unreadable <= maxUnreadable; unreadable += 1) {
    const failure = yield* readUntilFailure(path, delimiter, offset);
    if (failure === undefined) return;
    const line = await readLine(path, failure.offset);
    yield { cells: [line.text], unreadable: reasons[failure.code] ?? 'is no CSV' };
    offset = line.end;
  }
  throw new UsageError(
    `${path}: more than ${maxUnreadable} lines are no CSV; check the delimiter and the quotes`,
  );
}

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote: double the quotes within a cell',
  INVALID_OPENING_QUOTE:
    'has a quote within a cell that does not start with one: quote the cell, and double it',
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed',
  CSV_MAX_RECORD_SIZE: `is larger than ${maxRowBytes} bytes, or has a quote that is never closed`,
};

interface Failure {
  readonly code: string;
  /** Byte after the last row that could be read. */
  readonly offset: number;
}

async function* readUntilFailure(
  path: string,
  delimiter: string,
  start: number,
): AsyncGenerator<Row, Failure | undefined, undefined> {
  let error: CsvError | undefined;
  const parser = parse({
    ...{ delimiter, bom: start === 0, info: true, trim: true, max_record_size: maxRowBytes },
    ...{ relax_column_count: true, skip_empty_lines: true, skip_records_with_error: true },
    on_skip: failure => {
      if (error) return undefined;
      error = failure;
      // Reading resumes at the next line: what follows here would be parsed for nothing.
      file.unpipe(parser);
      setImmediate(() => parser.end());
      return undefined;
    },
  });
  const file = createReadStream(path, { start });
  file.once('error', failure => parser.destroy(failure));
  let offset = start;
  try {
    for await (const { record, info } of file.pipe(parser)) {
      if (error && info.records > Number(error.records)) break;
      offset = start + info.bytes;
      yield { cells: record };
    }
  } finally {
    file.destroy();
  }
  return error && { code: error.code, offset };
}

/** Reads the first line from an offset that is not blank: its text up to the largest size of a row, and where it ends. */
async function readLine(path: string, offset: number): Promise<{ text: string; end: number }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxRowBytes), 0, maxRowBytes, offset);
    const bytes = buffer.subarray(0, bytesRead);
    let start = 0;
    while (bytes[start] === lineFeed || bytes[start] === carriageReturn) start += 1;
    const feed = bytes.indexOf(lineFeed, start);
    const length = feed < 0 ? bytes.length : feed;
    const text = bytes.subarray(start, length).toString('utf8').replace(/\r$/, '');
    const end = feed < 0 ? await findLineEnd(file, offset + bytesRead) : offset + feed + 1;
    return { text, end };
  } finally {
    await file.close();
  }
}

/** Returns the offset behind the first line feed from an offset, or behind the end of the file. */
async function findLineEnd(file: FileHandle, from: number): Promise<number> {
  const chunk = Buffer.alloc(maxRowBytes);
  for (let offset = from; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, offset);
    const feed = chunk.subarray(0, bytesRead).indexOf(lineFeed);
    if (feed >= 0) return offset + feed + 1;
    if (bytesRead === 0) return offset;
    offset += bytesRead;
  }
}
