import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type CsvError, parse } from 'csv-parse/sync';
import { UsageError } from './command-line.ts';

export interface FileFormat {
  /** Name of the encoding, as `TextDecoder` takes it. */
  readonly encoding: string;
  /** The file starts with a byte order mark. */
  readonly bom: boolean;
  /** The file contains bytes that are invalid in its encoding: rows with such bytes are unreadable. */
  readonly broken: boolean;
  readonly delimiter: string;
  readonly lineEnd: string;
  /** Line before the header that tells Excel the delimiter, such as `sep=;`, or an empty string. */
  readonly separatorLine: string;
  /** The last line has a line end. */
  readonly endsWithLine: boolean;
  /** Names for the columns of a file without a header. */
  readonly header?: readonly string[];
}

/** Format from the command line; what is absent is detected. */
export type WantedFormat = Partial<Pick<FileFormat, 'encoding' | 'delimiter'>>;

/** A row of a CSV file, or a line that is not CSV. */
export interface Row {
  /** Number of data rows before it; -1 for the header. */
  readonly index: number;
  /** The cells, or the whole text of an unreadable line. */
  readonly cells: readonly string[];
  /** Why the line cannot be read; absent if it can be. */
  readonly unreadable?: string;
}

/** Maximum size of a row. No more than this is searched for a closing quote. */
const maxRowBytes = 1_048_576;
const batchBytes = 262_144;
/** Maximum number of unreadable lines: a file with more is hardly CSV. */
const maxUnreadable = 1000;

/** Latin-1, as Windows and browsers read it. */
const latin1 = 'windows-1252';
const utf8 = 'utf-8';
const delimiters = [',', ';', '\t', '|'] as const;

const chunkBytes = 65_536;
/** Maximum size of a line break of one character, in UTF-16. */
const lineEndBytes = 2;

/** Returns a string that changes when a file is replaced or written to. */
const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join();

/** Thrown when a file changes while it is in use. */
export class ChangedFileError extends UsageError {}

/** A file that is read several times, and must not change meanwhile. */
export class InputFile {
  readonly name: string;
  /** The input ends where a pipe did, which also happens if the command before it fails. */
  readonly isPipe: boolean;
  /** Size in bytes. */
  readonly size: number;
  /** Called with the number of bytes of each read. */
  onRead: (bytes: number) => void = () => {};
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #identity: string;

  private constructor(path: string, name: string, isPipe: boolean, handle: FileHandle, stats: BigIntStats) {
    this.#path = path;
    this.name = name;
    this.isPipe = isPipe;
    this.size = Number(stats.size);
    this.#handle = handle;
    this.#identity = identityOf(stats);
  }

  static async open(path: string, name = path, isPipe = false): Promise<InputFile> {
    const handle = await open(path);
    return new InputFile(path, name, isPipe, handle, await handle.stat({ bigint: true }));
  }

