import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { UsageError } from './command-line.ts';

/** A file that was read as a whole. */
export interface TextFile {
  readonly text: string;
  readonly encoding: string;
  /** The bytes are not UTF-8: characters that cannot be read became `\ufffd`. */
  readonly isBroken: boolean;
  /** Returns whether the file was written to, replaced or removed since it was read. */
  hasChanged(): boolean;
}

/** About a million rows, which are kept in memory. */
const maxBytes = 100_000_000;

const encodingByMark: Readonly<Record<string, string>> = {
  efbbbf: 'utf-8',
  fffe: 'utf-16le',
  feff: 'utf-16be',
};

/**
 * Reads a text file. A byte order mark determines the encoding, then `encoding`; otherwise it is UTF-8.
 * @param otherwise Encoding of files that are not UTF-8. Without it, they are an error.
 */
export async function readText(path: string, encoding?: string, otherwise?: string): Promise<TextFile> {
  const stats = await stat(path);
  if (!stats.isFile()) throw new UsageError(`${path} is not a file.`, 'file');
  if (stats.size > maxBytes)
    throw new UsageError(`${path} is larger than ${maxBytes / 1e6} MB. Split it into several files.`, 'file');
  const bytes = await readFile(path);
  if (['PK\x03\x04', '\xd0\xcf\x11\xe0'].includes(bytes.toString('latin1', 0, 4)))
    throw new UsageError(`${path} is a workbook. Save it as "CSV UTF-8", and use that file.`, 'file');
  const start = bytes.toString('hex', 0, 3);
  const mark = encodingByMark[start] ?? encodingByMark[start.slice(0, 4)];
  // UTF-16 without a mark can be valid UTF-8 with null characters.
  const isUnicode = isUtf8(bytes) && !bytes.subarray(0, 2).includes(0);
  const used = mark ?? encoding ?? (isUnicode ? 'utf-8' : otherwise);
  if (used === undefined)
    throw new UsageError(
      `${path} is not UTF-8. Save it as "CSV UTF-8", or add --encoding, such as --encoding windows-1252.`,
      'file',
    );
  return {
    text: new TextDecoder(used).decode(bytes),
    encoding: used,
    isBroken: !isUnicode,
    hasChanged() {
      const now = statSync(path, { throwIfNoEntry: false });
      return now?.mtimeMs !== stats.mtimeMs || now.size !== stats.size || now.ino !== stats.ino;
    },
  };
}
