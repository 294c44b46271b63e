import type { IdentifyParams } from '../../index.ts';
import { identifyIsIdempotent } from '../../resources/endpoints.ts';
import { counted } from '../command-line.ts';
import { Audience } from './audience.ts';
import { type Column, mapColumns } from './columns.ts';
import type { Choices, Job } from './job.ts';
import { Overlooked } from './overlooked.ts';
import { type People, PeopleOfRows, peopleIn, personOf, readPeople } from './people.ts';
import { readRows } from './read-rows.ts';
import { type RowStatus, RowStatuses } from './row-statuses.ts';
import { hasTooMany, problemOf, rowReader } from './rows.ts';
import type { Survey } from './survey.ts';

/** People of earlier imports. */
export interface EarlierPeople {
  /** Whom they sent. */
  readonly sent: People;
  /** Who is left out for that. */
  readonly skipped: People;
  /** Who is left out of rows that count. */
  readonly once: People;
  /** Whom the import that is resumed left out by `--except`: a list that was replaced permits nobody. */
  readonly excepted: People;
}

/** Reason of a row that counts, such as one with `++`. */
export const maySentTwice = 'may have been sent before, and must not be sent twice';
/** Rows that are kept to show the first ones: some of them may turn out to be of somebody who may not be mailed. */
const maxKept = 100;

/** Reads all rows again, by the user's choices: what becomes of each? */
export async function checkRows(
  { file, context }: Job,
  survey: Survey,
  choices: Choices,
  earlier: EarlierPeople,
): Promise<Checked> {
  const checked = new Checked(survey, choices, earlier);
  await checked.leaveOut(choices.except ?? [], context.signal);
  for await (const [index, cells] of readRows(file, survey.reading, context.signal))
    if (index >= 0) checked.add(cells, index);
  checked.finish();
  return checked;
}

/** What becomes of each row, and how those that are pending are sent. */
export class Checked {
  readonly survey: Survey;
  readonly choices: Choices;
  readonly columns: readonly Column[];
  readonly audience: Audience;
  readonly overlooked: Overlooked;
  readonly statuses: RowStatuses;
  readonly toParams: (cells: readonly string[]) => IdentifyParams;
  /** The first rows that can be sent. */
  readonly kept: { readonly index: number; readonly params: IdentifyParams }[] = [];
  readonly badBirthdays = { rows: 0, example: '' };
  readonly excepted: Set<number>;
  /** What was read of the files of people who are left out. */
  readonly lists: string[] = [];
  readonly #earlier: EarlierPeople;
  readonly #people = new PeopleOfRows();
  /** Why each row may be mailed. */
  readonly #grounds: string[] = [];
  readonly #addressIndexes: readonly number[];

  constructor(survey: Survey, choices: Choices, earlier: EarlierPeople) {
    this.survey = survey;
    this.choices = choices;
    this.columns = mapColumns(survey.header, choices);
    this.audience = new Audience(choices, survey);
    this.overlooked = new Overlooked(this.columns, survey, this.audience);
    this.statuses = new RowStatuses(survey.rows);
    this.toParams = rowReader(this.columns, choices);
    this.excepted = new Set(earlier.excepted);
    this.#earlier = earlier;
    this.#addressIndexes = this.columns.flatMap(({ field = '' }, index) =>
      ['email', 'newEmail'].includes(field) ? index : [],
    );
  }

  /** Leaves out whoever is in these files. */
  async leaveOut(paths: readonly string[], signal: AbortSignal): Promise<void> {
    for (const path of paths) {
      const { people, others } = await readPeople(path, signal);
      const without = others > 0 ? `, and ${counted(others, 'line')} without one` : '';
      this.lists.push(`${path} has ${people.size} address${people.size === 1 ? '' : 'es'}${without}`);
      for (const person of people) this.excepted.add(person);
    }
  }

  add(cells: readonly string[], index: number): void {
    const isRead = !this.#hasMoved(cells);
    // In a row that cannot be read, an address can be anywhere.
    const texts = isRead ? this.#addressIndexes.map(at => cells[at] ?? '') : cells;
    const people = texts.flatMap(peopleIn);
    const verdict = isRead ? this.audience.verdictOn(cells) : undefined;
    let reason = verdict?.isMailable === false ? verdict.reason : undefined;
    if (people.some(person => this.excepted.has(person)))
      reason ??= `address is in ${this.choices.except?.join(' or ')}`;
    this.#grounds.push(this.statuses.shared(verdict?.reason ?? ''));
    this.#people.add(index, people, isRead ? (reason === undefined ? undefined : 'out') : 'unread');
    if (reason !== undefined) this.statuses.set(index, 'not-mailed', reason);
    else if (isRead) this.#addMailable(cells, index, people);
    else {
      const problem = `the row has ${cells.length} cells, the header ${this.columns.length}`;
      this.statuses.set(index, 'rejected', problem);
    }
  }

  /**
   * Returns whether cells can be in a wrong column. Spreadsheets end rows with empty cells; in some rows only, such a cell can
   * show that a comma without quotes has moved those by which the user decides.
   */
  #hasMoved(cells: readonly string[]): boolean {
    const columns = this.columns.length;
    const isLonger = cells.length > Math.max(columns, this.survey.shortest);
    return (this.audience.isByColumn && isLonger) || hasTooMany(cells, columns);
  }

  #addMailable(cells: readonly string[], index: number, people: readonly number[]): void {
    const params = this.toParams(cells);
    const problem = problemOf(params, cells, this.survey.reading.isBroken);
    if (problem !== undefined) {
      this.statuses.set(index, 'rejected', problem);
      return;
    }
    const { skipped, once } = this.#earlier;
    const mayCountTwice = !identifyIsIdempotent(params) && once.has(personOf(params.email.toLowerCase()));
    if (mayCountTwice || people.some(person => skipped.has(person))) {
      this.statuses.set(index, 'sent-before', mayCountTwice ? maySentTwice : 'was sent before');
      return;
    }
    this.overlooked.add(cells, params.tags);
    if (this.kept.length < maxKept) this.kept.push({ index, params });
    const birthday = cells[this.columns.findIndex(({ field }) => field === 'birthday')] ?? '';
    if (birthday === '' || params.birthday !== undefined) return;
    this.badBirthdays.rows += 1;
    this.badBirthdays.example ||= birthday;
  }

  /** Returns how many people will be mailed, and how many will not, by what their rows say. */
  peopleBy(status: RowStatus): [said: string, people: number][] {
    const { statuses } = this;
    const saidOf = (index: number) => (status === 'pending' ? this.#grounds[index] : statuses.reason(index));
    return this.#people.count(index => (statuses.get(index) === status ? (saidOf(index) ?? '') : undefined));
  }

  /** Decides for each person, when all rows were added. */
  finish(): void {
    this.audience.requireUsed();
    this.#people.decide(this.statuses, this.#earlier.sent);
  }
}
