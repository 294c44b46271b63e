import { counted } from '../command-line.ts';
import { columnFields, reasonColumn } from '../fields.ts';
import { consentWords } from './consent-words.ts';

/** What a value says about a person. */
type Verdict = 'mailable' | 'opted-out' | 'unknown';

/** What the values of a column are about: who left, who may be mailed, a status, or perhaps one of these. */
interface ColumnKind {
  readonly kind: 'out' | 'in' | 'status' | 'topic' | 'perhaps' | 'any';
  /** The column says when or why: it asks nothing. */
  readonly isDetail?: boolean;
}

type WordKind = keyof typeof consentWords;

const wordsOf = (kind: WordKind): string[] => consentWords[kind].trim().split(/,\s*/);
const setOf = (...kinds: WordKind[]): ReadonlySet<string> => new Set(kinds.flatMap(wordsOf));

/** Returns a pattern that finds words in a name that begins and ends with a space. */
const finderOf = (kind: WordKind): RegExp => {
  const patterns = wordsOf(kind).map(word => ` ${word} `.replace(/^ \*|\* $/g, '').replaceAll('*', '[^ ]*'));
  return new RegExp(patterns.join('|'));
};

const outColumn = finderOf('outColumn');
const inColumn = finderOf('inColumn');
const topicColumn = finderOf('topicColumn');
const perhapsColumn = finderOf('perhapsColumn');
const denial = finderOf('denial');
const otherColumn = finderOf('otherColumn');
const measureColumn = finderOf('measureColumn');
const detailColumn = finderOf('detailColumn');
const emailColumn = finderOf('emailColumn');
const [outAlone, inAlone, statusAlone] = [setOf('outAlone'), setOf('inAlone'), setOf('statusAlone')];
const ignoredInNames = setOf('filler', 'detailColumn');

/** Longest name or value that is compared with words. */
const maxLength = 1000;
/** Length of a list that is compared with words. */
const maxListLength = 10_000;

const plain = (text: string): string =>
  text.slice(0, maxLength).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the words of a name between spaces. */
const nameText = (name: string): string =>
  ` ${plain(name.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')).replace(/[^\p{L}\p{N}]+/gu, ' ')} `;

/** Returns what a column is about; `undefined` for another matter. */
function kindOf(column: string): ColumnKind | undefined {
  const name = nameText(column);
  if (measureColumn.test(name) || (otherColumn.test(name) && !emailColumn.test(name))) return undefined;
  const core = name
    .trim()
    .split(' ')
    .filter(word => !ignoredInNames.has(word) && !/^\d+$/.test(word))
    .join(' ');
  const isDetail = detailColumn.test(name);
  if (outColumn.test(name) || outAlone.has(core)) return { kind: 'out', isDetail };
  const isDenied = denial.test(name);
  if (inColumn.test(name) || inAlone.has(core)) return { kind: isDenied ? 'status' : 'in', isDetail };
  if (statusAlone.has(core)) return { kind: 'status' };
  if (topicColumn.test(name)) return { kind: isDenied ? 'perhaps' : 'topic' };
  return { kind: perhapsColumn.test(name) ? 'perhaps' : 'any' };
}

/** Returns whether the name of a column says that it is about consent. */
const isConsentColumn = (column: string): boolean =>
  column !== reasonColumn && ['out', 'in', 'status'].includes(kindOf(column)?.kind ?? '');

type Word = 'left' | 'leftHere' | 'mailable' | 'mailableHere' | 'yes' | 'no';

const meanings: ReadonlyMap<string, Word> = new Map(
  (['yes', 'no', 'mailableHere', 'leftHere', 'mailable', 'left'] as const).flatMap(word =>
    [...setOf(word)].map(text => [text, word] as const),
  ),
);
const emptyValues = setOf('emptyValue');

