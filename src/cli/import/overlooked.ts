import { counted, quoted, UsageError } from '../command-line.ts';
import {
  type Audience,
  anyName,
  choicesOf,
  emptyName,
  filledName,
  type Group,
  groupsOf,
  listOfValues,
  shown,
} from './audience.ts';
import type { Column } from './columns.ts';
import { saysLeft } from './plain-words.ts';
import { keyOf, type Survey } from './survey.ts';

/** What the rows to be sent say in columns that decide nothing: of several columns, the user may have missed one. */
export class Overlooked {
  readonly #groups: readonly {
    readonly group: Group;
    readonly isDecided: boolean;
    readonly rows: Map<string, number>;
  }[];
  /** Columns that may contain a plain word. */
  readonly #open: readonly number[];
  readonly #tagsIndex: number;
  /** The first plain word of a column, and the rows with one. */
  readonly #plainNos = new Map<number, { readonly value: string; rows: number }>();

  constructor(columns: readonly Column[], survey: Survey, audience: Audience) {
    this.#groups = groupsOf(columns, survey)
      .groups.filter(({ hint }) => hint !== undefined)
      .map(group => ({ group, isDecided: audience.has(group.index), rows: new Map() }));
    this.#tagsIndex = columns.findIndex(({ field }) => field === 'tags');
    this.#open = columns.flatMap((_, index) => {
      const { texts, isFull = false } = survey.values[index] ?? {};
      const isOpen = isFull || [...(texts?.values() ?? [])].some(({ text }) => saysLeft(text));
      return isOpen && index !== this.#tagsIndex && !audience.has(index) ? index : [];
    });
    if (audience.has(this.#tagsIndex)) this.#tagsIndex = -1;
  }

  /** Adds a row that will be sent, with its tags. */
  add(cells: readonly string[], tags: readonly string[] = []): void {
    for (const { group, rows } of this.#groups) {
      const key = keyOf(cells[group.index] ?? '');
      const value = key === '' ? emptyName : isMany(group) ? filledName : key;
      rows.set(value, (rows.get(value) ?? 0) + 1);
    }
    for (const index of this.#open) this.#addIfPlain(index, cells[index] ?? '');
    const tag = this.#tagsIndex < 0 ? undefined : tags.find(saysLeft);
    if (tag !== undefined) this.#addIfPlain(this.#tagsIndex, tag);
  }

  #addIfPlain(index: number, value: string): void {
    if (!saysLeft(value)) return;
    const found = this.#plainNos.get(index) ?? { value, rows: 0 };
    found.rows += 1;
    this.#plainNos.set(index, found);
  }

  /** @throws UsageError if rows to be sent say plainly, in a column that was not decided, that the person left. */
  requireNoPlainNo({ header, values }: Survey): void {
    const stops = [...this.#plainNos].map(([index, { value, rows }]) => {
      const name = header[index];
      return (
        `${counted(rows, 'row')} to be sent: column "${name}" is "${shown(value)}". Pass --mailable ` +
        `${quoted(`${name}=VALUE,VALUE`)} with the values that mean yes (${listOfValues(choicesOf(values[index]))}), ` +
        `or --mailable ${quoted(`${name}=${anyName}`)} if that column does not matter`
      );
    });
    if (stops.length > 0) throw new UsageError(stops.join('; '), 'confirmation');
  }

  /** The values of columns that sound like consent, with the rows that will be sent. */
  get lines(): string[] {
    return this.#groups.flatMap(({ group, isDecided, rows }) => {
      const said = group.values.flatMap(([value]) => {
        const count = rows.get(value) ?? rows.get(keyOf(value)) ?? 0;
        return count > 0 ? [[value, count] as const] : [];
      });
      // Of a column that was decided, only what plainly says that people left is worth a second look.
      return said.some(([value]) => (isDecided ? saysLeft(value) : value !== emptyName))
        ? [`  ${group.name}: ${listOfValues(said)}`]
        : [];
    });
  }
}

const isMany = ({ values }: Group): boolean => values[0]?.[0] === filledName;
