import type { IdentifyParams } from '../../index.ts';
import { counted } from '../command-line.ts';
import type { Audience } from './audience.ts';
import type { Job } from './options.ts';
import { PeopleOfRows, peopleIn, readPeople } from './people.ts';
import { readRows } from './read-rows.ts';
import { RowStatuses } from './row-statuses.ts';
import { hasTooMany, problemOf, rowReader } from './rows.ts';
import type { Sent } from './sent.ts';
import type { Survey } from './survey.ts';
import { Tally } from './tally.ts';

/** Rows that are kept to show the first ones: some of them may turn out to be of somebody who may not be mailed. */
const maxKept = 100;

/** Reads all rows again, by the user's choices: what becomes of each? */
export async function checkRows(
  { file, context, flags }: Job,
  survey: Survey,
  audience: Audience,
  sent: Sent,
): Promise<Checked> {
  const checked = new Checked(survey, audience, sent, flags.again === true);
  await checked.leaveOut(survey.choices.except ?? [], context.signal);
  for await (const [index, cells] of readRows(file, survey.reading, context.signal))
    if (index >= 0) checked.add(cells, index);
  checked.finish();
  return checked;
}

/** What becomes of each row, and how those that are pending are sent. */
export class Checked {
  readonly survey: Survey;
  readonly audience: Audience;
  readonly statuses: RowStatuses;
  readonly tally: Tally;
  readonly toParams: (cells: readonly string[]) => IdentifyParams;
  /** The first rows that can be sent. */
  readonly kept: { readonly index: number; readonly params: IdentifyParams }[] = [];
  readonly badBirthdays = { rows: 0, example: '' };
  /** What was read of the files of people who stay out. */
  readonly lists: string[] = [];
  readonly people = new PeopleOfRows();
  readonly #sent: Sent;
  /** All rows are sent, also those that were sent before. */
  readonly #isAgain: boolean;
  readonly #excepted = new Set<number>();
  /** Content of the rows of each person. */
  readonly #contents = new Map<number, string>();
  readonly #emailIndex: number;
  readonly #birthdayIndex: number;

  constructor(survey: Survey, audience: Audience, sent: Sent, isAgain: boolean) {
    const indexOf = (wanted: string) => survey.columns.findIndex(({ field }) => field === wanted);
    this.survey = survey;
    this.audience = audience;
    this.statuses = new RowStatuses(survey.rows);
    this.tally = new Tally(survey);
    this.toParams = rowReader(survey.columns, survey.choices);
    this.#sent = sent;
    this.#isAgain = isAgain || sent.isEmpty;
    this.#emailIndex = indexOf('email');
    this.#birthdayIndex = indexOf('birthday');
  }

  /** Leaves out whoever is in these files. */
  async leaveOut(paths: readonly string[], signal: AbortSignal): Promise<void> {
    for (const path of paths) {
      const { people, others } = await readPeople(path, signal);
      const without = others > 0 ? `, and ${counted(others, 'line')} without one` : '';
      this.lists.push(`${path} has ${people.size} address${people.size === 1 ? '' : 'es'}${without}`);
      for (const person of people) this.#excepted.add(person);
    }
  }

  add(cells: readonly string[], index: number): void {
    const isRead = !this.#hasMoved(cells);
    // In a row that cannot be read, an address can be anywhere.
    const people = (isRead ? [cells[this.#emailIndex] ?? ''] : cells).flatMap(peopleIn);
    let reason = isRead ? this.audience.reasonAgainst(cells) : undefined;
    if (people.some(person => this.#excepted.has(person)))
      reason ??= `address is in ${this.survey.choices.except?.join(' or ')}`;
    this.people.add(index, people, !isRead ? 'unread' : reason === undefined ? undefined : 'out');
    this.tally.add(index, cells);
    if (reason !== undefined) this.statuses.set(index, 'left-out', reason);
    else if (isRead) this.#addMailable(cells, index, people[0]);
    else
      this.statuses.set(
        index,
        'rejected',
        `the row has ${cells.length} cells, the header ${this.survey.columns.length}`,
      );
  }

  /**
   * Returns whether cells can be in a wrong column. Spreadsheets end rows with empty cells; in some rows only, such a cell can
   * show that a comma without quotes has moved those by which the user decides.
   */
  #hasMoved(cells: readonly string[]): boolean {
    const columns = this.survey.columns.length;
    const isLonger = cells.length > Math.max(columns, this.survey.shortest);
    return (this.audience.isByColumn && isLonger) || hasTooMany(cells, columns);
  }

  #addMailable(cells: readonly string[], index: number, person = 0): void {
    const params = this.toParams(cells);
    const problem = problemOf(params, cells, this.survey.reading.isBroken);
    if (problem !== undefined) {
      this.statuses.set(index, 'rejected', problem);
      return;
    }
    if (!this.#isAgain) this.#contents.set(person, this.#sent.contentOf(params, this.#contents.get(person)));
    this.audience.addSent(cells);
    if (this.kept.length < maxKept) this.kept.push({ index, params });
    const birthday = cells[this.#birthdayIndex] ?? '';
    if (birthday === '' || params.birthday !== undefined) return;
    this.badBirthdays.rows += 1;
    this.badBirthdays.example ||= birthday;
  }

  /** Decides for each person, when all rows were added. */
  finish(): void {
    const { people, statuses } = this;
    people.decide(statuses, person => this.#sent.hasPerson(person));
    if (this.#isAgain) return;
    const done = new Set<number>();
    for (const [person, content] of this.#contents) if (this.#sent.isLast(person, content)) done.add(person);
    for (const [index, person, isFirst] of people.entries())
      if (isFirst && done.has(person) && statuses.get(index) === 'pending')
        statuses.set(index, 'sent-before');
  }
}
