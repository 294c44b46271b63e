import { unprotect } from '../csv.ts';
import { type FileFormat, type InputFile, type Row, readRows } from '../input-file.ts';

/** What the first rows of a file show about its columns. */
export interface ColumnGuess {
  /** First line, which names the columns if the file has a header. */
  readonly first: Row | undefined;
  /** Names of the columns of a file without a header, whose first line holds an email address. */
  readonly header?: readonly string[];
  /** The one column in which most cells are email addresses. */
  readonly email?: number | undefined;
}

/** Rows that are looked at. */
const maxRows = 1000;

const address = /^(?:[^<>]*<)?[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+>?$/;
const isAddress = (cell = ''): boolean => address.test(unprotect(cell));

/** Finds out from the content if a file has a header, and which column holds the emails. */
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
