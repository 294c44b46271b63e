import { keyOf } from '../csv.ts';
import type { Audience } from './audience.ts';
import type { RowStatuses } from './row-statuses.ts';
import type { Group, Survey } from './survey.ts';
import { dateName, keyOfCell, partsOf } from './values.ts';

interface Column {
  readonly group: Group;
  /** A bit for each value, by the text of a cell. */
  readonly known: Map<string, number>;
  /** The values of each row. */
  readonly bits: Uint16Array;
}

const maxKnown = 1000;
/** Columns that are counted: each takes a line or more. */
const maxColumns = 10;

/** A column, and the rows of each value that go and that stay out. */
export interface Split {
  readonly index: number;
  readonly name: string;
  readonly values: readonly { readonly value: string; readonly going: number; readonly staying: number }[];
}

/** Who goes and who stays out, by the columns that split people: first those that decide. */
export class Tally {
  readonly #columns: readonly Column[];
  readonly #now: number;

  constructor(survey: Survey, audience: Audience) {
    this.#now = survey.now;
    this.#columns = survey.groups
      .filter(({ list }) => list.length > 1)
      .sort((one, other) => Number(audience.decides(other.index)) - Number(audience.decides(one.index)))
      .slice(0, maxColumns)
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

  splits(statuses: RowStatuses): Split[] {
    return this.#columns.map(({ group: { index, name, list }, bits }) => {
      const values = list.map(({ value }) => ({ value, going: 0, staying: 0 }));
      for (const [row, each] of bits.entries()) {
        const isGoing = ['pending', 'sent-before'].includes(statuses.get(row));
        for (const [at, count] of values.entries())
          if (each & (1 << at)) count[isGoing ? 'going' : 'staying'] += 1;
      }
      return { index, name, values };
    });
  }
}
