import { counted, quoted } from '../command-line.ts';
import { visible } from '../csv.ts';
import type { Audience } from './audience.ts';
import { saysLeft } from './plain-words.ts';
import { groupsOf, type Survey } from './survey.ts';
import { typed } from './values.ts';

/** Something that only the user knows, and the options that say it. What permits somebody is only a pattern. */
export interface Open {
  readonly what: string;
  readonly add: readonly string[];
}

const pattern = '--mailable "COLUMN=VALUE,VALUE"';

/** Returns what the options leave open; with `isLogged`, without a cell of the file. */
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
      add: [`--map ${quoted(`${withMost.addresses > 0 ? visible(withMost.name) : 'COLUMN'}=email`)}`],
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
        `--map ${quoted(`${visible(name)}=`)}   (leaves them out)`,
      ],
    });
  }
  if (!audience.isSaid)
    open.push({
      what: 'Who may be mailed? Everybody who is imported can be mailed by the service, and only the service can stop that.',
      add: [
        ...unlessWords(survey),
        `${pattern}   (only rows with these values go)`,
        'or write yes in a column mailable, for each person who agreed',
      ],
    });
  return open;
}

/** Returns options that keep out who left by plain words in columns with few values. */
const unlessWords = (survey: Survey): string[] =>
  groupsOf(survey).flatMap(({ name, list }) => {
    const words = list.filter(({ key }) => saysLeft(key)).map(({ value }) => value);
    return words.length > 0
      ? `--unless ${quoted(`${visible(name)}=${words.join(',')}`)}   (they stay out)`
      : [];
  });

/** Returns what rows that would be sent leave open. */
export const openWordsOf = (audience: Audience): Open[] =>
  audience.words.map(({ column, values, rows }) => ({
    what: `${counted(rows, 'row')} to be sent: column "${column}" is ${values.map(value => `"${value}"`).join(' or ')}.`,
    add: [
      `--unless ${quoted(`${column}=${values.map(typed).join(',')}`)}   (they stay out)`,
      `${pattern}   (only rows with these values go)`,
      'or see --help if this column says nothing about email',
    ],
  }));
