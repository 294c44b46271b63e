import type { IdentifyParams } from '../../index.ts';
import { Audience } from './audience.ts';
import { type Column, mapColumns } from './columns.ts';
import type { Choices, Job } from './job.ts';
import { Overlooked, type PlainNo } from './overlooked.ts';
import { type People, PeopleOfRows, peopleIn, readPeople } from './people.ts';
import { type Reading, readRows } from './read-rows.ts';
import { RowStatuses } from './row-statuses.ts';
import { hasTooMany, problemOf, rowReader } from './rows.ts';
import type { Survey } from './survey.ts';

/** What is sent: every row that is pending, as `toParams` reads it. */
export interface Checked {
  readonly columns: readonly Column[];
  readonly choices: Choices;
  readonly reading: Reading;
  readonly statuses: RowStatuses;
  readonly toParams: (cells: readonly string[]) => IdentifyParams;
  /** The first rows that can be sent, and the first that will be rejected. */
  readonly kept: readonly { readonly index: number; readonly params: IdentifyParams }[];
  readonly firstRejected?: { readonly cells: readonly string[]; readonly reason: string } | undefined;
  /** Indexes of the columns that decide who may be mailed. */
  readonly decided: readonly number[];
  readonly plainNos: readonly PlainNo[];
  /** What the rows to send say in other columns that sound like consent. */
  readonly overlooked: readonly string[];
  readonly badBirthdays: { readonly rows: number; readonly example: string };
}

/** People of earlier imports. */
export interface EarlierPeople {
  /** Whom they sent. */
  readonly sent: People;
  /** Who is left out for that. */
  readonly skipped: People;
}

/** Rows that are kept to show the first ones: some of them may turn out to be of somebody who may not be mailed. */
const maxKept = 100;

/** Reads all rows again, by the user's choices: what becomes of each? */
export async function checkRows(
  { file, context }: Job,
  survey: Survey,
  reading: Reading,
  choices: Choices,
  earlier: EarlierPeople,
): Promise<Checked> {
  const excepted = await readPeople(choices.except ?? [], context.signal);
  const check = new RowCheck(survey, choices, reading, excepted, earlier);
  let index = -1;
  for await (const cells of readRows(file, reading, context.signal)) {
    if (index >= 0) check.add(cells, index);
    index += 1;
  }
  return { ...check.finish(), reading };
}

class RowCheck {
  readonly #survey: Survey;
  readonly #choices: Choices;
  readonly #excepted: People;
  readonly #earlier: EarlierPeople;
  readonly #columns: readonly Column[];
  readonly #audience: Audience;
  readonly #overlooked: Overlooked;
  readonly #toParams: Checked['toParams'];
  readonly #statuses: RowStatuses;
  readonly #people = new PeopleOfRows();
  readonly #addressIndexes: readonly number[];
  readonly #isBroken: boolean;
  readonly #birthdayIndex: number;
  readonly #kept: { readonly index: number; readonly params: IdentifyParams }[] = [];
  readonly #badBirthdays = { rows: 0, example: '' };
  #firstRejected: Checked['firstRejected'];

  constructor(
    survey: Survey,
    choices: Choices,
    { isBroken }: Reading,
    excepted: People,
    earlier: EarlierPeople,
  ) {
    this.#isBroken = isBroken;
    this.#survey = survey;
    this.#choices = choices;
    this.#excepted = excepted;
    this.#earlier = earlier;
    this.#columns = mapColumns(survey.header, choices);
    this.#audience = new Audience(this.#columns, choices, survey);
    this.#overlooked = new Overlooked(this.#columns, survey, this.#audience);
    this.#toParams = rowReader(this.#columns, choices);
    this.#statuses = new RowStatuses(survey.rows);
    this.#addressIndexes = this.#columns.flatMap(({ field = '' }, index) =>
      ['email', 'newEmail'].includes(field) ? index : [],
    );
    this.#birthdayIndex = this.#columns.findIndex(({ field }) => field === 'birthday');
  }

  add(cells: readonly string[], index: number): void {
    const isRead = !hasTooMany(cells, this.#columns.length);
    // In a row that cannot be read, an address can be anywhere.
    const texts = isRead ? this.#addressIndexes.map(at => cells[at] ?? '') : cells;
    const people = texts.flatMap(peopleIn);
    let reason = isRead ? this.#audience.reasonOf(cells) : undefined;
    if (people.some(person => this.#excepted.has(person)))
      reason ??= `in ${this.#choices.except?.join(' or ')}`;
    this.#people.add(index, people, isRead ? (reason === undefined ? undefined : 'out') : 'unread');
    if (reason === undefined) this.#addMailable(cells, index, people);
    else this.#statuses.set(index, 'not-mailed', reason);
  }

  #addMailable(cells: readonly string[], index: number, people: readonly number[]): void {
    const params = this.#toParams(cells);
    const problem = problemOf(params, cells, this.#columns.length, this.#isBroken);
    if (problem !== undefined) {
      this.#statuses.set(index, 'rejected', problem);
      this.#firstRejected ??= { cells, reason: problem };
      return;
    }
    if (people.some(person => this.#earlier.skipped.has(person))) {
      this.#statuses.set(index, 'sent-before');
      return;
    }
    this.#overlooked.add(cells, params.tags);
    if (this.#kept.length < maxKept) this.#kept.push({ index, params });
    const birthday = cells[this.#birthdayIndex] ?? '';
    if (birthday === '' || params.birthday !== undefined) return;
    this.#badBirthdays.rows += 1;
    this.#badBirthdays.example ||= birthday;
  }

  finish(): Omit<Checked, 'reading'> {
    const statuses = this.#statuses;
    this.#audience.requireUsed(this.#survey);
    this.#people.decide(statuses, this.#earlier.sent);
    return {
      columns: this.#columns,
      choices: this.#choices,
      statuses,
      toParams: this.#toParams,
      kept: this.#kept,
      firstRejected: this.#firstRejected,
      decided: this.#columns.flatMap((_, index) => (this.#audience.has(index) ? index : [])),
      plainNos: this.#overlooked.plainNos,
      overlooked: this.#overlooked.lines,
      badBirthdays: this.#badBirthdays,
    };
  }
}
