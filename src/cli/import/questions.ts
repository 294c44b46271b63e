import { counted } from '../command-line.ts';
import type { Facts } from '../input-file.ts';
import { isAddress } from './addresses.ts';
import {
  anyName,
  choicesOf,
  everyone,
  filledName,
  type Group,
  groupsOf,
  listOfValues,
  shown,
} from './audience.ts';
import { type Column, listed, mapColumns } from './columns.ts';
import type { BirthdayOrder, Choices } from './job.ts';
import { listOf, quoted } from './job.ts';
import type { PlainNo } from './overlooked.ts';
import { saysLeft } from './plain-words.ts';
import { headerCandidates, type Layout } from './read-rows.ts';
import type { Survey, Values } from './survey.ts';

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
  /** The same for programs. */
  readonly data: object;
}

type Choose = (choices: Choices) => Choices;

const numbered = (answers: readonly Omit<Answer, 'key'>[]): Answer[] =>
  answers.map((answer, index) => ({ ...answer, key: String(index + 1) }));

const numberOrStop = 'Number, or Enter to stop';

/** How a file that is not UTF-8 is read: the usual encodings, each with a text of the file. */
export function encodingQuestion(name: string, { encoding, head }: Facts): Question[] {
  if (encoding !== undefined) return [];
  const names = head.subarray(0, 2).includes(0)
    ? ['utf-16le', 'utf-16be']
    : ['windows-1252', 'windows-1250', 'windows-1251', 'shift_jis', 'utf-8'];
  return [
    {
      title: `${name} is not UTF-8. In which encoding does its text look right?`,
      pass: 'pass --encoding, such as --encoding windows-1252:',
      prompt: numberOrStop,
      answers: numbered(
        names.map(encoding => ({
          text: `${encoding.padEnd(14)}${sampleOf(head, encoding)}`,
          choose: choices => ({ ...choices, encoding }),
          data: { encoding, sample: sampleOf(head, encoding) },
        })),
      ),
    },
  ];
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
export function headerQuestion(name: string, layout: Layout, { headerLine }: Choices): Question[] {
  if (layout.headerLine !== undefined || headerLine !== undefined) return [];
  const lines = headerCandidates(layout).map(({ line, text }) => ({
    line,
    text: `line ${line}: ${shown(text)}`,
  }));
  return [
    {
      title: `Which line of ${name} names the columns?`,
      pass: 'pass --header-line NUMBER, or --header-line 0 if none does:',
      prompt: numberOrStop,
      answers: numbered(
        [...lines, { line: 0, text: 'none: they are called column 1, column 2 …' }].map(({ line, text }) => ({
          text,
          choose: choices => ({ ...choices, headerLine: line }),
          data: { headerLine: line, text },
        })),
      ),
    },
  ];
}

const add =
  (list: 'map' | 'mailable', text: string): Choose =>
  choices => ({ ...choices, [list]: [...(choices[list] ?? []), text] });

/** Which column contains the email. */
export function emailQuestion({ header, values }: Survey, columns: readonly Column[]): Question[] {
  if (columns.some(({ field }) => field === 'email')) return [];
  const addresses = (column: Values | undefined) =>
    [...(column?.texts.values() ?? [])].filter(({ text }) => isAddress(text)).length;
  const likely = header
    .map((name, index) => ({ name, values: values[index], count: addresses(values[index]) }))
    .sort((one, other) => other.count - one.count);
  const answers = likely.slice(0, maxColumns).map(({ name, values: column }) => ({
    text: `${shown(name)}: ${samplesOf(column)}`,
    choose: add('map', `${name}=email`),
    data: { column: name },
  }));
  return [
    {
      title: 'Which column contains the email?',
      pass: `pass --map "COLUMN=email", such as --map ${quoted(`${likely[0]?.name}=email`)}:`,
      prompt: numberOrStop,
      answers: numbered(answers),
    },
  ];
}

/** Columns to choose from, the likeliest first, and values that are shown of each. */
const maxColumns = 20;
const maxSamples = 3;

function samplesOf(values: Values | undefined): string {
  const texts = [...(values?.texts.values() ?? [])].slice(0, maxSamples).map(({ text }) => shown(text));
  return texts.length === 0 ? 'empty' : texts.join(', ');
}

/** Who may be mailed. */
function audienceQuestion(survey: Survey, columns: readonly Column[], { mailable }: Choices): Question[] {
  if (mailable !== undefined) return [];
  const { groups, unlisted } = groupsOf(columns, survey);
  const answers = groups.map(group => ({
    text: `${shown(group.name)}  ${listOfValues(group.values)}${hintText(group)}`,
    choose: valuesQuestion(group.name, group.values),
    data: { column: group.name, values: group.values.map(([value, rows]) => ({ value, rows })) },
  }));
  const whole = {
    key: everyone,
    text: '',
    choose: add('mailable', everyone),
    data: { everyone: survey.rows },
  };
  const [which, prompt] =
    groups.length === 0
      ? [
          unlisted.length === 0 ? 'No column may say it.' : '',
          'Type "everyone" if the whole file agreed, or Enter to stop',
        ]
      : [
          'One of these columns may say it:',
          'A number, several ("1 2": all must agree), "everyone" if the whole file agreed, or Enter to stop',
        ];
  const mails = 'The service mails everybody who is imported, and cannot delete or unsubscribe them for you.';
  return [
    {
      title: `${mails}\nWho may be mailed? ${which}`.trimEnd(),
      pass:
        groups.length === 0
          ? 'pass --mailable everyone if the whole file agreed'
          : 'pass --mailable "COLUMN=VALUE,VALUE" with the values that mean yes (of several columns, all must agree), or --mailable everyone if the whole file agreed:',
      prompt,
      ...(unlisted.length > 0 && {
        note: `More columns, for --mailable "COLUMN=VALUE,VALUE": ${listed(unlisted)}`,
      }),
      isList: true,
      answers: [...numbered(answers), whole],
    },
  ];
}

const hintText = ({ name, hint }: Group): string =>
  hint === undefined || hint === name ? '' : `  ← says "${shown(hint)}"`;

/** Which values of a column mean yes. `title` is what makes it a question. */
function valuesQuestion(
  name: string,
  values: Group['values'],
  title = `${shown(name)}: which of these mean yes?`,
): Question {
  const letter = (index: number) => String.fromCharCode('a'.charCodeAt(0) + index);
  return {
    title,
    pass: `pass --mailable ${quoted(`${name}=VALUE,VALUE`)} with the values that mean yes:`,
    prompt: '',
    isInLine: true,
    isList: true,
    answers: values.map(([value, rows], index) => ({
      key: letter(index),
      text: shown(value),
      choose: chooseValue(name, value),
      data: { column: name, value, rows },
    })),
  };
}

const chooseValue =
  (column: string, value: string): Choose =>
  choices => {
    const start = `${column}=`;
    const mailable = choices.mailable ?? [];
    const text = listOf([value]);
    return mailable.some(one => one.startsWith(start))
      ? { ...choices, mailable: mailable.map(one => (one.startsWith(start) ? `${one},${text}` : one)) }
      : { ...choices, mailable: [...mailable, start + text] };
  };

/** What a column means in which rows to be sent say plainly that the person left. */
export function plainNoQuestion({ header, values }: Survey, { index, value, rows }: PlainNo): Question {
  const name = header[index] ?? '';
  // What plainly says that people left is no answer, so that no single letter mails them.
  const found = choicesOf(values[index]).filter(([text]) => text !== filledName && !saysLeft(text));
  const title = `${counted(rows, 'row')} to be sent: column "${name}" is "${shown(value)}".`;
  const any = {
    key: 'any',
    text: 'that does not matter (Enter stops)',
    choose: chooseValue(name, anyName),
    data: { column: name, value: anyName, rows },
  };
  const question = valuesQuestion(
    name,
    found,
    found.length === 0 ? title : `${title} Which of these mean yes?`,
  );
  return {
    ...question,
    pass: `pass --mailable ${quoted(`${name}=VALUE,VALUE`)} with the values that mean yes, or --mailable ${quoted(`${name}=${anyName}`)} if that column does not matter:`,
    answers: [...question.answers, any],
  };
}

function tagsQuestion({ commas: { cells, example } }: Survey, { tagSeparator }: Choices): Question[] {
  if (cells === 0 || tagSeparator !== undefined) return [];
  const answer = (separator: string, text: string) => ({
    text,
    choose: (choices: Choices) => ({ ...choices, tagSeparator: separator }),
    data: { tagSeparator: separator },
  });
  return [
    {
      title: `${counted(cells, 'row')} ${cells === 1 ? 'has' : 'have'} tags with commas, such as "${shown(example)}". What are the commas?`,
      pass: 'pass --tag-separator "," or --tag-separator ";":',
      prompt: numberOrStop,
      answers: numbered([answer(',', 'they separate tags (,)'), answer(';', 'they are part of a tag (;)')]),
    },
  ];
}

function birthdaysQuestion({ birthdays }: Survey, { birthdays: order }: Choices): Question[] {
  const { 'day-first': days, 'month-first': months, either, example } = birthdays;
  if (days + months + either === 0 || order !== undefined) return [];
  const answer = (birthdays: BirthdayOrder, text: string) => ({
    text: `${birthdays.padEnd(12)}${text}`,
    choose: (choices: Choices) => ({ ...choices, birthdays }),
    data: { birthdays, text },
  });
  return [
    {
      title: `How are birthdays such as "${shown(example)}" written?`,
      pass: 'pass --birthdays:',
      prompt: numberOrStop,
      answers: numbered([
        answer('day-first', `reads ${counted(days + either, 'birthday')}`),
        answer('month-first', `reads ${counted(months + either, 'birthday')}`),
        answer('skip', 'leaves these birthdays out'),
      ]),
    },
  ];
}

/** Returns what the rows of a file leave open. */
export function openQuestions(survey: Survey, choices: Choices): Question[] {
  const columns = mapColumns(survey.header, choices);
  return [
    ...tagsQuestion(survey, choices),
    ...birthdaysQuestion(survey, choices),
    ...audienceQuestion(survey, columns, choices),
  ];
}
