import { counted, quoted, UsageError } from '../command-line.ts';
import { keyOf, plainKey, visible } from '../csv.ts';
import { plainName } from '../field-names.ts';
import { mailableColumn } from '../fields.ts';
import type { Audience } from './audience.ts';
import { isDate } from './birthdays.ts';
import type { Column } from './columns.ts';
import { type Group, groupsOf, listOfValues, valueList } from './groups.ts';
import { saysLeft } from './plain-words.ts';
import { anyName, dateName, emptyName, type Survey } from './survey.ts';

/** Key of the rows whose values are not listed. */
const otherValues = '';

/** What the rows to be sent say in columns that decide nothing: of several columns, the user may have missed one. */
export class Overlooked {
  readonly #survey: Survey;
  readonly #columns: readonly {
    readonly index: number;
    readonly field?: string | undefined;
    readonly isOwn: boolean;
  }[];
  /** Columns that sound like consent, with the values of the rows to be sent. */
  readonly #groups: readonly { readonly group: Group; readonly rows: Map<string, number> }[];
  /** The first plain no of a column, and the rows with it. */
  readonly #plainNos = new Map<number, { readonly value: string; rows: number }>();

  constructor(columns: readonly Column[], survey: Survey, audience: Audience) {
    this.#survey = survey;
    this.#columns = columns
      .map(({ name, field }, index) => ({ index, field, isOwn: plainName(name) === mailableColumn }))
      .filter(({ index }) => !audience.has(index));
    this.#groups = groupsOf(columns, survey, audience)
      .groups.filter(({ isHinted }) => isHinted)
      .map(group => ({ group, rows: new Map(group.values.map(([value]) => [plainKey(value), 0])) }));
  }

  /** Adds a row that will be sent, with its tags. */
  add(cells: readonly string[], tags: readonly string[] = []): void {
    for (const { group, rows } of this.#groups) {
      const key = keyOf(cells[group.index] ?? '') || emptyName;
      const other = isDate(key, this.#survey.now) ? dateName : otherValues;
      const listed = rows.has(key) ? key : other;
      rows.set(listed, (rows.get(listed) ?? 0) + 1);
    }
    for (const { index, field, isOwn } of this.#columns) {
      const cell = cells[index] ?? '';
      const value = field === 'tags' ? tags.find(saysLeft) : cell;
      const isNo = value !== undefined && (saysLeft(value) || (isOwn && keyOf(value) === 'no'));
      if (!isNo) continue;
      const found = this.#plainNos.get(index) ?? { value, rows: 0 };
      if (keyOf(found.value) === keyOf(value)) found.rows += 1;
      this.#plainNos.set(index, found);
    }
  }

  /** @throws UsageError if rows to be sent say plainly that the person left. */
  requireNoPlainNo(answers: string): void {
    const { header, values } = this.#survey;
    const stops = [...this.#plainNos].map(([index, { value, rows }]) => {
      const name = visible(header[index] ?? '');
      return (
        `${counted(rows, 'row')} to be sent: column "${name}" is "${visible(value)}". Add --mailable ` +
        `${quoted(`${name}=VALUE,VALUE`)} with the values whose rows may be mailed (${valueList(values[index])}), or ` +
        `--mailable ${quoted(`${name}=${anyName}`)} if that column does not matter`
      );
    });
    if (stops.length > 0)
      throw new UsageError(`${stops.join('; ')}. The answers so far: ${answers}`, 'confirmation');
  }

  /** The values of columns that sound like consent, with the rows that will be sent. */
  get lines(): string[] {
    return this.#groups.flatMap(({ group: { name, values }, rows }) => {
      const said = values
        .map(([value]) => [value, rows.get(plainKey(value)) ?? 0] as const)
        .filter(([, count]) => count > 0);
      const isSaid = said.some(([value]) => value !== emptyName);
      return isSaid ? [`  ${visible(name)}: ${listOfValues(said, rows.get(otherValues))}`] : [];
    });
  }
}
