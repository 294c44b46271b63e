import type { InputFile } from '../input-file.ts';
import type { Context } from '../surroundings.ts';

/** One run of the command. */
export interface Job {
  readonly file: InputFile;
  /** Start of the names of the files that are written. */
  readonly path: string;
  readonly journalPath: string;
  readonly flags: ImportFlags;
  readonly context: Context;
}

/** Options of the command line. */
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

/** Returns the answers of the command line. If one value has both, the person is not mailed. */
export const answersOf = ({ mailable = [], optedOut = [] }: ImportFlags): Answer[] => [
  ...mailable.map(text => ({ verdict: 'mailable' as const, text })),
  ...optedOut.map(text => ({ verdict: 'opted-out' as const, text })),
];

/** Returns the answers without those that are repeated later. */
export function lastOfEach(answers: readonly Answer[]): readonly Answer[] {
  const last = new Map<string, Answer>();
  for (const answer of answers) {
    const key = answer.verdict + answer.text;
    last.delete(key);
    last.set(key, answer);
  }
  return [...last.values()];
}
