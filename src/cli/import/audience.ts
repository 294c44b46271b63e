import { quoted, UsageError } from '../command-line.ts';
import { keyOf, parseList, plainKey, visible } from '../csv.ts';
import { mailableColumn } from '../fields.ts';
import { columnNamed, readColumnOption } from './columns.ts';
import { maySayLeft, saysLeft } from './plain-words.ts';
import type { Survey } from './survey.ts';
import { dateName, emptyName, keyOfCell, partsOf, Values } from './values.ts';

/** Values of one column that may be mailed, or that stay out. */
interface Rule {
  readonly index: number;
  readonly isUnless: boolean;
  /** The values that were named, by what is compared, with their rows. */
  readonly named: Map<string, { readonly text: string; readonly flag: string; rows: number }>;
}

/** What says in a column, in rows to be sent, that the person left. */
export interface Words {
  readonly column: string;
  readonly values: readonly string[];
  /** Other values that may say no, such as `pending`. */
  readonly others: readonly string[];
  readonly rows: number;
}

/** A column, and what is compared of one of its values. */
export type ColumnValue = readonly [index: number, key: string];

/** Why a row may not be mailed. */
export interface No {
  readonly reason: string;
  /** What decided. */
  readonly because: readonly ColumnValue[];
}

/**
 * Who may be mailed, as the file and the user say it: whoever has `yes` in the column `mailable`, or one of the named values
 * in each of the named columns, and none that stays out. Nothing else about people is known or guessed.
 */
export class Audience {
  readonly #survey: Survey;
  readonly #rules: Rule[] = [];
  /** Columns in which a plain word stops the import: all but those that the user has put aside. */
  readonly #guarded: readonly number[];
  readonly #words = new Map<number, { readonly values: Map<string, string>; rows: number }>();
  /** `true` if the file or the user says who may be mailed. */
  readonly isSaid: boolean;

