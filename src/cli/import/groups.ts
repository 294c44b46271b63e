import { reasonColumn } from '../fields.ts';
import { type Column, isAboutGroups } from './columns.ts';
import { listOf } from './job.ts';
import { saysLeft } from './plain-words.ts';
import { dateName, emptyName, maxValues, type Survey, type Values } from './survey.ts';

/** Stems that sound like consent. They order what is shown, and decide nothing. */
const stems =
  /unsub|subscri|opt(?:ed)?.?(?:in|out)|contact|kontakt|consent|permission|marketing|mailable|mailing|newsletter|status|statut|estado|block|black|bounce|clean|spam|suppress|complain|gdpr|dsgvo|rgpd|einwillig|zustimm|abmeld|gemeldet|sperr|widerr|werb|abonn|inscri|refus|suscri|baja|bolet|acept|accept/i;

/** Values to choose from, with their rows. */
export type Choosable = readonly (readonly [value: string, rows: number])[];

/** A column that tells groups of people apart. */
export interface Group {
  readonly index: number;
  readonly name: string;
  readonly values: Choosable;
  /** Rows with other values. */
  readonly others: number;
  /** `true` if the name, or a value, sounds like consent. */
  readonly isHinted: boolean;
}

/** Rows up to which a column is about groups though most of its values differ, and columns that sound like nothing. */
const maxSingles = 12;
const maxOthers = 8;

/**
 * Returns the columns that tell groups of people apart: first those that sound like consent. `unlisted` are names of
 * the other columns with a value: too many to list, or with one value or too many. Columns that are decided are in none.
 */
export function groupsOf(
  columns: readonly Column[],
  survey: Survey,
  decided: { has(index: number): boolean },
): { readonly groups: readonly Group[]; readonly unlisted: readonly string[] } {
  const groups = columns.flatMap(({ name, field }, index): Group[] => {
    const column = survey.values[index];
    const isLeftOut = !isAboutGroups(field) || name === reasonColumn || decided.has(index);
    if (isLeftOut || column === undefined || column.filled === 0) return [];
    const values = choicesOf(column);
    const isHinted = [name, ...values.map(([value]) => value)].some(
      text => stems.test(text) || saysLeft(text),
    );
    return [{ index, name, values, others: othersOf(column, values), isHinted }];
  });
  const isSpecial = ([value]: Choosable[number]) => value === emptyName || value === dateName;
  const tellsApart = ({ values, others }: Group) => (others > 0 ? values.some(isSpecial) : values.length > 1);
  const others = groups
    .filter(group => !group.isHinted && tellsApart(group))
    .sort((one, other) => one.others - other.others || one.values.length - other.values.length);
  const hinted = groups.filter(({ isHinted, values }) => isHinted && values.length > 0);
  const listed = [...hinted, ...others.slice(0, maxOthers)];
  const unlisted = groups.filter(group => !listed.includes(group));
  unlisted.sort((one, other) => Number(other.isHinted) - Number(one.isHinted));
  return { groups: listed, unlisted: unlisted.map(({ name }) => name) };
}

/** Returns the values of a column to choose from. Of one in which most differ, those that say something about groups. */
function choicesOf(column: Values): Choosable {
  const { texts, filled, dates } = column;
  const all = ranked(column, () => true);
  const isMany =
    texts.size > maxValues ||
    othersOf(column, all) > 0 ||
    (filled - dates > maxSingles && 2 * texts.size > filled - dates);
  return isMany ? ranked(column, ({ text, rows }) => rows > 1 || saysLeft(text)) : all;
}

const othersOf = ({ empty, filled }: Values, values: Choosable): number =>
  values.reduce((left, [, rows]) => left - rows, empty + filled);

/** Returns values that a column has: the most frequent first, and last what plainly says that a person left. */
function ranked(
  { texts, empty, dates }: Values,
  isWanted: (value: { readonly text: string; readonly rows: number }) => boolean,
): Choosable {
  const byRows = (values: Choosable) => [...values].sort(([, one], [, other]) => other - one);
  const values = byRows([...texts.values()].filter(isWanted).map(({ text, rows }) => [text, rows] as const));
  const left = values.filter(([value]) => saysLeft(value)).slice(0, maxValues);
  const others = values.filter(([value]) => !saysLeft(value)).slice(0, maxValues - left.length);
  const special = [[emptyName, empty] as const, [dateName, dates] as const].filter(([, rows]) => rows > 0);
  return [...byRows([...others, ...special]), ...left];
}

/** Returns values with their rows as text, as they are typed. */
export const listOfValues = (values: Choosable, others = 0): string =>
  [
    ...values.map(([value, rows]) => `${listOf([value])} ${rows}`),
    ...(others > 0 ? [`${others} others`] : []),
  ].join(' | ');

/** Returns the values that a column has as text, or the first of many. */
export function valueList(column?: Values): string {
  const values = column === undefined ? [] : ranked(column, () => true);
  return listOfValues(values, column && othersOf(column, values));
}
