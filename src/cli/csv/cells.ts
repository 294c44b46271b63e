import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/** Quotes cells whose white space a reader would trim, and each kind of line break. */
const quoted = /[\r\n]|^\s|\s$/;

/** Returns rows as CSV text, each ended by a line break. */
export const formatRows = (rows: readonly (readonly string[])[], delimiter = ','): string =>
  stringify(
    rows.map(row => [...row]),
    { delimiter, quoted_match: quoted },
  );

/** Returns several texts as one cell, with `;` between them; one that holds a `;` is quoted. */
export const formatList = (texts: readonly string[]): string =>
  stringify([[...texts]], { delimiter: ';', eof: false, quoted_match: quoted });

/** Reads a cell that holds several texts. A cell that cannot be read so is one text. */
export function parseList(cell: string): string[] {
  try {
    const rows: string[][] = parse(cell, { delimiter: ';', trim: true, relax_column_count: true });
    return rows.flat().filter(text => text !== '');
  } catch {
    return [cell];
  }
}

/** Beginning of a cell that a spreadsheet runs as a formula, after any quotes that protect it. */
const formula = /^'*[=+\-@\t\r＝＋－＠]/;
const protectedFormula = /^'+[=+\-@\t\r＝＋－＠]/;

/**
 * Returns a cell that {@link unprotect} turns back into `text`.
 * @param safe Put a quote before what a spreadsheet would run. Otherwise only text that looks protected gets one.
 */
export const protect = (text: string, safe: boolean): string =>
  (safe ? formula : protectedFormula).test(text) ? `'${text}` : text;

/** Removes the quote that protects a spreadsheet from a cell. */
export const unprotect = (cell: string): string => (protectedFormula.test(cell) ? cell.slice(1) : cell);
