import { counted } from '../command-line.ts';
import { columnFields, reasonColumn } from '../fields.ts';
import {
  type ColumnKind,
  isConsentColumn,
  isDenial,
  kindOf,
  maxLength,
  maySayLeft,
  plain,
  setOf,
} from './consent-columns.ts';

/** What a value says about a person. */
type Verdict = 'mailable' | 'opted-out' | 'unknown';

type Word = 'left' | 'leftHere' | 'mailable' | 'mailableHere' | 'yes' | 'no' | 'refused';

const meanings: ReadonlyMap<string, Word> = new Map(
  (['yes', 'no', 'refused', 'mailableHere', 'leftHere', 'mailable', 'left'] as const).flatMap(word =>
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

/** Length of a list that is compared with words. */
const maxListLength = 10_000;

/** Returns the parts of a list, for comparison. */
const partsOf = (cell: string): string[] =>
  cell.slice(0, maxListLength).split(/[,;|]/).map(valueText).filter(Boolean);

/** Maximum number of words before the rest of a value, as in `unsubscribed by the user`. */
const maxStart = 3;

/** Returns what a value means. Of a list, one part that says that the person left is enough. */
function meaningOf(cell: string): Word | undefined {
  const text = valueText(cell);
  const known = meanings.get(text);
  if (known !== undefined) return known;
  const parts = partsOf(cell);
  const found = new Set(parts.map(part => meanings.get(part)));
  if (found.has('left')) return 'left';
  if (found.size === 1 && parts.length > 1) return [...found][0];
  const words = text.split(' ', maxStart);
  const starts = words.map((_, index) => meanings.get(words.slice(0, index + 1).join(' ')));
  return starts.find(start => start === 'left' || start === 'refused');
}

const isYesOrNo = (cell: string): boolean => ['yes', 'no'].includes(meaningOf(cell) ?? '');

/** Returns whether a value that is no known word speaks of consent, such as `No thanks`: then only the user knows. */
function maySayNo(cell: string): boolean {
  const [first = ''] = valueText(cell).split(' ', 1);
  // Not `1 Main Street`.
  return isDenial(first) || (first.length > 1 && ['yes', 'no'].includes(meanings.get(first) ?? ''));
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
  if (word === 'no' || word === 'refused') return 'opted-out';
  if (word === 'yes' || (kind === 'in' && isDate(cell))) return 'mailable';
  return isDetail && !maySayLeft(cell) ? 'mailable' : 'unknown';
}

/** A user's answer for a value of a column or, with an empty value, for the whole column. */
export interface ConsentAnswer {
  readonly index: number;
  readonly value: string;
  readonly verdict: 'mailable' | 'opted-out';
  /** The option of this run's command line. */
  readonly option?: string | undefined;
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

/** The words that opt out in any column, with anything between them. */
const leftWords = new RegExp([...setOf('left')].map(words => words.replaceAll(' ', '[\\W_]*')).join('|'));

/** Returns whether a cell of free text may opt out: this is asked for each row, so it must be quick. */
const mayOptOut = (cell: string): boolean => leftWords.test(plain(cell, maxListLength));

interface Value {
  readonly verdict: Verdict;
  rows: number;
}

/** Decides the values of one column. */
class ConsentColumn {
  readonly name: string;
  readonly #kind: ColumnKind;
  readonly #max: number;
  readonly #answers = new Map<string, ConsentAnswer>();
  readonly #whole: Verdict | undefined;
  /** Options that decided a row. */
  readonly used = new Set<string | undefined>();
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
    for (const answer of answers) {
      const { value, option } = answer;
      if (value === '') this.used.add(option);
      else this.#answers.set(value.toLowerCase() === emptyName ? '' : valueText(value), answer);
    }
  }

  get isUsed(): boolean {
    return this.#isConsent || this.#isAnswered;
  }

  get #isAnswered(): boolean {
    return this.#answers.size > 0 || this.#whole !== undefined;
  }

  /** Returns whether a cell says that the person opted out. */
  optsOut(cell: string): boolean {
    const { kind } = this.#kind;
    const known = this.#values.get(cell);
    if (known !== undefined) known.rows += 1;
    else if (kind === 'any' && this.#isFull && !this.#isAnswered && !mayOptOut(cell)) return false;
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
    const answer = this.#answerFor(cell, text);
    if (answer !== undefined) {
      this.used.add(answer.option);
      return answer.verdict;
    }
    const word = meaningOf(cell);
    if (this.#whole !== undefined && (text !== '' || this.#asksOfEmpty))
      // The answer for a whole column does not permit a value that plainly says no.
      return verdictOf(this.#kind, cell, word) === 'opted-out' ? 'opted-out' : this.#whole;
    if (text === '') return 'mailable';
    this.#isConsent ||=
      this.#kind.kind === 'any'
        ? word === 'left' || word === 'mailable'
        : word !== undefined || maySayNo(cell);
    return verdictOf(this.#kind, cell, word);
  }

  /** Returns the answer for a cell. Of a list, one part that says that the person left is enough. */
  #answerFor(cell: string, text: string): ConsentAnswer | undefined {
    if (this.#answers.size === 0) return undefined;
    const answers = partsOf(cell).map(part => this.#answers.get(part));
    return this.#answers.get(text) ?? answers.find(answer => answer?.verdict === 'opted-out');
  }

  /** Returns what only the user can decide; `undefined` if nothing. */
  question(): string | undefined {
    const { kind, isDetail } = this.#kind;
    const isFree = kind === 'any' ? isDetail || this.#isFull : kind === 'out' && (isDetail || this.#hasMore);
    const isConsent = this.#isConsent || this.#isFlag;
    if (!isConsent || this.#whole !== undefined || isFree) return undefined;
    const open = this.#openValues();
    if (open.size === 0 && !this.#hasMore) return undefined;
    const [first] = open.keys();
    const listed = [...open]
      .slice(0, maxListed)
      .map(([value, rows]) => `"${value.slice(0, maxShownLength)}" (${counted(rows, 'row')})`);
    if (first === undefined) listed.push('values that are too long to list');
    else if (this.#hasMore || open.size > maxListed) listed.push('and other values');
    const example = quoted(`${this.name}=${first ?? ''}`);
    const whole = first === undefined ? '' : ` for each value, or --mailable ${quoted(`${this.name}=`)}`;
    return (
      `column "${this.name}" says neither yes nor no to emails with ${listed.join(', ')}: ` +
      `pass --opted-out ${example} or --mailable ${example}${whole} for the whole column`
    );
  }

  /** The name of the column speaks of emails, and most rows with a value say yes or no. */
  get #isFlag(): boolean {
    if (this.#kind.isFlag !== true) return false;
    const filled = [...this.#values].filter(([cell]) => valueText(cell) !== '');
    const sum = (values: typeof filled) => values.reduce((total, [, { rows }]) => total + rows, 0);
    const decided = sum(filled.filter(([cell]) => isYesOrNo(cell) || maySayNo(cell)));
    return decided > 0 && 2 * decided >= sum(filled);
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
      const name = names.get(text) ?? (text === '' ? emptyName : cell);
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

/** Names of files of people who cannot be mailed, whatever their rows say: Mailchimp's and SendGrid's, and copies of them. */
const optedOutFile = /^(?:cleaned|suppressions?)(?![a-z])|(?<![a-z])(?:unsubscribed|nonsubscribed)(?![a-z])/i;

/** Start of the reason of a skipped row. */
const skipped = 'opted out, as ';

/** Decides from all columns of a file who opted out. */
export class Consent {
  readonly #columns: readonly { readonly index: number; readonly column: ConsentColumn }[];
  readonly #reasonIndex: number;
  readonly #isOfOptedOut: boolean;
  readonly #options: readonly (string | undefined)[];

  /** @param columns Columns with their fields. Those with a field other than tags are read for consent only if their name says so. */
  constructor(
    columns: readonly { readonly column: string; readonly field?: string }[],
    fileNames: readonly string[],
    answers: readonly ConsentAnswer[],
  ) {
    this.#reasonIndex = columns.findIndex(({ column }) => column === reasonColumn);
    this.#isOfOptedOut = fileNames.some(name => optedOutFile.test(name));
    this.#options = answers.map(({ option }) => option);
    this.#columns = columns.flatMap(({ column, field = '' }, index) => {
      const own = answers.filter(answer => answer.index === index);
      const kind = kindIn(column, field, own.length > 0);
      const isPerson = field !== 'tags' && columnFields.some(name => name === field);
      const isRead = own.length > 0 || isConsentColumn(column) || !isPerson;
      if (kind === undefined || !isRead || column === reasonColumn) return [];
      return { index, column: new ConsentColumn(column, kind, own) };
    });
  }

  /** Reason of a row whose person opted out in another one. */
  static readonly otherRow = `${skipped}another row of this address says`;

  /** Reason of a row whose person has another one that may say no. */
  static readonly unreadRow =
    'another row of this address cannot be read, and may say that the person opted out: correct that, or remove it';

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

  /** Returns the options of this run that decided no row. */
  unusedOptions(): string[] {
    const used = new Set(this.#columns.flatMap(({ column }) => [...column.used]));
    return [...new Set(this.#options)].flatMap(option => (option && !used.has(option) ? option : []));
  }

  /** @param isDecided The user has said who may be mailed. */
  questions(isDecided: boolean): string[] {
    if (this.#isOfOptedOut) return [];
    if (this.indexes.length > 0 || isDecided)
      return this.#columns.flatMap(({ column }) => column.question() ?? []);
    return [
      'no column says who may be mailed, and the service mails everybody who is imported: pass --mailable everyone if the ' +
        'whole file agreed, or --mailable "COLUMN=VALUE" and --opted-out "COLUMN=VALUE" for a column that says it',
    ];
  }
}
