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
import { type Choices, optionsOf } from './job.ts';
import { saysLeft } from './plain-words.ts';
import { keyOf, type Survey } from './survey.ts';

/** What the rows to be sent say in columns that decide nothing: of several columns, the user may have missed one. */
export class Overlooked {
  readonly #columns: readonly Column[];
  readonly #audience: Audience;
  /** Columns that sound like consent, with the values of the rows to be sent. */
  readonly #groups: readonly { readonly group: Group; readonly rows: Map<string, number> }[];
  /** The first plain word of a column that was not decided, and the rows with it. */
  readonly #plainNos = new Map<number, { readonly value: string; rows: number }>();

  constructor(columns: readonly Column[], survey: Survey, audience: Audience) {
    this.#columns = columns;
    this.#audience = audience;
    const { groups } = groupsOf(columns, survey);
    this.#groups = groups
      .filter(({ hint }) => hint !== undefined)
      .map(group => ({ group, rows: new Map(group.values.map(([value]) => [keyOf(value), 0])) }));
  }

  /** Adds a row that will be sent, with its tags. */
  add(cells: readonly string[], tags: readonly string[] = []): void {
    for (const { group, rows } of this.#groups) {
      const key = keyOf(cells[group.index] ?? '');
      const value = key === '' ? emptyName : rows.has(key) ? key : filledName;
      rows.set(value, (rows.get(value) ?? 0) + 1);
    }
    for (const [index, { field }] of this.#columns.entries()) {
      const cell = cells[index] ?? '';
      const value = field === 'tags' ? tags.find(saysLeft) : cell;
      if (value === undefined || !saysLeft(value) || this.#audience.hasNamed(index, cell)) continue;
      const found = this.#plainNos.get(index) ?? { value, rows: 0 };
      if (keyOf(found.value) === keyOf(value)) found.rows += 1;
      this.#plainNos.set(index, found);
    }
  }

  /** @throws UsageError if rows to be sent say plainly, in a value that was not named, that the person left. */
  requireNoPlainNo({ header, values }: Survey, choices: Choices): void {
    const stops = [...this.#plainNos].map(([index, { value, rows }]) => {
      const name = header[index];
      const what = `${counted(rows, 'row')} to be sent: column "${name}" is "${shown(value)}"`;
      const [yes, list] = ['with the values that mean yes', valueList(values[index])];
      return this.#audience.has(index)
        ? `${what}, which is ${filledName}, too. Pass --mailable ${quoted(`${name}=VALUE,VALUE`)} in its place, ${yes} ` +
            `(${list}), or a file of the people who left to --except`
        : `${what}. Add --mailable ${quoted(`${name}=VALUE,VALUE`)} ${yes} (${list}), or --mailable ` +
            `${quoted(`${name}=${anyName}`)} if that column does not matter`;
    });
    if (stops.length === 0) return;
    const answers = optionsOf(choices).join(' ');
    throw new UsageError(`${stops.join('; ')}. The answers so far: ${answers}`, 'confirmation');
  }

  /** The values of columns that sound like consent, with the rows that will be sent. */
  get lines(): string[] {
    return this.#groups.flatMap(({ group: { index, name, values }, rows }) => {
      const said = values.flatMap(([value]) => {
        const count = rows.get(keyOf(value)) ?? 0;
        return count > 0 ? [[value, count] as const] : [];
      });
      // What was named is worth no second look, unless it plainly says that people left.
      const isShown = (value: string) =>
        saysLeft(value) || (value !== emptyName && !this.#audience.hasNamed(index, value));
      return said.some(([value]) => isShown(value)) ? [`  ${name}: ${listOfValues(said)}`] : [];
    });
  }
}
