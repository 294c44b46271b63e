import { counted, quoted, UsageError } from '../command-line.ts';
import {
  type Audience,
  anyName,
  emptyName,
  filledName,
  type Group,
  groupsOf,
  listOfValues,
  shown,
  valueList,
} from './audience.ts';
import type { Column } from './columns.ts';
import { saysLeft } from './plain-words.ts';
import { keyOf, type Survey } from './survey.ts';

/** What the rows to be sent say in columns that decide nothing: of several columns, the user may have missed one. */
export class Overlooked {
  readonly #columns: readonly Column[];
  readonly #audience: Audience;
  /** Columns that sound like consent, with the values of the rows to be sent. */
  readonly #groups: readonly { readonly group: Group; readonly rows: Map<string, number> }[];
  /** The first plain word of a column, and the rows with one. */
  readonly #plainNos = new Map<number, { readonly value: string; rows: number }>();

  constructor(columns: readonly Column[], survey: Survey, audience: Audience) {
    this.#columns = columns;
    this.#audience = audience;
    const { groups } = groupsOf(columns, survey);
    this.#groups = groups.filter(({ hint }) => hint !== undefined).map(group => ({ group, rows: new Map() }));
  }

  /** Adds a row that will be sent, with its tags. */
  add(cells: readonly string[], tags: readonly string[] = []): void {
    for (const { group, rows } of this.#groups) {
      const key = keyOf(cells[group.index] ?? '');
      const isMany = group.values[0]?.[0] === filledName;
      const value = key === '' ? emptyName : isMany ? filledName : key;
      rows.set(value, (rows.get(value) ?? 0) + 1);
    }
    for (const [index, { field }] of this.#columns.entries()) {
      if (this.#audience.has(index)) continue;
      const value = field === 'tags' ? tags.find(saysLeft) : (cells[index] ?? '');
      if (value === undefined || !saysLeft(value)) continue;
      const found = this.#plainNos.get(index) ?? { value, rows: 0 };
      if (keyOf(found.value) === keyOf(value)) found.rows += 1;
      this.#plainNos.set(index, found);
    }
  }

  /** @throws UsageError if rows to be sent say plainly, in a column that was not decided, that the person left. */
  requireNoPlainNo({ header, values }: Survey): void {
    const stops = [...this.#plainNos].map(([index, { value, rows }]) => {
      const name = header[index];
      return (
        `${counted(rows, 'row')} to be sent: column "${name}" is "${shown(value)}". Pass --mailable ` +
        `${quoted(`${name}=VALUE,VALUE`)} with the values that mean yes (${valueList(values[index])}), or --mailable ` +
        `${quoted(`${name}=${anyName}`)} if that column does not matter`
      );
    });
    if (stops.length > 0) throw new UsageError(stops.join('; '), 'confirmation');
  }

  /** The values of columns that sound like consent, with the rows that will be sent. */
  get lines(): string[] {
    return this.#groups.flatMap(({ group: { index, name, values }, rows }) => {
      const said = values.flatMap(([value]) => {
        const count = rows.get(value) ?? rows.get(keyOf(value)) ?? 0;
        return count > 0 ? [[value, count] as const] : [];
      });
      // Of a column that was decided, only what plainly says that people left is worth a second look.
      const isShown = this.#audience.has(index) ? saysLeft : (value: string) => value !== emptyName;
      return said.some(([value]) => isShown(value)) ? [`  ${name}: ${listOfValues(said)}`] : [];
    });
  }
}
