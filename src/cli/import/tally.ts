import { keyOf, visible } from '../csv.ts';
import type { Audience } from './audience.ts';
import type { RowStatuses } from './row-statuses.ts';
import { type Group, groupsOf, type Survey } from './survey.ts';
import { dateName, keyOfCell, partsOf } from './values.ts';

interface Column {
  readonly group: Group;
  /** A bit for each value, by the text of a cell. */
  readonly known: Map<string, number>;
  /** The values of each row. */
  readonly bits: Uint16Array;
}

const maxKnown = 1000;
/** Lines and their length, and the length of a value, of which nothing has to be typed here. */
const maxLines = 6;
const maxLine = 80;
const maxValue = 30;

/** Who goes and who stays out, by the columns that split people. */
export class Tally {
  readonly #columns: readonly Column[];
  readonly #now: number;

  constructor(survey: Survey, audience: Audience) {
    this.#now = survey.now;
    const splitting = groupsOf(survey).filter(({ list }) => list.length > 1);
    // First those that decide.
    this.#columns = splitting
      .sort((one, other) => Number(audience.decides(other.index)) - Number(audience.decides(one.index)))
      .slice(0, maxLines)
      .map(group => ({ group, known: new Map(), bits: new Uint16Array(survey.rows) }));
  }

  add(index: number, cells: readonly string[]): void {
    for (const column of this.#columns)
      column.bits[index] = this.#bitsOf(column, cells[column.group.index] ?? '');
  }

  #bitsOf({ group, known }: Column, cell: string): number {
    const before = known.get(cell);
    if (before !== undefined) return before;
    const { key, isDate } = keyOfCell(cell, this.#now);
    const parts = group.isSeveral ? partsOf(cell).map(keyOf) : [];
    const keys = parts.length > 0 ? parts : [isDate ? dateName : key];
    const bits = group.list.reduce((sum, value, at) => (keys.includes(value.key) ? sum | (1 << at) : sum), 0);
    if (known.size < maxKnown) known.set(cell, bits);
    return bits;
  }

  /** Returns a line for each column: of each value, the rows that go and those that stay out. */
  lines(statuses: RowStatuses): string[] {
    return this.#columns.map(({ group, bits }) => {
      const counts = group.list.map(() => ({ going: 0, staying: 0 }));
      for (const [index, each] of bits.entries()) {
        const status = statuses.get(index);
        const kind = status === 'pending' || status === 'sent-before' ? 'going' : 'staying';
        for (const [at, count] of counts.entries()) if (each & (1 << at)) count[kind] += 1;
      }
      const values = group.list.map(
        ({ value }, at) => `${shortened(value)} ${counts[at]?.going} / ${counts[at]?.staying}`,
      );
      return asLine(`  ${shortened(visible(group.name))}: `, values);
    });
  }
}

const shortened = (text: string): string =>
  text.length > maxValue ? `${text.slice(0, maxValue - 3)}...` : text;

/** Returns as many of the parts as a line can hold. */
function asLine(start: string, parts: readonly string[]): string {
  let line = start;
  for (const [index, part] of parts.entries()) {
    const next = `${line}${index > 0 ? ' | ' : ''}${part}`;
    if (index > 0 && next.length > maxLine - ' | ...'.length) return `${line} | ...`;
    line = next;
  }
  return line;
}
