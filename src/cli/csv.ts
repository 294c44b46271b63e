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

/** Splits a cell into texts at commas and semicolons outside of quotes. A cell with misplaced quotes is one text. */
export function parseList(cell: string): string[] {
  try {
    // To start a parser for each cell takes a third of an import's time.
    const texts: string[] = /["\r\n]/.test(cell)
      ? parse(cell, { delimiter: [',', ';'], trim: true, relax_column_count: true }).flat()
      : cell.split(/[,;]/);
    return texts.map(text => text.trim()).filter(text => text !== '');
  } catch {
    return [cell];
  }
}

/** White space becomes one blank, and invisible characters go. */
const blanks = /[\s\p{Cc}]+/gu;
const invisible = /\p{Cf}/gu;
const isPlain = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;

/** Returns a text as one line, without what is invisible. */
export const visible = (text: string): string =>
  isPlain.test(text) ? text : text.replace(invisible, '').replace(blanks, ' ').trim();

/** Returns what is compared of a text that a user has typed, and of a cell. */
export const plainKey = (text: string): string => visible(text).toLowerCase();
export const keyOf = (cell: string): string => plainKey(unprotect(cell));

/** Positions before formulas: at the start, after a character that separates cells in some country, and after a line break. */
const formulas = /(?<=^|[,;\t\r\n])(?='*[=+\-@\t\r＝＋－＠])/g;
/** The outermost quotes before formulas. */
const marks = /(?<=^|[,;\t\r\n])'(?='*[=+\-@\t\r＝＋－＠])/g;

/** Puts a quote before formulas. */
export const protect = (text: string): string => text.replace(formulas, "'");

/** Removes the quotes that {@link protect} has added. */
export const unprotect = (cell: string): string => (cell.includes("'") ? cell.replace(marks, '') : cell);
