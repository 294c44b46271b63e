import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/** Quotes cells whose white space a reader would trim, and each kind of line break. */
const quoted = /[\r\n]|^\s|\s$/;

/** Returns rows as CSV text, each ended by a line break. */
export const formatRows = (
  rows: readonly (readonly string[])[],
  { delimiter = ',', lineEnd = '\n' } = {},
): string =>
  stringify(
    rows.map(row => [...row]),
    { delimiter, record_delimiter: lineEnd, quoted_match: quoted },
  );

/** Returns several texts as one cell, with `;` between them; one that holds a `;` is quoted. */
export const formatList = (texts: readonly string[]): string =>
  stringify([[...texts]], { delimiter: ';', eof: false, quoted_match: quoted });

/** A cell of quoted texts with commas between them, as Mailchimp writes tags. */
const quotedList = /^\s*"(?:[^"]|"")*"\s*(?:,\s*"(?:[^"]|"")*"\s*)+$/;

/** Reads a cell that holds several texts. A cell that cannot be read as such is one text. */
export function parseList(cell: string, separator = ';'): string[] {
  try {
    const delimiter = quotedList.test(cell) ? ',' : separator;
    const rows: string[][] = parse(cell, { delimiter, trim: true, relax_column_count: true });
    return rows.flat().filter(text => text !== '');
  } catch {
    return [cell];
  }
}

/**
 * Finds the places before formulas. A spreadsheet may begin a cell at the start of the text, after what separates cells
 * in other countries, and after a line break.
 */
const formulas = /(?<=^|[;\t\r\n])(?='*[=+\-@\t\r＝＋－＠])/g;
/** Finds the places before formulas with a mark. */
const markedFormulas = /(?<=^|[;\t\r\n])(?='+[=+\-@\t\r＝＋－＠])/g;
/** Finds the outermost marks. */
const marks = /(?<=^|[;\t\r\n])'(?='*[=+\-@\t\r＝＋－＠])/g;

/**
 * Returns a cell that {@link unprotect} turns back into `text`.
 * @param safe Put the mark `'` before what a spreadsheet would run. Otherwise only text that looks marked gets one.
 */
export const protect = (text: string, safe: boolean): string =>
  text.replace(safe ? formulas : markedFormulas, "'");

/** Removes the marks that {@link protect} put into a cell. */
export const unprotect = (cell: string): string => cell.replace(marks, '');