  async *chunks(signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    for (let position = 0; ; ) {
      signal?.throwIfAborted();
      const buffer = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await this.#handle.read(buffer, 0, chunkBytes, position);
      this.requireUnchanged();
      if (bytesRead === 0) return;
      position += bytesRead;
      this.onRead(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** @throws ChangedFileError if the file was written to, replaced or removed since it was opened. */
  requireUnchanged(): void {
    const stats = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || identityOf(stats) !== this.#identity)
      throw new ChangedFileError(`${this.name} changed after it was read`, 'file');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }
}

/** Reads the whole file to detect its format and to hash its bytes. */
export async function inspectFile(
  file: InputFile,
  wanted: WantedFormat,
  signal: AbortSignal,
): Promise<FileFormat & { readonly sha256: string }> {
  const hash = createHash('sha256');
  const bytes = new Utf8Check();
  let [head, tail] = [Buffer.alloc(0), Buffer.alloc(0)];
  for await (const chunk of file.chunks(signal)) {
    hash.update(chunk);
    bytes.add(chunk);
    tail = Buffer.concat([tail, chunk]).subarray(-lineEndBytes);
    if (head.length < maxRowBytes) head = Buffer.concat([head, chunk]);
  }
  bytes.add();
  refuseOtherFiles(file.name, head);
  const { encoding, bom, broken } = encodingOf(file.name, wanted.encoding, head, bytes);
  const text = new TextDecoder(encoding).decode(head);
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? (text.includes('\r') ? '\r' : '\n');
  const [separatorLine = '', separator] = /^"?sep=([^"\r\n])"?(?:\r\n?|\n)/i.exec(text) ?? [];
  const delimiter =
    wanted.delimiter ?? separator ?? guessDelimiter(text.slice(separatorLine.length), lineEnd);
  return {
    encoding,
    bom,
    broken,
    delimiter,
    lineEnd,
    separatorLine,
    endsWithLine: /[\r\n]$/.test(new TextDecoder(encoding).decode(tail)),
    sha256: hash.digest('hex'),
  };
}

/** Returns the encoding of a file, by its mark or its bytes. Throws a `UsageError` if the options have to name it. */
function encodingOf(name: string, wanted: WantedFormat['encoding'], head: Buffer, bytes: Utf8Check) {
  const mark = encodingOfMark(head);
  // A mark decides: files of rejected rows have one, whatever encoding was named for their input.
  const encoding = mark ?? wanted ?? (bytes.valid ? utf8 : latin1);
  if (wanted === undefined && head.subarray(0, 2).includes(0))
    throw new UsageError(`${name} looks like UTF-16: pass --encoding utf-16le or utf-16be`, 'file');
  const isMixed = !bytes.valid && (mark === utf8 || (mark === undefined && bytes.multibyte));
  if (isMixed && wanted === undefined)
    throw new UsageError(
      `${name} mixes UTF-8 with another encoding: correct it, or pass --encoding ${utf8} to reject the rows with ` +
        `other bytes, or --encoding ${latin1}`,
      'file',
    );
  return { encoding, bom: mark !== undefined, broken: encoding === utf8 && !bytes.valid };
}

class Utf8Check {
  /** All bytes so far are valid UTF-8. */
  valid = true;
  /** Some characters have several bytes. */
  multibyte = false;
  readonly #strict = new TextDecoder(utf8, { fatal: true });
  readonly #lenient = new TextDecoder(utf8);

  /** Checks a chunk; without one, ends the check. */
  add(chunk?: Uint8Array): void {
    const text = this.#lenient.decode(chunk, { stream: chunk !== undefined });
    this.multibyte ||= /[\u0080-\ufefe\uff00-\ufffc]/.test(text);
    if (!this.valid) return;
    try {
      this.#strict.decode(chunk, { stream: chunk !== undefined });
    } catch {
      this.valid = false;
    }
  }
}

function refuseOtherFiles(path: string, head: Buffer): void {
  const start = head.toString('latin1', 0, 4);
  if (start === 'PK\x03\x04' || start === '\xd0\xcf\x11\xe0')
    throw new UsageError(
      `${path} is a workbook: save it as "CSV UTF-8" in Excel, and import that file`,
      'file',
    );
  if (/\.(?:jsonl?|ndjson)$/i.test(path))
    throw new UsageError(`${path}: import reads CSV files only`, 'file');
}

function encodingOfMark(head: Buffer): string | undefined {
  const start = head.toString('hex', 0, 3);
  if (start === 'efbbbf') return utf8;
  if (start.startsWith('fffe')) return 'utf-16le';
  return start.startsWith('feff') ? 'utf-16be' : undefined;
}

/** Returns the delimiter that splits the first row into the most columns. */
function guessDelimiter(text: string, lineEnd: string): string {
  const columns = delimiters.map(delimiter => {
    try {
      const options = { delimiter, record_delimiter: lineEnd, trim: true, skip_empty_lines: true };
      const [header = []]: string[][] = parse(text, { ...options, to: 1 });
      return header.length;
    } catch {
      return 0;
    }
  });
  return delimiters[columns.indexOf(Math.max(...columns))] ?? ',';
}

export function requireEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new UsageError(
      `--encoding takes the name of an encoding, such as ${utf8}, utf-16le, ${latin1} or shift_jis (got ${JSON.stringify(name)})`,
    );
  }
}

/** Yields the header and the rows. A line that is not CSV is yielded as unreadable, and reading resumes after it. */
export async function* readRows(
  file: InputFile,
  format: FileFormat,
  signal?: AbortSignal,
): AsyncGenerator<Row, void, undefined> {
  let index = -1;
  if (format.header !== undefined) yield { index: index++, cells: format.header };
  const decoder = new TextDecoder(format.encoding);
  const reader = new RowReader(file.name, format);
  for await (const chunk of file.chunks(signal))
    for (const row of reader.read(decoder.decode(chunk, { stream: true }))) yield { index: index++, ...row };
  for (const row of reader.read(decoder.decode(), true)) yield { index: index++, ...row };
}

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote; quotes within a cell must be doubled',
  INVALID_OPENING_QUOTE: 'has a quote within a cell that is not quoted; quote the cell, and double the quote',
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed',
  CSV_MAX_RECORD_SIZE: `is larger than ${maxRowBytes} bytes, or has a quote that is never closed`,
};

