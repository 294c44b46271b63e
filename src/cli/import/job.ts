import type { InputFile } from '../input-file.ts';
import type { Context } from '../surroundings.ts';
import { findColumn } from './mapping.ts';

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

/** The user's answers about values of a column, as `COLUMN=VALUE` or `COLUMN=`. */
export type Answers = ReadonlyMap<string, 'mailable' | 'opted-out'>;

/**
 * Returns the answers of earlier runs and of the command line, which replace them: those for a whole column all of that
 * column. If one value has both, the person is not mailed; of an import that is discarded, who opted out is remembered.
 * @param header Names of the columns, if there are answers of earlier runs.
 */
export function answersOf(
  { mailable = [], optedOut = [], discard = false }: ImportFlags,
  earlier: Answers = new Map(),
  header: readonly string[] = [],
): Answers {
  const now: Answers = new Map([
    ...mailable.map(text => [text, 'mailable'] as const),
    ...optedOut.map(text => [text, 'opted-out'] as const),
  ]);
  const read = (text: string) => findColumn(text, header);
  const columns = [...now.keys()].map(read).flatMap(found => (found?.value === '' ? found.index : []));
  const isKept = (text: string) => !now.has(text) && !columns.includes(read(text)?.index ?? -1);
  const kept = [...earlier].filter(
    ([text, verdict]) => isKept(text) && (!discard || verdict === 'opted-out'),
  );
  return new Map([...kept, ...now]);
}
