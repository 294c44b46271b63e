import { keyOf, unprotect, visible } from '../csv.ts';
import { dateOf } from './birthdays.ts';

/** What a user calls an empty or missing cell, and one that reads as a date. */
export const emptyName = '(empty)';
export const dateName = '(date)';

/** What is between the values of one cell, such as tags. */
const separators = /[,;|]|:::|[\r\n]+/;
/** White space, quotes and brackets around one of them, as in `['UNSUBSCRIBE']`. */
const around = /[\s"'[\]{}()*]/;

/** Removes what is around a value. An expression for the end of a text would try each place in it. */
function withoutAround(part: string): string {
  let start = 0;
  let end = part.length;
  while (start < end && around.test(part.charAt(start))) start += 1;
  while (end > start && around.test(part.charAt(end - 1))) end -= 1;
  return part.slice(start, end);
}

/** Returns the values of a cell that has several, such as tags. */
export const partsOf = (cell: string): string[] =>
  separators.test(cell) ? cell.split(separators).map(withoutAround).filter(Boolean) : [];

/** Returns what is compared of a whole cell. */
export function keyOfCell(cell: string, now: number): { readonly key: string; readonly isDate: boolean } {
  const key = keyOf(cell) || emptyName;
  return { key, isDate: dateOf(key, now) !== undefined };
}

/** Distinct values that are counted, and their length. */
const maxCounted = 500;
const maxLength = 1000;

/** Texts by what is compared, with their rows. */
export type Texts = Map<string, { readonly text: string; rows: number }>;

function count(texts: Texts, key: string, cell: string): void {
  const known = texts.get(key);
  if (known !== undefined) known.rows += 1;
  else if (texts.size < maxCounted && cell.length <= maxLength)
    texts.set(key, { text: visible(unprotect(cell)), rows: 1 });
}

/** The values of a column. */
export class Values {
  /** Distinct cells that are no dates. */
  readonly texts: Texts = new Map();
  /** Distinct values of cells with several. */
  readonly parts: Texts = new Map();
  empty = 0;
  filled = 0;
  several = 0;
  addresses = 0;
  /** Cells that are dates; `undefined` if there are none. */
  dates: { rows: number; earliest: Dated; latest: Dated } | undefined;

  /** Adds a cell, and what is compared of it. */
  add(cell: string, key: string, now: number): void {
    const time = dateOf(key, now);
    if (time !== undefined) this.#addDate({ time, text: visible(unprotect(cell)) });
    else {
      count(this.texts, key, cell);
      if (cell.length > maxLength || !separators.test(cell)) return;
      this.several += 1;
      for (const part of partsOf(cell)) count(this.parts, keyOf(part), part);
    }
  }

  #addDate(date: Dated): void {
    const { rows = 0, earliest = date, latest = date } = this.dates ?? {};
    this.dates = {
      rows: rows + 1,
      earliest: date.time < earliest.time ? date : earliest,
      latest: date.time > latest.time ? date : latest,
    };
  }
}

interface Dated {
  readonly time: number;
  readonly text: string;
}

/** Few values, as a user types them, with their rows. */
export interface FewValues {
  /** `true` if cells have several of them. */
  readonly isSeveral: boolean;
  readonly list: readonly { readonly value: string; readonly key: string; readonly rows: number }[];
}

/** What has to be in quotes so that it reads back, or that a reader would take for the number of rows. */
const quotedInList = /[,="|]| \d+$|^\(|^$/;
const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Returns a value as it is typed in the list of an option. */
export const typed = (text: string): string => (quotedInList.test(text) ? quote(text) : text);

/** Distinct values of a column that are shown: of one with more, none. */
const maxShown = 12;

/** Returns the values of a column that has few, the most frequent first; of cells with several, each of them in quotes. */
export function fewValues(column: Values, isList: boolean): FewValues | undefined {
  const { texts, several, filled, empty, dates, addresses } = column;
  if (filled === 0 || addresses > 0) return undefined;
  const parts = partsWithTexts(column);
  const isSeveral = several > 0 && (isList || (texts.size > maxShown && parts.size <= maxShown));
  const list = [...(isSeveral ? parts : texts)].map(([key, { text, rows }]) => ({
    ...{ key, rows },
    value: isSeveral ? quote(text) : typed(text),
  }));
  if (empty > 0) list.push({ value: emptyName, key: emptyName, rows: empty });
  if (dates !== undefined) list.push({ value: dateName, key: dateName, rows: dates.rows });
  const rows = filled - (dates?.rows ?? 0);
  const isFew = list.length <= maxShown && (rows <= maxShown || isSeveral || 2 * texts.size <= rows);
  return isFew ? { isSeveral, list: list.sort((one, other) => other.rows - one.rows) } : undefined;
}

function partsWithTexts({ parts, texts }: Values): Texts {
  const all: Texts = new Map([...parts].map(([key, value]) => [key, { ...value }]));
  for (const [key, { text, rows }] of texts)
    if (!separators.test(text)) all.set(key, { text, rows: rows + (all.get(key)?.rows ?? 0) });
  return all;
}

/** Returns values with their rows as texts; of dates, also the earliest and the latest. */
export const listOfValues = ({ list }: FewValues, { dates }: Values): string[] =>
  list.map(({ value, key, rows }) =>
    key === dateName && dates
      ? `${value} ${rows} (${dates.earliest.text} to ${dates.latest.text})`
      : `${value} ${rows}`,
  );

/** Cells in people's own words about email, and in any: three words, or as much in a script without blanks. */
const aboutEmail = /^[^@/]*(?:mail|newsletter|werbung|courriel|correo|bolet[ií]n|メール|配信)/i;
const withoutBlanks = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]{8}/u;
const isSentence = (text: string): boolean => text.split(' ').length > 2 || withoutBlanks.test(text);

/** Returns a cell in people's own words, one about email if there is any; `undefined` if all cells are values. */
export function ownWords({
  texts,
}: Values): { readonly text: string; readonly isAboutEmail: boolean } | undefined {
  const all = [...texts.values()].map(({ text }) => text);
  const wish = all.find(text => aboutEmail.test(text));
  const text = wish ?? all.find(isSentence);
  return text === undefined ? undefined : { text, isAboutEmail: wish !== undefined };
}
