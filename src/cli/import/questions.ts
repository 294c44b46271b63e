import { counted, quoted } from '../command-line.ts';
import { isAddress } from './addresses.ts';
import { Audience, everyone, type Group, groupsOf, listOfValues, shown, shownAmong } from './audience.ts';
import { type Column, listed, mapColumns, readColumnOption } from './columns.ts';
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

/** An answer without a key, and what somebody may type for it by mistake. */
type Unkeyed = Omit<Answer, 'key'> & { readonly name?: string };

/** Returns answers with keys: `#1` or `#a` if one could mean the name of another answer. */
function keyed(answers: readonly Unkeyed[], keyOf: (index: number) => string): readonly Answer[] {
  const keys = answers.map((_, index) => keyOf(index));
  const isAmbiguous = answers.some(({ name = '' }, index) => {
    const typed = keysIn(name);
    return typed.length > 0 && typed.join() !== keys[index] && typed.every(key => keys.includes(key));
  });
  return answers.map(({ name, ...answer }, index) => ({
    ...answer,
    key: `${isAmbiguous ? '#' : ''}${keys[index]}`,
  }));
}

/** Returns a question whose answers are numbers. */
const numbered = (title: string, pass: string, answers: readonly Unkeyed[]): Question => ({
  title,
  pass,
  prompt: 'Number, or Enter to stop',
  answers: keyed(answers, index => String(index + 1)),
});

const set =
  (added: Choices): Choose =>
  choices => ({ ...choices, ...added });

const add =
  (list: 'map' | 'mailable', text: string): Choose =>
  choices => ({ ...choices, [list]: [...(choices[list] ?? []), text] });

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
    groups.map(group => {
      const { name, values, hint } = group;
      const says = hint === undefined || hint === name ? '' : `  <- says "${shown(hint)}"`;
      return {
        name,
        text: `${shown(name)}  ${listOfValues(values)}${says}`,
        choose: valuesQuestion(group, survey),
        data: { column: name, values: values.map(([value, rows]) => ({ value, rows })) },
      };
    }),
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
const valuesQuestion = ({ index, name, values }: Group, { header }: Survey): Question => ({
  title: `${shown(name)}: which of these mean yes?`,
  pass: `pass --mailable ${quoted(`${name}=VALUE,VALUE`)} with the values that mean yes`,
  prompt: '',
  isInLine: true,
  isList: true,
  answers: keyed(
    values.map(([value]) => ({
      name: value,
      text: shownAmong(value, values),
      choose: chooseValue(index, value, header),
    })),
    at => String.fromCharCode('a'.charCodeAt(0) + at),
  ),
});

const chooseValue =
  (index: number, value: string, header: readonly string[]): Choose =>
  ({ mailable = [], ...choices }) => {
    const isOfColumn = (rule: string) =>
      rule !== everyone && readColumnOption('--mailable', rule, header).index === index;
    const text = listOf([value]);
    return mailable.some(isOfColumn)
      ? { ...choices, mailable: mailable.map(rule => (isOfColumn(rule) ? `${rule},${text}` : rule)) }
      : { ...choices, mailable: [...mailable, `${header[index]}=${text}`] };
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
