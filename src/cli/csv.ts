import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { parseJson } from '../core/json.ts';

/** Cells to quote: those with a line break, or with white space at an end, which readers trim. */
const mustBeQuoted = /[\r\n]|^\s|\s$/;

export const formatRows = (
  rows: readonly (readonly string[])[],
  { delimiter = ',', lineEnd = '\n' } = {},
): string =>
  stringify(
    rows.map(row => [...row]),
    { delimiter, record_delimiter: lineEnd, quoted_match: mustBeQuoted },
  );

/** Splits a cell into strings: a JSON array, or at commas and semicolons outside quotes. */
export const parseList = (cell: string): string[] =>
  (parseJsonList(cell) ?? split(cell)).map(text => text.trim()).filter(text => text !== '');

function parseJsonList(cell: string): string[] | undefined {
  if (!/^\s*\[/.test(cell)) return undefined;
  const list = parseJson(cell);
  return Array.isArray(list) && list.every(text => typeof text === 'string') ? list : undefined;
}

/** A cell with misplaced quotes is not split. */
function split(cell: string): string[] {
  // Starting a parser for each cell takes a third of an import's time.
  if (!/["\r\n]/.test(cell)) return cell.split(/[,;]/);
  try {
    return parse(cell, { delimiter: [',', ';'], trim: true, relax_column_count: true }).flat();
  } catch {
    return [cell];
  }
}

/** Between words, a character that separates them in some programs. Each run of blanks must be one blank. */
const otherSeparator =
  /[\p{L}\p{N}]["']?(?: ?(?:[|\u00a6\u2022\u00b7~^\\\t\u3001\uff0c\uff1b\uff5c]+|::+) ?|[ \t]\/[ \t])["']?[\p{L}\p{N}]/u;

/** Returns whether the parts of a cell are separated by something other than commas and semicolons. */
export function hasOtherSeparator(cell: string): boolean {
  if (parseJsonList(cell) !== undefined) return false;
  const text = cell.replace(/[^\S\t]+/g, ' ').trim();
  return otherSeparator.test(text) || (/^[{[]/.test(text) && /[}\]]$/.test(text));
}

/** White space becomes one blank, and invisible characters are removed. */
const blanks = /[\s\p{Cc}]+/gu;
const formatCharacters = /\p{Cf}/gu;
const isPlain = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;

/** Returns text as one line, without invisible characters. */
export const visible = (text: string): string =>
  isPlain.test(text) ? text : text.replace(formatCharacters, '').replace(blanks, ' ').trim();

/** Returns the form in which typed text and cells are compared. */
export const plainKey = (text: string): string => visible(text).toLowerCase();
export const keyOf = (cell: string): string => plainKey(unprotect(cell));

/**
 * Positions before formulas: at the start, after a character that separates cells in some country, and after a line break. A
 * number such as `-250` is not a formula. A formula with a quote gets another, so that {@link unprotect} restores the text.
 */
const formulas =
  /(?<=^|[,;\t\r\n])(?='+[=+\-@\t\r＝＋－＠]|(?![+-]\d+(?:\.\d+)?(?:[,;\t\r\n]|$))[=+\-@\t\r＝＋－＠])/g;
/** The outermost quotes before formulas. */
const marks = /(?<=^|[,;\t\r\n])'(?='*[=+\-@\t\r＝＋－＠])/g;

/** Puts a quote before formulas. */
export const protect = (text: string): string => text.replace(formulas, "'");

/** Removes the quotes that {@link protect} has added. */
export const unprotect = (cell: string): string => (cell.includes("'") ? cell.replace(marks, '') : cell);
