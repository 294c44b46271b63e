import type { IdentifyParams } from '../../index.ts';
import { counted } from '../command-line.ts';
import type { Audience, ColumnValue } from './audience.ts';
import type { Job } from './options.ts';
import { PeopleOfRows, peopleIn, readPeople } from './people.ts';
import { readRows } from './read-rows.ts';
import { RowStatuses } from './row-statuses.ts';
import { problemOf, rowReader } from './rows.ts';
import { columnOfNo, type Sent } from './sent.ts';
import type { Survey } from './survey.ts';
import { Tally } from './tally.ts';

/** Rows that are kept to show the first ones: some of them may turn out to be of somebody who may not be mailed. */
const maxKept = 100;

/** Reads all rows again, by the user's choices: what becomes of each? */
export async function checkRows(
  { file, context, choices, flags }: Job,
  survey: Survey,
  audience: Audience,
  sent: Sent,
): Promise<Checked> {
  const checked = new Checked(survey, audience, sent, flags.again === true || sent.isEmpty);
  for (const list of ['except', 'readmit'] as const)
    for (const path of choices[list] ?? []) {
      const { people, others } = await readPeople(`--${list}`, path, context.signal, flags.yes);
      const without = others > 0 ? `, and ${counted(others, 'line')} without one` : '';
      checked.lists.push(`${path} has ${people.size} address${people.size === 1 ? '' : 'es'}${without}`);
      for (const person of people) checked[list].add(person);
    }
  for await (const [index, cells] of readRows(file, survey.reading, context.signal))
    if (index >= 0) checked.add(cells, index);
  checked.finish();
  return checked;
}

/** Something odd in cells: the number of rows, and the first cell. */
interface Found {
  rows: number;
  example: string;
}

