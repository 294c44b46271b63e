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

/** Texts of a list to quote: also those with a comma, so that a reader knows that it separates nothing. */
const quotedInList = /[,\r\n]|^\s|\s$/;

/** Returns texts as one cell, separated by `;`. A text that contains `;` or a comma is quoted. */
export const formatList = (texts: readonly string[]): string =>
  stringify([[...texts]], { delimiter: ';', eof: false, quoted_match: quotedInList });

/** A cell of quoted texts separated by commas, as Mailchimp writes tags. */
const quotedList = /^\s*"(?:[^"]|"")*"\s*(?:,\s*"(?:[^"]|"")*"\s*)+$/;

/** Splits a cell into texts. A cell with misplaced quotes is one text. */
export const parseList = (cell: string, separator = ';'): string[] =>
  splitList(cell, quotedList.test(cell) ? [','] : [separator]) ?? [cell];

/** Returns the texts between any of the separators; `undefined` if quotes are misplaced. */
function splitList(cell: string, delimiter: string[]): string[] | undefined {
  // To start a parser for each cell takes a third of an import's time.
  if (!/["\r\n]/.test(cell)) {
    const texts = delimiter.reduce((parts, text) => parts.flatMap(part => part.split(text)), [cell]);
    return texts.map(text => text.trim()).filter(text => text !== '');
  }
  try {
    const rows: string[][] = parse(cell, { delimiter, trim: true, relax_column_count: true });
    return rows.flat().filter(text => text !== '');
  } catch {
    return undefined;
  }
}

/** Returns whether commas without quotes are in a cell: they may separate its texts, or be part of them. */
export function hasOpenCommas(cell: string): boolean {
  if (!cell.includes(',') || quotedList.test(cell)) return false;
  const texts = splitList(cell, [';', ',']);
  return texts === undefined || texts.join('\n') !== splitList(cell, [';'])?.join('\n');
}

/** Positions before formulas: at the start, after a character that separates cells in some country, and after a line break. */
const formulas = /(?<=^|[,;\t\r\n])(?='*[=+\-@\t\r＝＋－＠])/g;
/** The outermost quotes before formulas. */
const marks = /(?<=^|[,;\t\r\n])'(?='*[=+\-@\t\r＝＋－＠])/g;

/** Puts a quote before formulas. */
export const protect = (text: string): string => text.replace(formulas, "'");

/** Removes the quotes that {@link protect} has added. */
export const unprotect = (cell: string): string => (cell.includes("'") ? cell.replace(marks, '') : cell);
