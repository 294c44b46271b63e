import { quoted, UsageError } from '../command-line.ts';
import { keyOf, parseList, plainKey, visible } from '../csv.ts';
import { plainName } from '../field-names.ts';
import { mailableColumn } from '../fields.ts';
import { isDate } from './birthdays.ts';
import { readColumnOption } from './columns.ts';
import { saysLeft } from './plain-words.ts';
import { dateName, emptyName, type Survey } from './survey.ts';

/** The choice that the whole file agreed. */
export const everyone = 'everyone';

/** Values of one column that may be mailed, or that stay out. */
interface Rule {
  readonly index: number;
  readonly isUnless: boolean;
  /** The values that were named, by what is compared, with their rows. */
  readonly named: Map<string, { readonly text: string; readonly option: string; rows: number }>;
}

/** Returns the parts of a cell, such as tags. */
const partsOf = (cell: string): string[] =>
  /[,;|]/.test(cell) ? cell.split(/[,;|]/).map(part => part.trim().replace(/^"(.*)"$/s, '$1')) : [];

/**
 * Who may be mailed, as the user has said it: whoever has one of the named values in each of the named columns, and none
 * that stays out. Nothing else about people is known or guessed.
 */
export class Audience {
  readonly #survey: Survey;
  readonly #rules: Rule[] = [];
  /** Columns in which a plain word stops the import. */
  readonly #undecided: readonly { readonly index: number; readonly isOwn: boolean }[];
  readonly #refusals = new Map<number, { readonly values: Map<string, string>; rows: number }>();
  /** `true` if the user has said who may be mailed. */
  readonly isSaid: boolean;

  constructor(survey: Survey) {
    const { mailable = [], unless = [] } = survey.choices;
    this.#survey = survey;
    this.isSaid = mailable.length > 0;
    if (mailable.includes(everyone) && mailable.some(text => text !== everyone))
      throw new UsageError('--mailable everyone contradicts --mailable COLUMN=VALUE: leave out one of them');
    for (const text of mailable) if (text !== everyone) this.#add('--mailable', text);
    for (const text of unless) this.#add('--unless', text);
    this.#undecided = survey.header
      .map((name, index) => ({ index, isOwn: plainName(name) === mailableColumn }))
      .filter(({ index }) => !this.#isDecided(index));
  }

  #add(flag: '--mailable' | '--unless', text: string): void {
    const isUnless = flag === '--unless';
    const { index, value } = readColumnOption(flag, text, this.#survey.header);
    const option = `${flag} ${quoted(text)}`;
    const names = parseList(visible(value), [',']);
    if (names.length === 0 && !isUnless)
      throw new UsageError(`${option}: name the values whose rows may be mailed`);
    const texts = this.#survey.values[index]?.texts;
    const literal = names.find(
      name => [emptyName, dateName].includes(plainKey(name)) && texts?.has(plainKey(name)),
    );
    if (literal !== undefined)
      throw new UsageError(
        `${option}: rows of this column contain the text ${literal} itself; write another text in a copy of the file`,
      );
    const known = this.#rules.find(rule => rule.index === index && rule.isUnless === isUnless);
    const rule: Rule = known ?? { index, isUnless, named: new Map() };
    for (const name of names) rule.named.set(plainKey(name), { text: name, option, rows: 0 });
    if (known === undefined) this.#rules.push(rule);
  }

  /** `true` if columns decide. */
  get isByColumn(): boolean {
    return this.#rules.some(({ named }) => named.size > 0);
  }

  /** Returns whether all values of a column are decided: those that are named with `--unless` say nothing about others. */
  #isDecided(index: number): boolean {
    return this.#rules.some(rule => rule.index === index && (!rule.isUnless || rule.named.size === 0));
  }

  /** Returns why a row may not be mailed; `undefined` if it may. */
  reasonAgainst(cells: readonly string[]): string | undefined {
    const { header, values, now } = this.#survey;
    let reason: string | undefined;
    // Every rule counts its rows, so that a value that no row has can be named.
    for (const { index, isUnless, named } of this.#rules) {
      const cell = cells[index];
      // Of a short row, nobody knows which cell is missing.
      if (cell === undefined && named.size > 0) reason ??= `row has no cell in column "${header[index]}"`;
      const key = keyOf(cell ?? '') || emptyName;
      const date = isDate(key, now) ? dateName : undefined;
      const keys = [key, ...(date ? [date] : []), ...(isUnless ? partsOf(cell ?? '').map(keyOf) : [])];
      const found = keys.flatMap(each => named.get(each) ?? [])[0];
      if (found !== undefined) found.rows += 1;
      if ((found === undefined) === isUnless) continue;
      const other = found?.text ?? (date === undefined ? 'another value' : dateName);
      const text = values[index]?.texts.get(key)?.text;
      reason ??= `${header[index]} is ${key === emptyName ? key : text === undefined ? other : `"${text}"`}`;
    }
    return reason;
  }

  /** Adds a row that will be sent: does it say plainly that the person left, in a column that was not decided? */
  addSent(cells: readonly string[]): void {
    for (const { index, isOwn } of this.#undecided) {
      const cell = cells[index] ?? '';
      if (cell === '') continue;
      const value = isOwn && keyOf(cell) === 'no' ? cell : [cell, ...partsOf(cell)].find(saysLeft);
      if (value === undefined) continue;
      const found = this.#refusals.get(index) ?? { values: new Map(), rows: 0 };
      found.rows += 1;
      found.values.set(keyOf(value), visible(value));
      this.#refusals.set(index, found);
    }
  }

  /** Columns in which rows to be sent say plainly that the person left. */
  get refusals(): { readonly column: string; readonly values: readonly string[]; readonly rows: number }[] {
    return [...this.#refusals].map(([index, { values, rows }]) => ({
      column: visible(this.#survey.header[index] ?? ''),
      values: [...values.values()],
      rows,
    }));
  }

  /** Lines about values that were named and that no row has. */
  get unused(): string[] {
    return this.#rules.flatMap(({ named }) =>
      [...named.values()]
        .filter(({ rows }) => rows === 0)
        .map(({ option, text }) => `${option}: no row has "${text}"`),
    );
  }
}
