import { quoted } from '../command-line.ts';
import type { InputFile } from '../input-file.ts';
import type { Context } from '../surroundings.ts';

/** What only the user knows of a file. The journal keeps it, so that whoever resumes answers nothing twice. */
export interface Choices {
  readonly encoding?: string;
  readonly delimiter?: string;
  /** Columns and their fields, as `COLUMN=FIELD`. */
  readonly map?: readonly string[];
  /** Who may be mailed: `everyone`, or `COLUMN=VALUE,VALUE`. */
  readonly mailable?: readonly string[];
  /** Files of people who may not be mailed. */
  readonly except?: readonly string[];
  readonly birthdays?: BirthdayOrder;
  readonly tagSeparator?: string;
}

export type BirthdayOrder = 'day-first' | 'month-first' | 'skip';

/** Other options of the command line. */
export interface ImportFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly restart?: boolean;
  readonly onlyNew?: boolean;
  readonly concurrency: number;
  readonly json?: boolean;
}

/** One run of the command. */
export interface Job {
  readonly file: InputFile;
  /** Start of the names of the files that are written. */
  readonly path: string;
  /** Choices of the command line. */
  readonly given: Choices;
  readonly flags: ImportFlags;
  readonly context: Context;
}

/** Returns answers as they are written on a command line. */
export const optionsOf = (answers: Choices & Pick<ImportFlags, 'restart' | 'onlyNew'>): string[] =>
  Object.entries(answers).flatMap(([name, value]) => {
    const option = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
    if (typeof value === 'boolean') return value ? [option] : [];
    if (value === '\t') return [`${option} tab`];
    return [value].flat().map(text => `${option} ${/^[\w-]+$/.test(text) ? text : quoted(String(text))}`);
  });

/** Returns texts as the list that an option takes. In quotes, `=` is no end of a column's name. */
export const listOf = (texts: readonly string[]): string =>
  texts.map(text => (/[,="\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',');
