import { counted, quoted } from '../command-line.ts';
import type { Audience, Words } from './audience.ts';
import type { Survey } from './survey.ts';
import { typed } from './values.ts';

/** Something that only the user knows, and the options that say it. What permits somebody is only a pattern. */
export interface Open {
  readonly what: string;
  readonly add: readonly string[];
}

const pattern = '--mailable "COLUMN=VALUE,VALUE"   (only rows with these values go)';

/** Returns an option that keeps out whoever left, by plain words. */
const unless = ({ column, values, others }: Words): string =>
  `--unless ${quoted(`${column}=${[...values, ...others].map(typed).join(',')}`)}   (they stay out)`;

/** Returns what the options leave open, when all rows were read; with `isLogged`, without a cell of the file. */
export function openOf(survey: Survey, audience: Audience, isLogged: boolean): Open[] {
  const { columns, values, rows, birthday, choices } = survey;
  if (rows === 0) return [];
  const open: Open[] = [];
  if (columns.every(({ field }) => field !== 'email')) {
    const withMost = columns
      .map(({ name }, index) => ({ name, addresses: values[index]?.addresses ?? 0 }))
      .reduce((one, other) => (other.addresses > one.addresses ? other : one));
    open.push({
      what: 'Which column is the email?',
      add: [`--map ${quoted(`${withMost.addresses > 0 ? withMost.name : 'COLUMN'}=email`)}`],
    });
  }
  if (birthday !== '' && choices.birthdays === undefined) {
    const name = columns.find(({ field }) => field === 'birthday')?.name ?? '';
    const example = isLogged ? '' : ` such as "${birthday}"`;
    open.push({
      what: `How are birthdays${example} written?`,
      add: [
        '--birthdays day-first',
        '--birthdays month-first',
        `--map ${quoted(`${name}=`)}   (leaves them out)`,
      ],
    });
  }
  if (audience.isSaid) return [...open, ...audience.words.map(openWords)];
  const isPartlySaid = choices.unless !== undefined || choices.except !== undefined;
  open.push({
    what: `${isPartlySaid ? 'Who of the others may be mailed? --mailable is missing.' : 'Who may be mailed?'} Everybody who is imported can be mailed by the service, and only the service can stop that.`,
    add: [
      ...audience.words.map(unless),
      pattern,
      'or write yes in a column mailable, for each person who agreed',
    ],
  });
  return open;
}

/** Returns what a column leaves open that says of rows to be sent that people left. */
const openWords = (words: Words): Open => ({
  what: `${counted(words.rows, 'row')} to be sent: column "${words.column}" is ${words.values.map(value => `"${value}"`).join(' or ')}.`,
  add: [
    unless(words),
    pattern,
    `or, if ${quoted(words.column)} is not about email, see in --help how to say so`,
  ],
});