  constructor(survey: Survey) {
    const { mailable = [], unless = [], ignoreWordsIn = [] } = survey.choices;
    const { header, ownColumns } = survey;
    this.#survey = survey;
    const ignored = ignoreWordsIn.map(name => columnNamed('--ignore-words-in', name, header));
    // A row whose email is such a word is rejected.
    this.#guarded = survey.columns.flatMap(({ field }, index) =>
      field === 'email' || ignored.includes(index) || !survey.values[index]?.canHold(saysLeft) ? [] : index,
    );
    for (const index of ownColumns)
      if (!ignored.includes(index)) this.#ruleOf(index, true).named.set('no', { ...ownValue, text: 'no' });
    const [own = -1] = ownColumns;
    const isOwn =
      mailable.length === 0 && ownColumns.length === 1 && plainKey(header[own] ?? '') === mailableColumn;
    if (isOwn) this.#ruleOf(own, false).named.set('yes', { ...ownValue, text: 'yes' });
    for (const text of unless) this.#add('--unless', text);
    for (const text of mailable) this.#add('--mailable', text);
    this.isSaid = this.#rules.some(({ isUnless }) => !isUnless);
  }

  #add(flag: '--mailable' | '--unless', text: string): void {
    const { index, value } = readColumnOption(flag, text, this.#survey.header);
    const { texts, parts } = this.#survey.values[index] ?? new Values(index, false);
    const isValue = (name: string) =>
      texts.has(plainKey(name)) || (flag === '--unless' && parts.has(plainKey(name)));
    const list = parseList(visible(value), [',']);
    // A value can contain a comma itself.
    const names = isValue(value) && !list.some(isValue) ? [value] : list;
    if (names.length === 0) throw new UsageError(`${flag} ${quoted(text)}: name the values after the =`);
    const { named } = this.#ruleOf(index, flag === '--unless');
    for (const name of names) named.set(plainKey(name), { text: name, flag, rows: 0 });
  }

  #ruleOf(index: number, isUnless: boolean): Rule {
    const known = this.#rules.find(rule => rule.index === index && rule.isUnless === isUnless);
    const rule = known ?? { index, isUnless, named: new Map() };
    if (known === undefined) this.#rules.push(rule);
    return rule;
  }

  /** Returns whether the file or the user says something about a column. */
  decides(index: number): boolean {
    return this.#rules.some(rule => rule.index === index);
  }

  /** Returns whether only some values of a column permit: of the others, nobody goes, whatever they say. */
  isStrict(index: number): boolean {
    return this.#rules.some(rule => rule.index === index && !rule.isUnless);
  }

  /** Returns why a row may not be mailed; `undefined` if it may. */
  decide(cells: readonly string[]): No | undefined {
    let reason: string | undefined;
    const because: ColumnValue[] = [];
    // Every rule counts its rows, so that a value that no row has can be named.
    for (const { index, isUnless, named } of this.#rules) {
      const keys = this.keysOf(cells, index);
      const key = (isUnless ? keys : keys.filter(each => !each.isPart)).find(each =>
        named.has(each.key),
      )?.key;
      const found = key === undefined ? undefined : named.get(key);
      if (found !== undefined) found.rows += 1;
      if ((found === undefined) === isUnless) continue;
      const [cell = { key: emptyName }] = keys;
      because.push([index, key ?? cell.key]);
      reason ??= this.#reasonOf(index, cell.key, found?.text);
    }
    return reason === undefined ? undefined : { reason, because };
  }

  #reasonOf(index: number, key: string, named = 'another value'): string {
    const text = this.#survey.values[index]?.texts.get(key)?.text;
    const value = key === emptyName ? key : text === undefined ? named : `"${text}"`;
    return `${this.#survey.header[index] ?? ''} is ${value}`;
  }

  /** Returns what is compared of a cell: the whole, what it is, and its parts. A missing cell is empty. */
  keysOf(cells: readonly string[], index: number): { readonly key: string; readonly isPart?: boolean }[] {
    const cell = cells[index] ?? '';
    const { key, isDate } = keyOfCell(cell, this.#survey.now);
    const parts = partsOf(cell).map(part => ({ key: keyOf(part), isPart: true }));
    return [{ key }, ...(isDate ? [{ key: dateName }] : []), ...parts];
  }

  /** Adds a row that will be sent: does it say plainly that the person left? */
  addSent(cells: readonly string[]): void {
    for (const index of this.#guarded) {
      const cell = cells[index];
      if (!cell) continue;
      const value = saysLeft(cell) ? cell : partsOf(cell).find(saysLeft);
      if (value === undefined) continue;
      const found = this.#words.get(index) ?? { values: new Map(), rows: 0 };
      found.rows += 1;
      found.values.set(keyOf(value), visible(value));
      this.#words.set(index, found);
    }
  }

  /** Columns in which rows to be sent say plainly that the person left, and the values of each that may say so. */
  get words(): Words[] {
    return [...this.#words].map(([index, { values, rows }]) => {
      const { texts, parts } = this.#survey.values[index] ?? new Values(index, false);
      const others = [...new Map([...texts, ...parts])].filter(
        ([key]) => maySayLeft(key) && !values.has(key),
      );
      return {
        column: this.#survey.header[index] ?? '',
        values: [...values.values()],
        others: others.map(([, { text }]) => text),
        rows,
      };
    });
  }

  /** Lines about values that were named and that no row has; `isLogged` leaves the values out. */
  unused(isLogged: boolean): string[] {
    return this.#rules.flatMap(({ index, named }) => {
      const column = this.#survey.header[index] ?? '';
      return [...named.values()]
        .filter(({ rows, flag }) => rows === 0 && flag !== ownValue.flag)
        .map(
          ({ flag, text }) =>
            `${flag} ${quoted(column)}: no row has ${isLogged ? 'one of the values' : `"${text}"`}`,
        );
    });
  }
}

/** What the column `mailable` says by itself. */
const ownValue = { flag: '', rows: 0 };
