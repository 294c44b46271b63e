import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/** Cells to quote: readers trim their white space, or they contain a line break. */
const quoted = /[\r\n]|^\s|\s$/;

export const formatRows = (
  rows: readonly (readonly string[])[],
  { delimiter = ',', lineEnd = '\n' } = {},
): string =>
  stringify(
    rows.map(row => [...row]),
    { delimiter, record_delimiter: lineEnd, quoted_match: quoted },
  );

/** Returns texts as one cell, separated by `;`. A text that contains `;` is quoted. */
export const formatList = (texts: readonly string[]): string =>
  stringify([[...texts]], { delimiter: ';', eof: false, quoted_match: quoted });

/** A cell of quoted texts separated by commas, as Mailchimp writes tags. */
const quotedList = /^\s*"(?:[^"]|"")*"\s*(?:,\s*"(?:[^"]|"")*"\s*)+$/;

/** Splits a cell into texts. A cell with misplaced quotes is one text. */
export function parseList(cell: string, separator = ';'): string[] {
  try {
    const delimiter = quotedList.test(cell) ? ',' : separator;
    const rows: string[][] = parse(cell, { delimiter, trim: true, relax_column_count: true });
    return rows.flat().filter(text => text !== '');
  } catch {
    return [cell];
  }
}

/** Positions before formulas: at the start, after a separator that other countries use, and after a line break. */
const formulas = /(?<=^|[;\t\r\n])(?='*[=+\-@\t\r＝＋－＠])/g;
/** Positions before formulas that have a quote already. */
const markedFormulas = /(?<=^|[;\t\r\n])(?='+[=+\-@\t\r＝＋－＠])/g;
/** The outermost quotes before formulas. */
const marks = /(?<=^|[;\t\r\n])'(?='*[=+\-@\t\r＝＋－＠])/g;

/** Puts a quote before formulas; unless `safe`, only before those with a quote, so that {@link unprotect} is exact. */
export const protect = (text: string, safe: boolean): string =>
  text.replace(safe ? formulas : markedFormulas, "'");

/** Removes the quotes that {@link protect} has added. */
export const unprotect = (cell: string): string => cell.replace(marks, '');
