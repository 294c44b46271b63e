import { quoted, UsageError } from '../command-line.ts';
import { parseList } from '../csv.ts';
import { reasonColumn } from '../fields.ts';
import { type Column, isAboutGroups, readColumnOption } from './columns.ts';
import { type Choices, listOf } from './job.ts';
import { saysLeft } from './plain-words.ts';
import { keyOf, maxValues, type Survey, type Values } from './survey.ts';

/** The answer that the whole file agreed. */
export const everyone = 'everyone';
/** What a user calls an empty cell, one with any text, and both. */
export const emptyName = '(empty)';
export const filledName = '(filled)';
export const anyName = '(any)';

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
      for (const name of parseList(value, ',')) named.set(keyOf(name), { text: name, rows: 0 });
      if (named.size === 0)
        throw new UsageError(
          `--mailable ${quoted(text)}: name the values that may be mailed; they are ${valueList(survey.values[index])}`,
        );
      const texts = survey.values[index]?.texts;
      const literal = [emptyName, filledName, anyName].find(name => named.has(name) && texts?.has(name));
      if (literal !== undefined)
        throw new UsageError(
          `--mailable ${quoted(text)}: rows of this column contain the text ${literal} itself; write another text in a copy of the file`,
          'confirmation',
        );
      this.#rules.delete(index);
      this.#rules.set(index, { index, option: `--mailable ${quoted(text)}`, named });
    }
  }

  /** The rules, without columns that do not matter. */
  get #deciding(): Rule[] {
    return [...this.#rules.values()].filter(({ named }) => !named.has(anyName));
  }

  /** `true` if columns decide. */
  get isByColumn(): boolean {
    return this.#deciding.length > 0;
  }

  /** `true` if the user has not said who may be mailed: that a column does not matter says nothing about the others. */
  get isOpen(): boolean {
    return !this.#isEveryone && !this.isByColumn;
  }

  /** The rules as they are written on a command line. */
  get rules(): string[] {
    return this.#deciding.map(
      ({ index, named }) =>
        `${this.#survey.header[index]}=${listOf([...named.values()].map(({ text }) => text))}`,
    );
  }

  /** Returns whether the user has decided about a column. */
  has(index: number): boolean {
    return this.#rules.has(index);
  }

  /** Returns whether the user has decided about this very value: `(filled)` names none. */
  hasNamed(index: number, cell: string): boolean {
    const named = this.#rules.get(index)?.named;
    return named !== undefined && (named.has(anyName) || named.has(keyOf(cell)));
  }

  /** Returns why a row may not be mailed. */
  reasonOf(cells: readonly string[]): string | undefined {
    let reason: string | undefined;
    for (const { index, named } of this.#rules.values()) {
      const cell = cells[index];
      // Of a short row, nobody knows which cell is missing.
      if (cell === undefined && !named.has(anyName)) {
        reason ??= `the row has no cell in column "${this.#survey.header[index]}"`;
        continue;
      }
      const key = keyOf(cell ?? '');
      const names = [key === '' ? emptyName : key, key === '' ? emptyName : filledName, anyName];
      const found = names.map(name => named.get(name)).find(each => each !== undefined);
      if (found === undefined) reason ??= `not mailable by column "${this.#survey.header[index]}"`;
      else found.rows += 1;
    }
    return reason;
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

const noValues: Values = { texts: new Map(), isFull: false, empty: 0, filled: 0 };

/** Stems that sound like consent. They order what is shown, and decide nothing. */
const stems =
  /unsub|subscri|opt(?:ed)?.?(?:in|out)|contact|kontakt|consent|permission|marketing|mailable|mailing|newsletter|status|statut|estado|block|black|bounce|clean|spam|suppress|complain|gdpr|dsgvo|rgpd|einwillig|zustimm|abmeld|gemeldet|sperr|widerr|werb|abonn|inscri|refus|suscri|baja|bolet|acept|accept/i;

/** A column that tells groups of people apart, with its values and their rows. */
export interface Group {
  readonly index: number;
  readonly name: string;
  readonly values: readonly (readonly [value: string, rows: number])[];
  /** The name, or the value, that sounds like consent. */
  readonly hint: string | undefined;
}

/** Rows up to which a column is about groups though most of its values differ, and columns that sound like nothing. */
const maxSingles = 12;
const maxOthers = 8;

/**
 * Returns the columns that tell groups of people apart: first those that sound like consent. `unlisted` are names of
 * the other columns with a value: too many to list, or with one value or too many. Columns that are `decided` are in none.
 */
export function groupsOf(
  columns: readonly Column[],
  survey: Survey,
  decided?: Audience,
): { readonly groups: readonly Group[]; readonly unlisted: readonly string[] } {
  const groups = columns.flatMap(({ name, field }, index): Group[] => {
    const values = choicesOf(survey.values[index]);
    const isLeftOut = !isAboutGroups(field) || name === reasonColumn || decided?.has(index);
    if (isLeftOut || survey.values[index]?.filled === 0) return [];
    const said = values.find(([value]) => stems.test(value) || saysLeft(value))?.[0];
    const hint = said ?? (stems.test(name) ? name : undefined);
    return [{ index, name, values, hint }];
  });
  const isMany = ({ values: [first] }: Group) => Number(first?.[0] === filledName);
  const hasBoth = ({ index }: Group) => survey.values[index]?.empty !== 0;
  const hinted = groups.filter(({ hint, values }) => hint !== undefined && values.length > 0);
  const others = groups
    .filter(
      group => group.hint === undefined && group.values.length > 1 && (!isMany(group) || hasBoth(group)),
    )
    .sort((one, other) => isMany(one) - isMany(other) || one.values.length - other.values.length);
  const listed = [...hinted, ...others.slice(0, maxOthers)];
  const unlisted = groups.filter(group => !listed.includes(group));
  unlisted.sort((one, other) => Number(one.hint === undefined) - Number(other.hint === undefined));
  return { groups: listed, unlisted: unlisted.map(({ name }) => name) };
}

/**
 * Returns the values of a column to choose from. Of a column in which most differ, any text is one; then, those that say
 * something about groups.
 */
function choicesOf(column: Values = noValues): Group['values'] {
  const { texts, filled } = column;
  const all = [...texts.values()];
  const isMany = hasMore(column) || (filled > maxSingles && 2 * all.length > filled);
  if (!isMany) return filled === 0 ? [] : ranked(column);
  const hasDigit = (text: string) => /\d/.test(text);
  // Among dates and numbers, a word stands out.
  const areNumbers = 2 * all.filter(({ text }) => hasDigit(text)).length > all.length;
  const values = ranked(
    column,
    ({ text, rows }) => rows > 1 || saysLeft(text) || (areNumbers && !hasDigit(text)),
  );
  return values.length === 0 ? [] : [[filledName, filled], ...values];
}

/** Returns whether a column has more values than are listed. */
const hasMore = ({ texts, filled }: Values): boolean =>
  texts.size > maxValues || [...texts.values()].reduce((sum, { rows }) => sum + rows, 0) < filled;

/** Returns values that a column has: the most frequent first, and last what plainly says that a person left. */
function ranked(
  { texts, empty }: Values,
  isWanted: (value: { readonly text: string; readonly rows: number }) => boolean = () => true,
): Group['values'] {
  const values = [...texts.values()]
    .filter(isWanted)
    .map(({ text, rows }) => [text, rows] as const)
    .sort(([, one], [, other]) => other - one);
  const left = values.filter(([value]) => saysLeft(value)).slice(0, maxValues);
  const others = values.filter(([value]) => !saysLeft(value)).slice(0, maxValues - left.length);
  const blank = empty > 0 ? [[emptyName, empty] as const] : [];
  return [...[...others, ...blank].sort(([, one], [, other]) => other - one), ...left];
}

const [startLength, endLength] = [26, 14];
/** Returns a value in one line; of a long one the start and the end. */
export const shown = (value: string): string =>
  (value.length > startLength + endLength
    ? `${value.slice(0, startLength)}...${value.slice(-endLength)}`
    : value
  ).replace(/\s+/g, ' ');

/** Returns a value of a list: in full if another one would look the same. */
export const shownAmong = (value: string, values: Group['values']): string =>
  values.some(([other]) => other !== value && shown(other) === shown(value))
    ? value.replace(/\s+/g, ' ')
    : shown(listOf([value]));

/** Returns values with their rows as text. */
export const listOfValues = (values: Group['values']): string =>
  values.map(([value, rows]) => `${shownAmong(value, values)} ${rows}`).join(' | ');

/** Returns the values that a column has as text, or the first of many. */
export function valueList(column: Values = noValues): string {
  return listOfValues(ranked(column)) + (hasMore(column) ? ' | and others' : '');
}
