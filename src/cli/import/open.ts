import { counted, quoted } from '../command-line.ts';
import { visible } from '../csv.ts';
import { type Audience, everyone } from './audience.ts';
import { listOf } from './options.ts';
import type { Survey } from './survey.ts';

/** Something that only the user knows, and the options that say it. */
export interface Open {
  readonly what: string;
  readonly add: readonly string[];
}

/** Returns what the options leave open. */
export function openOf(
  { columns, values, rows, people, birthdays, choices }: Survey,
  audience: Audience,
): Open[] {
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
  if (birthdays.example !== '' && choices.birthdays === undefined) {
    const name = columns.find(({ field }) => field === 'birthday')?.name ?? '';
    open.push({
      what: `How are birthdays such as "${birthdays.example}" written?`,
      add: [
        '--birthdays day-first',
        '--birthdays month-first',
        `--map ${quoted(`${visible(name)}=`)} (leaves them out)`,
      ],
    });
  }
  if (!audience.isSaid)
    open.push({
      what: 'Who may be mailed? The service mails everybody who is imported, and cannot delete or unsubscribe them for you.',
      add: [
        '--mailable "COLUMN=VALUE,VALUE" (rows with these values; several columns must all agree)',
        `--mailable ${everyone} (all ${people > 0 ? `${people} people` : 'people'} agreed), perhaps with --unless "COLUMN=VALUE,VALUE" (rows with these values stay out)`,
      ],
    });
  return open;
}

/** Returns what rows that would be sent leave open. */
export const refusalsOf = (audience: Audience): Open[] =>
  audience.refusals.map(({ column, values, rows }) => ({
    what: `${counted(rows, 'row')} to be sent: column "${column}" is ${values.map(value => `"${value}"`).join(' or ')}.`,
    // First what permits: of the other values, nobody has said that they are a yes.
    add: [
      `--mailable ${quoted(`${column}=VALUE,VALUE`)} (only rows with these values go)`,
      `--unless ${quoted(`${column}=${listOf(values)}`)} (they alone stay out)`,
      `--unless ${quoted(`${column}=`)} (this column decides nothing)`,
    ],
  }));
