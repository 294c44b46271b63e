import type { EmailMarketingClient } from '../../index.ts';
import type { InputFile } from '../input-file.ts';
import type { Context } from '../surroundings.ts';
import type { Journal } from './journal.ts';
import type { Survey } from './survey.ts';

export interface ImportFlags {
  readonly map?: readonly string[];
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly tagSeparator?: string;
  readonly dateFormat?: string;
  readonly includeOptedOut?: boolean;
  readonly optedOut?: readonly string[];
  readonly mailable?: readonly string[];
  readonly badBirthdays: 'reject' | 'skip';
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly concurrency: number;
  readonly perSecond?: number;
  readonly restart?: boolean;
  readonly discard?: boolean;
  readonly newKey?: boolean;
  readonly journal?: string;
  readonly json?: boolean;
}

/** The user's answer about values of a column, as `COLUMN=VALUE` or `COLUMN=`. */
export interface Answer {
  readonly verdict: 'mailable' | 'opted-out';
  readonly text: string;
  /** It was given to an earlier run. */
  readonly isEarlier?: true;
}

/** One import: what is sent, to whom, and what has become of it. */
export interface Import {
  readonly path: string;
  readonly file: InputFile;
  readonly flags: ImportFlags;
  readonly survey: Survey;
  readonly journal: Journal;
  readonly client: EmailMarketingClient;
  /** Host and team, as text. */
  readonly target: string;
  readonly context: Context;
}