/** Returns a value for comparison; an empty text if it says nothing. */
function valueText(cell: string): string {
  const text = plain(cell)
    .replace(/[\s_.,:;|/"'()[\]{}–—-]+/g, ' ')
    .trim();
  return emptyValues.has(text) ? '' : text;
}

/** Maximum number of words before the rest of a value, as in `unsubscribed by the user`. */
const maxStart = 3;

/** Returns what a value means. Of a list, one part that says that the person left is enough. */
function meaningOf(cell: string): Word | undefined {
  const text = valueText(cell);
  const known = meanings.get(text);
  if (known !== undefined) return known;
  const parts = cell.slice(0, maxListLength).split(/[,;|]/).map(valueText).filter(Boolean);
  const found = new Set(parts.map(part => meanings.get(part)));
  if (found.has('left')) return 'left';
  if (found.size === 1 && parts.length > 1) return [...found][0];
  const words = text.split(' ', maxStart);
  const starts = words.map((_, index) => words.slice(0, index + 1).join(' '));
  return starts.some(start => meanings.get(start) === 'left') ? 'left' : undefined;
}

const isDate = (cell: string): boolean => /\d{4}/.test(cell) && /^[\d\sTZ:+./-]+$/.test(cell);

function verdictOf({ kind, isDetail }: ColumnKind, cell: string, word: Word | undefined): Verdict {
  if (word === 'left' || (word === 'leftHere' && kind !== 'any')) return 'opted-out';
  if (kind === 'out') {
    if (word === 'no' || /^[0 ]+$/.test(valueText(cell))) return 'mailable';
    return word === 'yes' || isDetail || /^\s*\d+\s*$/.test(cell) || isDate(cell) ? 'opted-out' : 'unknown';
  }
  if (word === 'mailable' || word === 'mailableHere') return 'mailable';
  if (kind === 'status' || kind === 'perhaps' || kind === 'any') return 'unknown';
  if (word === 'no') return 'opted-out';
  return word === 'yes' || isDetail || (kind === 'in' && isDate(cell)) ? 'mailable' : 'unknown';
}

/** A user's answer for a value of a column or, with an empty value, for the whole column. */
export interface ConsentAnswer {
  readonly index: number;
  readonly value: string;
  readonly verdict: 'mailable' | 'opted-out';
}

/** What a user calls the value of an empty cell. */
const emptyName = '(empty)';

/** Maximum number of distinct values to decide one by one: a column with more holds dates or reasons. */
const maxDistinct = 1000;
/** The same, for a column whose name says nothing about consent. */
const maxDistinctOfOthers = 50;
/** Maximum number of values in a question. */
const maxListed = 10;
const maxShownLength = 60;

/** Words that opt out in any column, as cells hold them. */
const leftCells = new Set([...setOf('left')].flatMap(word => [word, word.replaceAll(' ', '_')]));

/** The same as one part of a list. */
const leftInList = new RegExp(`(?:^|[,;|"])\\s*(?:${[...leftCells].join('|')})\\s*(?:[,;|"]|$)`, 'i');

/** Returns whether a cell of free text may opt out: this is asked for each row, so it must be quick. */
const mayOptOut = (cell: string): boolean =>
  leftCells.has(cell.toLowerCase()) || (/[,;|]/.test(cell) && leftInList.test(cell));

interface Value {
  readonly verdict: Verdict;
  rows: number;
}

/** Decides the values of one column. */
class ConsentColumn {
  readonly name: string;
  readonly #kind: ColumnKind;
  readonly #max: number;
  readonly #answers = new Map<string, Verdict>();
  readonly #whole: Verdict | undefined;
  /** Values by their cells, until there are too many that are known, or too many others. */
  readonly #values = new Map<string, Value>();
  /** Number of values among them that are unknown or empty. */
  #open = 0;
  /** There are more values. */
  #isFull = false;
  /** There are more unknown ones. */
  #hasMore = false;
  /** A value is a word for consent, so that the others must be decided, too. */
  #isConsent: boolean;

  constructor(name: string, kind: ColumnKind, answers: readonly ConsentAnswer[]) {
    this.name = name;
    this.#kind = kind;
    this.#isConsent = ['out', 'in', 'status'].includes(kind.kind);
    this.#max = kind.kind === 'any' ? maxDistinctOfOthers : maxDistinct;
    this.#whole = answers.findLast(({ value }) => value === '')?.verdict;
    for (const { value, verdict } of answers)
      if (value !== '') this.#answers.set(value === emptyName ? '' : valueText(value), verdict);
  }

  get isUsed(): boolean {
    return this.#isConsent || this.#answers.size > 0;
  }

  /** Returns whether a cell says that the person opted out. */
  optsOut(cell: string): boolean {
    const { kind } = this.#kind;
    const known = this.#values.get(cell);
    if (known !== undefined) known.rows += 1;
    else if (kind === 'any' && this.#isFull && !mayOptOut(cell)) return false;
    const { verdict } = known ?? this.#add(cell);
    // Until the user decides otherwise, whoever has any value in a column of people who left has left.
    return verdict === 'opted-out' || (verdict === 'unknown' && kind === 'out');
  }

  #add(cell: string): Value {
    const value = { verdict: this.#verdictOf(cell), rows: 1 };
    const isUnknown = value.verdict === 'unknown';
    const isOpen = isUnknown || valueText(cell) === '';
    const isKept =
      (isOpen ? this.#open : this.#values.size - this.#open) < this.#max && cell.length <= maxLength;
    if (isKept) this.#values.set(cell, value);
    else this.#isFull = true;
    if (isKept && isOpen) this.#open += 1;
    if (!isKept && isUnknown) this.#hasMore = true;
    return value;
  }

  #verdictOf(cell: string): Verdict {
    const text = valueText(cell);
    const answer = this.#answers.get(text);
    if (answer !== undefined) return answer;
    if (this.#whole !== undefined && (text !== '' || this.#asksOfEmpty)) return this.#whole;
    if (text === '') return 'mailable';
    const word = meaningOf(cell);
    const isEvidence =
      this.#kind.kind === 'any' ? word === 'left' || word === 'mailable' : word !== undefined;
    this.#isConsent ||= isEvidence;
    return verdictOf(this.#kind, cell, word);
  }

  /** Returns what only the user can decide; `undefined` if nothing. */
  question(): string | undefined {
    const { kind, isDetail } = this.#kind;
    const isFree = isDetail || (kind === 'any' && this.#isFull) || (kind === 'out' && this.#hasMore);
    if (!this.#isConsent || this.#whole !== undefined || isFree) return undefined;
    const open = this.#openValues();
    if (open.size === 0 && !this.#hasMore) return undefined;
    const [first] = open.keys();
    const listed = [...open]
      .slice(0, maxListed)
      .map(([value, rows]) => `"${value}" (${counted(rows, 'row')})`);
    if (first === undefined) listed.push('values that are too long to list');
    else if (this.#hasMore || open.size > maxListed) listed.push('and other values');
    const example = quoted(`${this.name}=${first ?? ''}`);
    const whole = first === undefined ? '' : ` for each value, or --mailable ${quoted(`${this.name}=`)}`;
    return (
      `column "${this.name}" says neither yes nor no to emails with ${listed.join(', ')}: ` +
      `pass --opted-out ${example} or --mailable ${example}${whole} for the whole column`
    );
  }

  /** Returns the values that are not decided, with their number of rows. */
  #openValues(): ReadonlyMap<string, number> {
    const open = new Map<string, number>();
    const isFilled = [...this.#values.keys()].some(cell => valueText(cell) !== '');
    const asksOfEmpty = isFilled && this.#asksOfEmpty && !this.#answers.has('');
    const names = new Map<string, string>();
    for (const [cell, { verdict, rows }] of this.#values) {
      const text = valueText(cell);
      const isOpen = verdict === 'unknown' || (text === '' && asksOfEmpty);
      if (!isOpen) continue;
      const name = names.get(text) ?? (text === '' ? emptyName : cell.slice(0, maxShownLength));
      names.set(text, name);
      open.set(name, (open.get(name) ?? 0) + rows);
    }
    return open;
  }

  /** Returns whether an empty cell of a column that others answered is a question: was the person asked, and refused? */
  get #asksOfEmpty(): boolean {
    const { kind, isDetail } = this.#kind;
    return (kind === 'in' || kind === 'topic') && !isDetail;
  }
}

/** Returns what a column of a field is about, also of another matter if the user says so. Tags are about many things. */
function kindIn(column: string, field: string, isAnswered: boolean): ColumnKind | undefined {
  const kind = kindOf(column) ?? (isAnswered ? { kind: 'any' } : undefined);
  return field === 'tags' && kind?.kind === 'any' ? { ...kind, isDetail: true } : kind;
}

/** Quotes a text of the file for a shell, which would run a part of it between double quotes. */
const quoted = (text: string): string =>
  /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;

/** Names of Mailchimp's files of people who cannot be mailed, whatever their rows say. */
const optedOutFile = /^(?:unsubscribed|nonsubscribed|cleaned)(?![a-z])/i;

/** Start of the reason of a skipped row. */
const skipped = 'opted out, as ';

/** Decides from all columns of a file who opted out. */
export class Consent {
  readonly #columns: readonly { readonly index: number; readonly column: ConsentColumn }[];
  readonly #reasonIndex: number;
  readonly #isOfOptedOut: boolean;

  /** @param columns Columns with their fields. Those with a field other than tags are read for consent only if their name says so. */
  constructor(
    columns: readonly { readonly column: string; readonly field?: string }[],
    fileName: string,
    answers: readonly ConsentAnswer[],
  ) {
    this.#reasonIndex = columns.findIndex(({ column }) => column === reasonColumn);
    this.#isOfOptedOut = optedOutFile.test(fileName);
    this.#columns = columns.flatMap(({ column, field = '' }, index) => {
      const own = answers.filter(answer => answer.index === index);
      const kind = kindIn(column, field, own.length > 0);
      const isPerson = field !== 'tags' && columnFields.some(name => name === field);
      const isRead = own.length > 0 || isConsentColumn(column) || !isPerson;
      if (kind === undefined || !isRead || column === reasonColumn) return [];
      return { index, column: new ConsentColumn(column, kind, own) };
    });
  }

  /** Returns why a row is skipped: a cell, or the name of the file, says that the person opted out. */
  reasonOf(cells: readonly string[]): string | undefined {
    if (this.#isOfOptedOut) return `${skipped}the name of the file says`;
    let found = cells[this.#reasonIndex]?.startsWith(skipped)
      ? `${skipped}column "${reasonColumn}" says`
      : undefined;
    for (const { index, column } of this.#columns)
      if (column.optsOut(cells[index] ?? '')) found ??= `${skipped}column "${column.name}" says`;
    return found;
  }

  /** Returns the indexes of the columns that say who opted out. */
  get indexes(): readonly number[] {
    return this.#columns.flatMap(({ index, column }) => (column.isUsed ? index : []));
  }

  questions(): string[] {
    return this.#isOfOptedOut ? [] : this.#columns.flatMap(({ column }) => column.question() ?? []);
  }
}
