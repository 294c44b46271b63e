import { keyOf, unprotect, visible } from '../csv.ts';
import { isAddress } from './addresses.ts';
import { dateOf } from './birthdays.ts';

/** What a user calls an empty or missing cell, and one that reads as a date. */
export const emptyName = '(empty)';
export const dateName = '(date)';

/** What is between the values of one cell, such as tags, or before the first of them. */
const separators = /[,;|]|:::|[\r\n]+|^["[]/;
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
type Texts = Map<string, { readonly text: string; rows: number }>;

function count(texts: Texts, key: string, cell: string): void {
  const known = texts.get(key);
  if (known !== undefined) known.rows += 1;
  else if (texts.size < maxCounted) texts.set(key, { text: visible(unprotect(cell)), rows: 1 });
}

/** The values of a column. */
export class Values {
  /** Index of the column. */
  readonly index: number;
  /** Whether people share them: only then, they are counted. */
  readonly #areShared: boolean;
  /** Distinct cells that are no dates. */
  readonly texts: Texts = new Map();
  /** Distinct values of cells with several. */
  readonly parts: Texts = new Map();
  hasSeveral = false;
  hasLong = false;
  empty = 0;
  filled = 0;
  addresses = 0;
  dates = 0;
  earliest = { time: Number.POSITIVE_INFINITY, cell: '' };
  latest = { time: Number.NEGATIVE_INFINITY, cell: '' };

  constructor(index: number, areShared: boolean) {
    this.index = index;
    this.#areShared = areShared;
  }

  add(cell: string, now: number): void {
    const key = this.#areShared ? keyOf(cell) : cell;
    if (key === '') this.empty += 1;
    else this.filled += 1;
    if (isAddress(cell)) this.addresses += 1;
    else if (this.#areShared && key !== '') this.#count(cell, key, dateOf(key, now));
  }

  #count(cell: string, key: string, time?: number): void {
    if (time !== undefined) {
      this.dates += 1;
      if (time < this.earliest.time) this.earliest = { time, cell };
      if (time > this.latest.time) this.latest = { time, cell };
    } else if (cell.length > maxLength) this.hasLong = true;
    else {
      count(this.texts, key, cell);
      const isSeveral = separators.test(cell);
      this.hasSeveral ||= isSeveral;
      if (!isSeveral) return;
      for (const part of partsOf(cell)) count(this.parts, keyOf(part), part);
    }
  }

  /** Returns whether a cell, or a part of one, can be such a text: of some columns, all values are known. */
  canHold(isSuch: (text: string) => boolean): boolean {
    const isCounted = Math.max(this.texts.size, this.parts.size) < maxCounted;
    const isAllKnown = this.#areShared && !this.hasLong && isCounted;
    return !isAllKnown || [...this.texts.values(), ...this.parts.values()].some(({ text }) => isSuch(text));
  }

  /** Returns the values if they are few, the most frequent first; of cells with several, each of them in quotes. */
  few(isList: boolean): FewValues | undefined {
    const { texts, filled, empty, dates, addresses } = this;
    if (!this.#areShared || filled === 0 || addresses > 0) return undefined;
    const parts = this.#allParts();
    const isSeveral = this.hasSeveral && (isList || (texts.size > maxShown && parts.size <= maxShown));
    const list: FewValues['list'] = [...(isSeveral ? parts : texts)].map(([key, { text, rows }]) => ({
      ...{ key, rows },
      value: isSeveral ? quote(text) : typed(text),
    }));
    if (empty > 0) list.push({ value: emptyName, key: emptyName, rows: empty });
    const ends = [this.earliest, this.latest].map(({ cell }) => visible(unprotect(cell)));
    if (dates > 0)
      list.push({ value: dateName, key: dateName, rows: dates, detail: ` (${ends.join(' to ')})` });
    const rows = filled - dates;
    const isFew = list.length <= maxShown && (rows <= maxShown || isSeveral || 2 * texts.size <= rows);
    return isFew ? { isSeveral, list: list.sort((one, other) => other.rows - one.rows) } : undefined;
  }

  /** Returns the values of cells with several, and all other cells. */
  #allParts(): Texts {
    const all = new Map(this.parts);
    for (const [key, { text, rows }] of this.texts)
      if (!separators.test(text)) all.set(key, { text, rows: rows + (all.get(key)?.rows ?? 0) });
    return all;
  }

  /** Returns a cell in people's own words, one about email if there is any; `undefined` if all cells are values. */
  get ownWords(): { readonly text: string; readonly isAboutEmail: boolean } | undefined {
    const all = [...this.texts.values()].map(({ text }) => text);
    const wish = all.find(text => aboutEmail.test(text) && (text.includes(' ') || withoutBlanks.test(text)));
    const [longest = this.hasLong ? '' : undefined] = all
      .filter(isSentence)
      .sort((one, other) => other.length - one.length);
    const text = wish ?? longest;
    return text === undefined ? undefined : { text, isAboutEmail: wish !== undefined };
  }
}

/** Few values, as a user types them, with their rows. */
export interface FewValues {
  /** `true` if cells have several of them. */
  readonly isSeveral: boolean;
  readonly list: {
    readonly value: string;
    readonly key: string;
    readonly rows: number;
    readonly detail?: string;
  }[];
}

/** What has to be in quotes so that it reads back, or that a reader would take for the number of rows. */
const quotedInList = /[,="|]| \d+$|^\(|^$/;
const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Returns a value as it is typed in the list of an option. */
export const typed = (text: string): string => (quotedInList.test(text) ? quote(text) : text);

/** Distinct values of a column that are shown: of one with more, none. */
const maxShown = 12;

/** Cells in people's own words about email, and in any: three words, or as much in a script without blanks. */
const aboutEmail = /^[^@/]*(?:mail|newsletter|werbung|courriel|correo|bolet[ií]n|メール|配信)/i;
const withoutBlanks = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]{8}/u;
const isSentence = (text: string): boolean => text.split(' ').length > 2 || withoutBlanks.test(text);
