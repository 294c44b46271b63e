import { counted, quoted } from '../command-line.ts';
import { plainKey, visible } from '../csv.ts';
import { isAddress } from './addresses.ts';
import { Audience, everyone } from './audience.ts';
import { type Column, listed, mapColumns } from './columns.ts';
import { type Group, groupsOf, listOfValues } from './groups.ts';
import { type BirthdayOrder, type Choices, listOf } from './job.ts';
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
  /** Several answers can be given. */
  readonly isList?: boolean;
  /** What the answers add together. */
  readonly chooseAll?: (names: readonly string[]) => Choose;
}

export interface Answer {
  /** What the user types: the key, or the name, such as a value. */
  readonly key: string;
  readonly name: string;
  /** What it means; empty if the prompt says so. */
  readonly text: string;
  /** What it adds to the choices, or the question that follows. */
  readonly choose?: Choose | Question;
  /** The same for programs, unless it is the text with what the answer adds. */
  readonly data?: object;
}

type Choose = (choices: Choices) => Choices;

/** Returns the answers that were typed, as keys or names; `undefined` if anything else was. */
export function answersTyped(typed: string, { answers, isList }: Question): readonly Answer[] | undefined {
  const find = (text: string) =>
    answers.find(({ key, name }) => [key, plainKey(name)].includes(plainKey(text)));
  const partsOf = (text: string) => (find(text) ? [text] : text.split(/\s+/));
  const parts = find(typed) ? [typed] : typed.split(/[,;"]/).flatMap(partsOf).filter(Boolean);
  const found = new Set(parts.map(find));
  const isValid = !found.has(undefined) && (isList || found.size === 1);
  return isValid && found.size > 0 ? [...found].flatMap(answer => answer ?? []) : undefined;
}

/** An answer without a key. */
type Unkeyed = Omit<Answer, 'key'>;

/** Returns answers with keys: `#1` or `#a` if one could mean the name of another answer. */
function keyed(
  answers: readonly Unkeyed[],
  keys: readonly string[] = answers.map((_, index) => String(index + 1)),
): readonly Answer[] {
  const isAmbiguous = answers.some(({ name }, index) => {
    const words = plainKey(name).split(' ');
    return words.join() !== keys[index] && words.every(word => keys.includes(word));
  });
  return answers.map((answer, index) => ({ ...answer, key: `${isAmbiguous ? '#' : ''}${keys[index]}` }));
}

/** Returns a question whose answers are numbers. */
const numbered = (title: string, pass: string, answers: readonly Unkeyed[]): Question => ({
  title,
  pass,
  prompt: 'Number, or Enter to stop',
  answers: keyed(answers),
});

/** Keys of values: none is the first letter of a yes or a no in a common language. */
const letters = [...'abcdefghiklmpqrtuvwxz'];

const set =
  (added: Choices): Choose =>
  choices => ({ ...choices, ...added });

const add =
  (list: 'map' | 'mailable', text: string): Choose =>
  choices => ({ ...choices, [list]: [...(choices[list] ?? []), text] });

/** Columns to choose from, the likeliest first, and values that are shown of each. */
const maxColumns = 20;
const maxSamples = 3;
const maxLength = 100;

/** Which column contains the email. */
export function emailQuestion({ header, values, rows }: Survey, columns: readonly Column[]): Question[] {
  if (rows === 0 || columns.some(({ field }) => field === 'email')) return [];
  const likely = header
    .map((header, index) => {
      const texts = [...(values[index]?.texts.values() ?? [])].map(({ text }) => text);
      return { name: visible(header), texts, addresses: texts.filter(isAddress).length };
    })
    .sort((one, other) => other.addresses - one.addresses);
  return [
    numbered(
      'Which column contains the email?',
      `pass --map "COLUMN=email", such as --map ${quoted(`${likely[0]?.name}=email`)}:`,
      likely.slice(0, maxColumns).map(({ name, texts }) => ({
        name,
        text: `${name}: ${texts.slice(0, maxSamples).join(', ').slice(0, maxLength)}`,
        choose: add('map', `${name}=email`),
      })),
    ),
  ];
}

/** Who may be mailed. */
function audienceQuestion(survey: Survey, columns: readonly Column[], audience: Audience): Question {
  const { groups, unlisted } = groupsOf(columns, survey, audience);
  const hasGroups = groups.length > 0;
  const values = hasGroups ? ' Rows with which of these values may be mailed?' : '';
  const whole = '"everyone" if the whole file agreed, or Enter for nobody';
  const question = numbered(
    `The service mails everybody who is imported, and cannot delete or unsubscribe them for you.\nWho may be mailed?${values}`,
    hasGroups
      ? 'pass --mailable "COLUMN=VALUE,VALUE" with the values whose rows may be mailed (of several columns, all must agree), or --mailable everyone if the whole file agreed:'
      : 'pass --mailable everyone if the whole file agreed',
    groups.map(group => ({
      name: visible(group.name),
      text: `${visible(group.name)}  ${listOfValues(group.values, group.others)}`,
      choose: valuesQuestion(group),
      data: { column: group.name, values: group.values.map(([value, rows]) => ({ value, rows })) },
    })),
  );
  return {
    ...question,
    prompt: hasGroups ? `Column, several ("1 2": all must agree), ${whole}` : `Type ${whole}`,
    ...(unlisted.length > 0 && {
      note: `More columns, for --mailable "COLUMN=VALUE,VALUE": ${listed(unlisted)}`,
    }),
    isList: true,
    answers: [
      ...question.answers,
      { key: everyone, name: everyone, text: '', choose: add('mailable', everyone) },
    ],
  };
}

/** Which values of a column may be mailed. */
const valuesQuestion = ({ name, values, others }: Group): Question => ({
  title: `${visible(name)}: rows with which of these values may be mailed?`,
  pass: `pass --mailable ${quoted(`${visible(name)}=VALUE,VALUE`)} with the values whose rows may be mailed`,
  prompt: 'Value, several ("a b"), or Enter for none',
  isList: true,
  answers: keyed(
    values.map(([value, rows]) => ({ name: value, text: listOfValues([[value, rows]]) })),
    letters.slice(0, values.length),
  ),
  chooseAll: names => add('mailable', `${visible(name)}=${listOf(names)}`),
  ...(others > 0 && { note: `${counted(others, 'row')} with other values may not be mailed` }),
});

const tagsQuestion = ({ commas }: Survey): Question =>
  numbered(
    `There are tags with commas, such as "${visible(commas)}". What are the commas?`,
    'pass --tag-separator "," or --tag-separator ";":',
    [
      { name: ',', text: 'they separate tags (,)', choose: set({ tagSeparator: ',' }) },
      { name: ';', text: 'they are part of a tag (;)', choose: set({ tagSeparator: ';' }) },
    ],
  );

function birthdaysQuestion({ birthdays }: Survey): Question {
  const { 'day-first': days, 'month-first': months, either, example } = birthdays;
  const answer = (order: BirthdayOrder, text: string) => ({
    name: order,
    text: `${order.padEnd(12)}${text}`,
    choose: set({ birthdays: order }),
  });
  return numbered(`How are birthdays such as "${example}" written?`, 'pass --birthdays:', [
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