type Line = Omit<Row, 'index'>;

/** Finds the rows in chunks of text. */
class RowReader {
  readonly #path: string;
  readonly #format: FileFormat;
  /** Text after the last complete row, in UTF-8. */
  #rest: Buffer = Buffer.alloc(0);
  /** Number of characters to skip before the header. */
  #ahead: number;
  #wanted = batchBytes;
  #unreadable = 0;
  /** The rest of a line that is too large must be skipped. */
  #skipsLine = false;

  constructor(path: string, format: FileFormat) {
    this.#path = path;
    this.#format = format;
    this.#ahead = format.separatorLine.length;
  }

  /** Adds text; returns the rows that are complete. */
  read(text: string, isLast = false): readonly Line[] {
    const added = text.slice(this.#ahead);
    this.#ahead -= text.length - added.length;
    this.#rest = Buffer.concat([this.#rest, Buffer.from(added)]);
    if (this.#skipsLine) this.#skipLine();
    const rows: Line[] = [];
    if (this.#skipsLine || (this.#rest.length < this.#wanted && !isLast)) return rows;
    for (let failure: string | undefined = ''; failure !== undefined && !this.#skipsLine; ) {
      const batch = this.#parse(isLast);
      for (const row of batch.rows) rows.push(row);
      this.#rest = this.#rest.subarray(batch.bytes);
      failure = batch.failure;
      if (failure !== undefined) rows.push(this.#takeLine(failure));
    }
    this.#wanted = Math.max(batchBytes, 2 * this.#rest.length);
    return rows;
  }

  /** Parses the text up to its end, its last complete row or its first line that is not CSV. */
  #parse(isLast: boolean): { rows: Line[]; bytes: number; failure?: string } {
    const { delimiter, lineEnd } = this.#format;
    const rows: Line[] = [];
    const ends = [0];
    const collect = (cells: string[], { bytes }: { bytes: number }) => {
      rows.push(this.#toRow(cells));
      ends.push(bytes);
      return null;
    };
    const cut = () => ({ rows: rows.slice(0, -1), bytes: ends.at(-2) ?? 0 });
    try {
      parse(this.#rest, {
        delimiter,
        record_delimiter: lineEnd === '\r' ? '\r' : ['\r\n', '\n'],
        trim: true,
        max_record_size: maxRowBytes,
        relax_column_count: true,
        skip_empty_lines: true,
        on_record: collect,
      });
      // The last row may continue in the next chunk.
      return isLast ? { rows, bytes: this.#rest.length } : cut();
    } catch (error) {
      const { code } = error as CsvError;
      const bytes = ends.at(-1) ?? 0;
      return code === 'CSV_QUOTE_NOT_CLOSED' && !isLast ? { rows, bytes } : { rows, bytes, failure: code };
    }
  }

  #toRow(cells: string[]): Line {
    if (!this.#format.broken || !cells.some(cell => cell.includes('\ufffd'))) return { cells };
    return { cells, unreadable: `has bytes that are not ${this.#format.encoding}` };
  }

  /** Removes the first line that is not blank, and returns it as unreadable. */
  #takeLine(failure: string): Line {
    this.#unreadable += 1;
    if (this.#unreadable > maxUnreadable)
      throw new UsageError(
        `${this.#path}: more than ${maxUnreadable} lines are not CSV; check the delimiter and the quotes`,
        'file',
      );
    const blank = /^\s*/.exec(this.#rest.toString('latin1', 0, maxRowBytes))?.[0].length ?? 0;
    const line = this.#rest.subarray(blank);
    const end = line.indexOf(this.#format.lineEnd.slice(-1));
    const text = line.subarray(0, Math.min(end < 0 ? line.length : end, maxRowBytes)).toString();
    this.#rest = line;
    this.#skipLine();
    return { cells: [text.replace(/\r$/, '')], unreadable: reasons[failure] ?? 'is not CSV' };
  }

  /** Removes the text up to the end of the line, which may come with a later chunk. */
  #skipLine(): void {
    const end = this.#rest.indexOf(this.#format.lineEnd.slice(-1));
    this.#rest = end < 0 ? Buffer.alloc(0) : this.#rest.subarray(end + 1);
    this.#skipsLine = end < 0;
  }
}