function addTo(found: Found, example: string): void {
  found.rows += 1;
  found.example ||= example;
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
  /** Rows that stay out only because an earlier import left somebody out. */
  stillOut = 0;
  /** People whom an earlier import left out, and who go now. */
  readonly cameBack = new Set<number>();
  readonly badBirthdays: Found = { rows: 0, example: '' };
  /** Addresses whose host has no dot: perhaps something is missing. */
  readonly dotless: Found = { rows: 0, example: '' };
  /** What was read of the files of people who stay out. */
  readonly lists: string[] = [];
  readonly people = new PeopleOfRows();
  /** People of these files: who stays out, and who came back. */
  readonly except = new Set<number>();
  readonly readmit = new Set<number>();
  readonly #sent: Sent;
  /** All rows are sent, also those that were sent before. */
  readonly #isAgain: boolean;
  /** What keeps people out, for the next imports: values of columns, and files. */
  readonly #noes = new Map<
    string,
    { readonly because?: ColumnValue | undefined; readonly people: number[] }
  >();
  /** Content of the rows of each person. */
  readonly #contents = new Map<number, string>();
  readonly #emailIndex: number;
  readonly #birthdayIndex: number;

  constructor(survey: Survey, audience: Audience, sent: Sent, isAgain: boolean) {
    const indexOf = (wanted: string) => survey.columns.findIndex(({ field }) => field === wanted);
    this.survey = survey;
    this.audience = audience;
    this.statuses = new RowStatuses(survey.rows);
    this.tally = new Tally(survey, audience);
    this.toParams = rowReader(survey.columns, survey.choices);
    this.#sent = sent;
    this.#isAgain = isAgain;
    this.#emailIndex = indexOf('email');
    this.#birthdayIndex = indexOf('birthday');
  }

  add(cells: readonly string[], index: number): void {
    const isRead = !this.#hasMoved(cells);
    // In a row that cannot be read, an address can be anywhere.
    const people = (isRead ? [cells[this.#emailIndex] ?? ''] : cells).flatMap(peopleIn);
    const reason = this.#reasonAgainst(cells, people, isRead);
    this.people.add(index, people, !isRead || reason !== undefined);
    this.tally.add(index, cells);
    if (reason !== undefined) this.statuses.set(index, 'left-out', reason);
    else if (isRead) this.#addMailable(cells, index, people[0]);
    else {
      const { length } = this.survey.columns;
      this.statuses.set(index, 'rejected', `the row has ${cells.length} cells, the header ${length}`);
    }
  }

  /** Returns why nobody of a row may be mailed: by the options, or because an earlier import left somebody out. */
  #reasonAgainst(cells: readonly string[], people: readonly number[], isRead: boolean): string | undefined {
    const no = isRead ? this.audience.decide(cells) : undefined;
    for (const because of no?.because ?? []) this.#addNo(people, because);
    const excepted = people.filter(person => this.except.has(person));
    if (excepted.length > 0) this.#addNo(excepted);
    if (no !== undefined) return no.reason;
    if (excepted.length > 0) return `address is in ${this.survey.choices.except?.join(' or ')}`;
    if (!people.some(person => this.#isStillOut(cells, person))) return undefined;
    this.stillOut += 1;
    return 'left out by an earlier import (see --readmit)';
  }

  #addNo(people: readonly number[], because?: ColumnValue): void {
    const no = this.#noes.get(String(because)) ?? { because, people: [] };
    no.people.push(...people);
    this.#noes.set(String(because), no);
  }

  /** Returns whether an earlier import left a person out, and nothing has changed since that lets the person back. */
  #isStillOut(cells: readonly string[], person: number): boolean {
    if (this.readmit.has(person)) return false;
    return [...this.#sent.noesOf(person)].some(no => {
      // Only the column that decided lets people back: it is named again, and says something else.
      const column = columnOfNo(no);
      const index = this.survey.header.indexOf(column);
      if (!this.audience.decides(index)) return true;
      return this.audience.keysOf(cells, index).some(({ key }) => this.#sent.noOf(column, key) === no);
    });
  }

  /** Remembers who stays out, and who came back. */
  remember(): void {
    const { header } = this.survey;
    for (const { because, people } of this.#noes.values()) {
      const no = because && this.#sent.noOf(header[because[0]] ?? '', because[1]);
      for (const person of people) this.#sent.addNo(person, no);
    }
    for (const [index, person] of this.people.entries())
      if (['pending', 'sent-before'].includes(this.statuses.get(index))) this.#sent.removeNoes(person);
  }

  /**
   * Returns whether cells can be in a wrong column. Spreadsheets end rows with empty cells; in some rows only, such a cell can
   * show that a comma without quotes has moved those by which the user decides.
   */
  #hasMoved(cells: readonly string[]): boolean {
    const columns = this.survey.columns.length;
    const isLonger = cells.length > Math.max(columns, this.survey.shortest);
    return isLonger || cells.slice(columns).some(cell => cell !== '');
  }

  #addMailable(cells: readonly string[], index: number, person = 0): void {
    const params = this.toParams(cells);
    const problem = problemOf(params, cells, this.survey.reading.isBroken);
    // Before the column of the email is known, every row has a problem.
    if (problem === undefined || this.#emailIndex < 0) this.audience.addSent(cells);
    if (problem !== undefined) {
      this.statuses.set(index, 'rejected', problem);
      return;
    }
    if (!this.#isAgain) this.#contents.set(person, this.#sent.contentOf(params, this.#contents.get(person)));
    if (this.kept.length < maxKept) this.kept.push({ index, params });
    if (!params.email.includes('.', params.email.lastIndexOf('@'))) addTo(this.dotless, params.email);
    const birthday = cells[this.#birthdayIndex] ?? '';
    if (birthday !== '' && params.birthday === undefined) addTo(this.badBirthdays, birthday);
  }

  /** Decides for each person, when all rows were added. */
  finish(): void {
    const { people, statuses } = this;
    people.decide(statuses, person => this.#sent.hasPerson(person));
    for (const [index, person] of people.entries())
      if (statuses.get(index) === 'pending' && this.#sent.noesOf(person).size > 0) this.cameBack.add(person);
    if (this.#isAgain) return;
    const done = new Set<number>();
    for (const [person, content] of this.#contents) if (this.#sent.isLast(person, content)) done.add(person);
    for (const [index, person, isFirst] of people.entries())
      if (isFirst && done.has(person) && statuses.get(index) === 'pending')
        statuses.set(index, 'sent-before');
  }
}
