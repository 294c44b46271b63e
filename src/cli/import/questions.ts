import { counted, quoted } from '../command-line.ts';
import { isAddress } from './addresses.ts';
import { Audience, everyone, type Group, groupsOf, listOfValues, shown, shownAmong } from './audience.ts';
import { type Column, listed, mapColumns, readColumnOption } from './columns.ts';
import { type BirthdayOrder, type Choices, listOf } from './job.ts';
import type { Layout } from './read-rows.ts';
import type { Survey } from './survey.ts';

/** Something that only the user knows. */
export interface Question {
  /** What is asked, in one line or several, and what to pass where nobody can answer. */
  readonly title: string;
  readonly pass: string;
  readonly prompt: string;
  readonly answers: readonly Answer[];
  /** What follows the answers. */
  readonly note?: string;
  /** The answers follow the title in its line. */
  readonly isInLine?: boolean;
  /** Several answers can be given. */
  readonly isList?: boolean;
}

export interface Answer {
  /** What the user types. */
  readonly key: string;
  /** What it means; empty if the prompt says so. */
  readonly text: string;
  /** What it adds to the choices, or the question that follows. */
  readonly choose: Choose | Question;
  /** The same for programs, unless it is the text with what the answer adds. */
  readonly data?: object;
}

type Choose = (choices: Choices) => Choices;

