import { unprotect } from '../csv.ts';
import { type FileFormat, type InputFile, type Row, readRows } from '../input-file.ts';

export interface ColumnGuess {
  /** First line: the header, unless the file has none. */
  readonly first: Row | undefined;
  /** Names for the columns of a file without a header: its first line contains an email address. */
  readonly header?: readonly string[];
  /** Index of the only column in which most cells are email addresses. */
  readonly email?: number | undefined;
}

const maxRows = 1000;

const address = /^(?:[^<>]*<)?[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+>?$/;
const isAddress = (cell = ''): boolean => address.test(unprotect(cell));

/** Detects from the first rows whether a file has a header, and which column contains the emails. */
export async function guessColumns(
  file: InputFile,
  format: FileFormat,
  signal: AbortSignal,
): Promise<ColumnGuess> {
  const rows: Row[] = [];
  for await (const row of readRows(file, format, signal)) if (rows.push(row) >= maxRows) break;
  const [first, ...others] = rows;
  if (first === undefined || first.unreadable !== undefined) return { first };
  const likely = first.cells.flatMap((cell, index) => {
    const data = isAddress(cell) ? rows : others;
    const addresses = data.filter(({ cells }) => isAddress(cells[index])).length;
    return 2 * addresses > data.length ? index : [];
  });
  const email = likely.length === 1 ? likely[0] : undefined;
  if (!first.cells.some(isAddress)) return { first, email };
  const header = first.cells.map((_, index) => (index === email ? 'email' : `column ${index + 1}`));
  return { first, header, email };
}
