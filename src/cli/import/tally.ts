import { keyOf, plainKey, visible } from '../csv.ts';
import { isDate } from './birthdays.ts';
import type { RowStatuses } from './row-statuses.ts';
import { dateName, emptyName, type Group, groupsOf, type Survey } from './survey.ts';

/** Who goes and who stays out, by the columns with few different values. */
export class Tally {
  readonly #columns: readonly {
    readonly group: Group;
    readonly keys: string[];
    readonly codes: Uint8Array;
  }[];
  readonly #now: number;

  constructor(survey: Survey) {
    this.#now = survey.now;
    this.#columns = groupsOf(survey).map(group => ({
      group,
      keys: group.values.map(([value]) => plainKey(value)),
      codes: new Uint8Array(survey.rows),
    }));
  }

  add(index: number, cells: readonly string[]): void {
    for (const { group, keys, codes } of this.#columns) {
      const key = keyOf(cells[group.index] ?? '') || emptyName;
      codes[index] = keys.indexOf(keys.includes(key) ? key : isDate(key, this.#now) ? dateName : key) + 1;
    }
  }

  /** Returns a line for each column: of each value, the rows that go and those that stay out. */
  lines(statuses: RowStatuses): string[] {
    return this.#columns.map(({ group, codes }) => {
      const [going, staying] = [0, 1].map(() => group.values.map(() => 0));
      for (const [index, code] of codes.entries()) {
        const status = statuses.get(index);
        const counts = status === 'pending' || status === 'sent-before' ? going : staying;
        if (counts?.[code - 1] !== undefined) counts[code - 1] = (counts[code - 1] ?? 0) + 1;
      }
      const said = group.values.map(([value], at) => `${value} ${going?.[at]} / ${staying?.[at]}`);
      return `  ${visible(group.name)}: ${said.join(' | ')}`;
    });
  }
}
