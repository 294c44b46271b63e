import { quoted, UsageError } from '../command-line.ts';
import { parseList } from '../csv.ts';
import { reasonColumn } from '../fields.ts';
import { type Column, readColumnOption } from './columns.ts';
import { type Choices, listOf } from './job.ts';
import { saysLeft } from './plain-words.ts';
import { keyOf, type Survey, type Values } from './survey.ts';

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
  /** Rows by the values that were named. */
  readonly rows: Map<string, number>;
}

/**
 * Who may be mailed, as the user has said it: whoever has one of the named values in each of the named columns. Nothing else
 * about people is known or guessed.
 */
export class Audience {
  readonly #survey: Survey;
  readonly #rules = new Map<number, Rule>();

  constructor({ mailable = [] }: Choices, survey: Survey) {
    this.#survey = survey;
    for (const text of mailable) {
      if (text === everyone) continue;
      const { index, value } = readColumnOption('--mailable', text, survey.header);
      const rows = this.#rules.get(index)?.rows ?? new Map<string, number>();
      for (const name of parseList(value, ',')) rows.set(keyOf(name), 0);
      if (rows.size === 0)
        throw new UsageError(
          `--mailable ${quoted(text)}: name the values that may be mailed; they are ${valueList(survey.values[index])}`,
        );
      const texts = survey.values[index]?.texts;
      const literal = [emptyName, filledName, anyName].find(name => rows.has(name) && texts?.has(name));
      if (literal !== undefined)
        throw new UsageError(
          `--mailable ${quoted(text)}: rows of this column contain the text ${literal} itself; write another text in a copy of the file`,
          'confirmation',
        );
      this.#rules.set(index, { index, option: `--mailable ${quoted(text)}`, rows });
    }
  }

  /** `true` if columns decide, and not the word for the whole file alone. */
  get isByColumn(): boolean {
    return this.#rules.size > 0;
  }

  /** Returns whether the user has decided about a column. */
  has(index: number): boolean {
    return this.#rules.has(index);
  }

  /** Returns why a row may not be mailed. */
  reasonOf(cells: readonly string[]): string | undefined {
    let reason: string | undefined;
    for (const { index, rows } of this.#rules.values()) {
      const cell = cells[index];
      // Of a short row, nobody knows which cell is missing.
      if (cell === undefined && !rows.has(anyName)) {
        reason ??= `the row has no cell in column "${this.#survey.header[index]}"`;
        continue;
      }
      const key = keyOf(cell ?? '');
      const names = [key === '' ? emptyName : key, key === '' ? emptyName : filledName, anyName];
      const found = names.find(name => rows.has(name));
      if (found === undefined) reason ??= `not mailable by column "${this.#survey.header[index]}"`;
      else rows.set(found, (rows.get(found) ?? 0) + 1);
    }
    return reason;
  }

  /** @throws UsageError if a value was named that no row has: a slip of the pen would mail the wrong people. */
  requireUsed(): void {
    const { rows: all, values } = this.#survey;
    for (const { option, index, rows } of this.#rules.values()) {
      const unused = [...rows].filter(([name, count]) => count === 0 && name !== anyName);
      if (unused.length === 0 || all === 0) continue;
      throw new UsageError(
        `${option}: no row has ${unused.map(([name]) => `"${name}"`).join(', ')}; the values are ${valueList(values[index])}`,
        'confirmation',
      );
    }
  }
}

const noValues: Values = { texts: new Map(), empty: 0, filled: 0, isFull: false };

/** Stems that sound like consent. They order what is shown, and decide nothing. */
const stems =
  /unsub|subscri|opt(?:ed)?.?(?:in|out)|consent|permission|marketing|mailable|mailing|newsletter|status|statut|estado|block|black|bounce|clean|spam|suppress|complain|gdpr|dsgvo|rgpd|einwillig|zustimm|abmeld|gemeldet|sperr|widerr|werb|abonn|inscri|refus|suscri|baja|bolet|acept|accept/i;

/** A column that tells groups of people apart, with its values and their rows. */
export interface Group {
  readonly index: number;
  readonly name: string;
  readonly values: readonly (readonly [value: string, rows: number])[];
  /** The name, or the value, that sounds like consent. */
  readonly hint: string | undefined;
}

/** Rows up to which a column is offered though most of its values differ, and columns that sound like nothing. */
const maxSingles = 12;
const maxOthers = 8;

/**
 * Returns the columns that tell groups of people apart: first those that sound like consent. `unlisted` are names of
 * the other columns with a value: too many to list, or with one value or too many.
 */
export function groupsOf(
  columns: readonly Column[],
  survey: Survey,
): { readonly groups: readonly Group[]; readonly unlisted: readonly string[] } {
  const groups = columns.flatMap(({ name, field }, index): Group[] => {
    const isPerson = field !== undefined && field !== 'tags' && !field.startsWith('customFields.');
    const values = choicesOf(survey.values[index]);
    if (isPerson || name === reasonColumn || survey.values[index]?.filled === 0) return [];
    const said = values.find(([value]) => stems.test(value) || saysLeft(value))?.[0];
    const hint = said ?? (stems.test(name) ? name : undefined);
    return [{ index, name, values, hint }];
  });
  const isMany = ({ values: [first] }: Group) => Number(first?.[0] === filledName);
  const hinted = groups.filter(({ hint, values }) => hint !== undefined && values.length > 0);
  const others = groups
    .filter(({ hint, values }) => hint === undefined && values.length > 1)
    .sort((one, other) => isMany(one) - isMany(other) || one.values.length - other.values.length);
  const listed = [...hinted, ...others.slice(0, maxOthers)];
  const unlisted = groups.filter(group => !listed.includes(group));
  unlisted.sort((one, other) => Number(one.hint === undefined) - Number(other.hint === undefined));
  return { groups: listed, unlisted: unlisted.map(({ name }) => name) };
}

/** Returns the values of a column to choose from: the most frequent first, and last what plainly says that a person left. */
function choicesOf({ texts, empty, filled, isFull }: Values = noValues): Group['values'] {
  const blank = empty > 0 ? [[emptyName, empty] as const] : [];
  // A column in which most values differ is about single people: only whether it has one can say something.
  const isMany = isFull || texts.size === 0 || (filled > maxSingles && 2 * texts.size > filled);
  if (filled === 0) return [];
  if (isMany) return empty === 0 ? [] : [[filledName, filled], ...blank];
  const values = [...texts.values()].map(({ text, rows }) => [text, rows] as const);
  return [...values, ...blank].sort(
    ([a, one], [b, other]) => Number(saysLeft(a)) - Number(saysLeft(b)) || other - one,
  );
}

const [startLength, endLength] = [26, 14];
/** Returns a value in one line; of a long one the start and the end. */
export const shown = (value: string): string =>
  (value.length > startLength + endLength
    ? `${value.slice(0, startLength)}...${value.slice(-endLength)}`
    : value
  ).replace(/\s+/g, ' ');

/** Returns values with their rows as text. */
export const listOfValues = (values: Group['values']): string =>
  values.map(([value, rows]) => `${shown(listOf([value]))} ${rows}`).join(' | ');

/** Returns the values that a column has as text, or the first of many. */
export function valueList(values: Values = noValues): string {
  const choices = choicesOf(values);
  if (choices.length > 0) return listOfValues(choices);
  const texts = [...values.texts.values()].slice(0, maxSingles);
  return `${texts.map(({ text }) => shown(listOf([text]))).join(' | ')} and others`;
}
