import { quoted } from '../command-line.ts';
import type { InputFile } from '../input-file.ts';
import type { Context } from '../surroundings.ts';

/** What only the user knows of a file. */
export interface Choices {
  /** Who may be mailed: `COLUMN=VALUE,VALUE`. */
  readonly mailable?: readonly string[];
  /** Who stays out: `COLUMN=VALUE,VALUE`. */
  readonly unless?: readonly string[];
  /** Files of people who stay out. */
  readonly except?: readonly string[];
  /** Files of people who came back after an earlier import had left them out. */
  readonly readmit?: readonly string[];
  /** Columns in which plain words stop nothing. */
  readonly ignoreWordsIn?: readonly string[];
  /** Columns and their fields, as `COLUMN=FIELD`. */
  readonly map?: readonly string[];
  readonly birthdays?: BirthdayOrder;
  readonly tagSeparator?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
}

type BirthdayOrder = 'day-first' | 'month-first';

/** Options that say how the command runs. */
export interface RunFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly again?: boolean;
  readonly concurrency: number;
  readonly json?: boolean;
}

/** One run of the command. */
export interface Job {
  readonly file: InputFile;
  readonly choices: Choices;
  readonly flags: RunFlags;
  readonly context: Context;
}

/** Returns choices as they are written on a command line. */
export const optionsOf = (choices: Choices): string =>
  Object.entries(choices)
    .flatMap(([name, value]) => {
      const option = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
      if (value === '\t') return [`${option} tab`];
      return [value].flat().map(text => `${option} ${/^[\w-]+$/.test(text) ? text : quoted(String(text))}`);
    })
    .join(' ');
