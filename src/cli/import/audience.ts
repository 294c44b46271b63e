import { quoted, UsageError } from '../command-line.ts';
import { keyOf, parseList, plainKey, visible } from '../csv.ts';
import { isDate } from './birthdays.ts';
import { readColumnOption } from './columns.ts';
import { valueList } from './groups.ts';
import type { Choices } from './job.ts';
import { anyName, dateName, emptyName, type Survey } from './survey.ts';

/** The answer that the whole file agreed. */
export const everyone = 'everyone';

/** The values of one column that may be mailed. */
interface Rule {
  readonly index: number;
  readonly option: string;
  /** The values that were named, by what is compared, with their rows. */
  readonly named: Map<string, { readonly text: string; rows: number }>;
}

/**
 * Who may be mailed, as the user has said it: whoever has one of the named values in each of the named columns. Nothing else
 * about people is known or guessed.
 */
export class Audience {
  readonly #survey: Survey;
  readonly #rules = new Map<number, Rule>();
  readonly #isEveryone: boolean;

  constructor({ mailable = [] }: Choices, survey: Survey) {
    this.#survey = survey;
    this.#isEveryone = mailable.includes(everyone);
    for (const text of mailable) {
      if (text === everyone) continue;
      const { index, value } = readColumnOption('--mailable', text, survey.header);
      const named: Rule['named'] = this.#rules.get(index)?.named ?? new Map();
      for (const name of parseList(visible(value), ',')) named.set(plainKey(name), { text: name, rows: 0 });
      if (named.size === 0)
        throw new UsageError(
          `--mailable ${quoted(text)}: name the values whose rows may be mailed; they are ${valueList(survey.values[index])}`,
        );
      const texts = survey.values[index]?.texts;
      const literal = [emptyName, dateName, anyName].find(name => named.has(name) && texts?.has(name));
      if (literal !== undefined)
        throw new UsageError(
          `--mailable ${quoted(text)}: rows of this column contain the text ${literal} itself; write another text in a copy of the file`,
          'confirmation',
        );
      this.#rules.delete(index);
      this.#rules.set(index, { index, option: `--mailable ${quoted(text)}`, named });
    }
  }

  /** `true` if columns decide: that one does not matter says nothing about the others. */
  get isByColumn(): boolean {
    return [...this.#rules.values()].some(({ named }) => !named.has(anyName));
  }

  /** `true` if the user has not said who may be mailed. */
  get isOpen(): boolean {
    return !this.#isEveryone && !this.isByColumn && this.#survey.rows > 0;
  }

  /** Returns whether the user has decided about a column. */
  has(index: number): boolean {
    return this.#rules.has(index);
  }

  /** Returns whether a row may be mailed, and what it says that decides. */
  verdictOn(cells: readonly string[]): { readonly isMailable: boolean; readonly reason: string } {
    const { header, values, now } = this.#survey;
    const yes: string[] = [];
    let no: string | undefined;
    for (const { index, named } of this.#rules.values()) {
      const [name, cell, any] = [header[index] ?? '', cells[index], named.get(anyName)];
      // Of a short row, nobody knows which cell is missing.
      if (cell === undefined && any === undefined) {
        no ??= `row has no cell in column "${name}"`;
        continue;
      }
      const key = keyOf(cell ?? '') || emptyName;
      const date = isDate(key, now) ? dateName : undefined;
      const found = named.get(key) ?? named.get(date ?? key) ?? any;
      if (found !== undefined) found.rows += 1;
      if (any !== undefined) continue;
      const text = values[index]?.texts.get(key)?.text;
      const other = found?.text ?? date ?? (key === emptyName ? key : 'another value');
      const said = `${name} is ${text === undefined ? other : `"${text}"`}`;
      if (found === undefined) no ??= said;
      else yes.push(said);
    }
    return { isMailable: no === undefined, reason: no ?? yes.join(' and ') };
  }

  /** @throws UsageError if a value was named that no row has: a slip of the pen would mail the wrong people. */
  requireUsed(): void {
    const { rows: all, values } = this.#survey;
    for (const { option, index, named } of this.#rules.values()) {
      const unused = [...named].filter(([name, { rows }]) => rows === 0 && name !== anyName);
      if (unused.length === 0 || all === 0) continue;
      throw new UsageError(
        `${option}: no row has ${unused.map(([name]) => `"${name}"`).join(', ')}; the values are ${valueList(values[index])}`,
        'confirmation',
      );
    }
  }
}