/** Returns what was typed as keys of answers. */
export const keysIn = (typed: string): string[] => [...new Set(typed.toLowerCase().match(/[^\s,;"]+/g))];

/** Returns keys that name no other answer: if somebody may type the name of one, `#1` or `#a`. */
function keysOf(keys: readonly string[], names: readonly string[]): readonly string[] {
  const means = (name: string, index: number) => {
    const typed = keysIn(name);
    return typed.join() !== keys[index] && typed.length > 0 && typed.every(key => keys.includes(key));
  };
  return names.some(means) ? keys.map(key => `#${key}`) : keys;
}

type Named = Omit<Answer, 'key'> & { readonly name?: string };

/** Returns a question whose answers are numbers. */
function numbered(title: string, pass: string, answers: readonly Named[]): Question {
  const keys = keysOf(
    answers.map((_, index) => String(index + 1)),
    answers.map(({ name = '' }) => name),
  );
  return {
    title,
    pass,
    prompt: 'Number, or Enter to stop',
    answers: answers.map(({ name, ...answer }, index) => ({ ...answer, key: keys[index] ?? '' })),
  };
}

const set =
  (added: Choices): Choose =>
  choices => ({ ...choices, ...added });

const add =
  (list: 'map' | 'mailable', text: string): Choose =>
  choices => ({ ...choices, [list]: [...(choices[list] ?? []), text] });

/** How a file that is not UTF-8 is read: the usual encodings, each with a text of the file. */
export function encodingQuestion(name: string, head: Buffer): Question {
  const encodings = head.subarray(0, 2).includes(0)
    ? ['utf-16le', 'utf-16be']
    : ['windows-1252', 'windows-1250', 'windows-1251', 'shift_jis', 'utf-8'];
  return numbered(
    `${name} is not UTF-8. In which encoding does its text look right?`,
    'pass --encoding, such as --encoding windows-1252:',
    encodings.map(encoding => ({
      text: `${encoding.padEnd(14)}${sampleOf(head, encoding)}`,
      choose: set({ encoding }),
    })),
  );
}

const sampleLength = 60;
const sampleStart = 30;

/** Returns a piece of text with the first characters beyond ASCII. */
function sampleOf(head: Buffer, encoding: string): string {
  const text = new TextDecoder(encoding).decode(head);
  const at = Math.max(0, text.search(/[^\0-\x7f]/));
  const start = Math.max(text.lastIndexOf('\n', at) + 1, at - sampleStart);
  return text.slice(start, start + sampleLength).replace(/[\r\n].*/s, '');
}

/** Which line names the columns. */
export function headerQuestion(name: string, { headers }: Layout): Question {
  const lines = headers.map(({ line, cells }) => ({
    line,
    text: `line ${line}: ${shown(listed(cells.filter(cell => cell !== '')))}`,
  }));
  return numbered(
    `Which line of ${name} names the columns?`,
    'pass --header-line NUMBER, or --header-line 0 if none does:',
    [...lines, { line: 0, text: 'none: they are called column 1, column 2 ...' }].map(({ line, text }) => ({
      name: String(line),
      text,
      choose: set({ headerLine: line }),
    })),
  );
}

/** Columns to choose from, the likeliest first, and values that are shown of each. */
const maxColumns = 20;
const maxSamples = 3;

/** Which column contains the email. */
export function emailQuestion({ header, values }: Survey, columns: readonly Column[]): Question[] {
  if (columns.some(({ field }) => field === 'email')) return [];
  const likely = header
    .map((name, index) => {
      const texts = [...(values[index]?.texts.values() ?? [])].map(({ text }) => text);
      return { name, texts, addresses: texts.filter(isAddress).length };
    })
    .sort((one, other) => other.addresses - one.addresses);
  return [
    numbered(
      'Which column contains the email?',
      `pass --map "COLUMN=email", such as --map ${quoted(`${likely[0]?.name}=email`)}:`,
      likely.slice(0, maxColumns).map(({ name, texts }) => ({
        name,
        text: `${shown(name)}: ${texts.slice(0, maxSamples).map(shown).join(', ')}`,
        choose: add('map', `${name}=email`),
      })),
    ),
  ];
}

/** Who may be mailed. */
function audienceQuestion(survey: Survey, columns: readonly Column[], audience: Audience): Question {
  const { groups, unlisted } = groupsOf(columns, survey, audience);
  const hasGroups = groups.length > 0;
  const one = hasGroups ? ' One of these columns may say it:' : '';
  const whole = '"everyone" if the whole file agreed, or Enter to stop';
  const question = numbered(
    `The service mails everybody who is imported, and cannot delete or unsubscribe them for you.\nWho may be mailed?${one}`,
    hasGroups
      ? 'pass --mailable "COLUMN=VALUE,VALUE" with the values that mean yes (of several columns, all must agree), or --mailable everyone if the whole file agreed:'
      : 'pass --mailable everyone if the whole file agreed',
    groups.map(({ name, values, hint }) => ({
      name,
      text: `${shown(name)}  ${listOfValues(values)}${hint === undefined || hint === name ? '' : `  <- says "${shown(hint)}"`}`,
      choose: valuesQuestion(name, values, survey.header),
      data: { column: name, values: values.map(([value, rows]) => ({ value, rows })) },
    })),
  );
  return {
    ...question,
    prompt: hasGroups ? `A number, several ("1 2": all must agree), ${whole}` : `Type ${whole}`,
    ...(unlisted.length > 0 && {
      note: `More columns, for --mailable "COLUMN=VALUE,VALUE": ${listed(unlisted)}`,
    }),
    isList: true,
    answers: [...question.answers, { key: everyone, text: '', choose: add('mailable', everyone) }],
  };
}

/** Which values of a column mean yes. */
function valuesQuestion(name: string, values: Group['values'], header: readonly string[]): Question {
  const keys = keysOf(
    values.map((_, index) => String.fromCharCode('a'.charCodeAt(0) + index)),
    values.map(([value]) => value),
  );
  return {
    title: `${shown(name)}: which of these mean yes?`,
    pass: `pass --mailable ${quoted(`${name}=VALUE,VALUE`)} with the values that mean yes`,
    prompt: '',
    isInLine: true,
    isList: true,
    answers: values.map(([value], index) => ({
      key: keys[index] ?? '',
      text: shownAmong(value, values),
      choose: chooseValue(name, value, header),
    })),
  };
}

const chooseValue =
  (column: string, value: string, header: readonly string[]): Choose =>
  choices => {
    const mailable = [...(choices.mailable ?? [])];
    const columnOf = (rule: string) => header[readColumnOption('--mailable', rule, header).index];
    const text = listOf([value]);
    const at = mailable.findIndex(rule => rule !== everyone && columnOf(rule) === column);
    if (at < 0) mailable.push(`${column}=${text}`);
    else mailable[at] += `,${text}`;
    return { ...choices, mailable };
  };

const tagsQuestion = ({ commas }: Survey): Question =>
  numbered(
    `There are tags with commas, such as "${shown(commas)}". What are the commas?`,
    'pass --tag-separator "," or --tag-separator ";":',
    [
      { text: 'they separate tags (,)', choose: set({ tagSeparator: ',' }) },
      { text: 'they are part of a tag (;)', choose: set({ tagSeparator: ';' }) },
    ],
  );

function birthdaysQuestion({ birthdays }: Survey): Question {
  const { 'day-first': days, 'month-first': months, either, example } = birthdays;
  const answer = (order: BirthdayOrder, text: string) => ({
    text: `${order.padEnd(12)}${text}`,
    choose: set({ birthdays: order }),
  });
  return numbered(`How are birthdays such as "${shown(example)}" written?`, 'pass --birthdays:', [
    answer('day-first', `reads ${counted(days + either, 'birthday')}`),
    answer('month-first', `reads ${counted(months + either, 'birthday')}`),
    answer('skip', 'leaves these birthdays out'),
  ]);
}

/** Returns what the rows of a file leave open. */
export function openQuestions(survey: Survey, choices: Choices): Question[] {
  const { birthdays, commas } = survey;
  const hasBirthdays = birthdays.example !== '';
  const audience = new Audience(choices, survey);
  return [
    ...(commas !== '' && choices.tagSeparator === undefined ? [tagsQuestion(survey)] : []),
    ...(hasBirthdays && choices.birthdays === undefined ? [birthdaysQuestion(survey)] : []),
    ...(audience.isOpen ? [audienceQuestion(survey, mapColumns(survey.header, choices), audience)] : []),
  ];
}
