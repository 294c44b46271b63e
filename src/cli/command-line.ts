import { CommanderError } from 'commander';
import {
  type ClientOptions,
  ConfigurationError,
  EmailMarketingError,
  InvalidRequestError,
} from '../index.ts';
import type { Context } from './surroundings.ts';

/** Why a command could not run, for programs. `docs/commands.md` describes each code. */
export type ErrorCode =
  | 'usage'
  | 'environment'
  | 'file'
  | 'confirmation'
  | 'service'
  | 'stopped'
  | 'unexpected';

/** Thrown if a command cannot run: `main` prints its message in one line and exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: ErrorCode;

  constructor(message: string, code: ErrorCode = 'usage') {
    super(message);
    this.code = code;
  }
}

export const doneExitCode = 0;
/** Exit code for rows or operations that failed. */
export const someFailedExitCode = 1;
/** Exit code of a command that could not run, or that stopped before the end. */
export const couldNotRunExitCode = 2;

const invalidValue = (flag: string, expected: string, text: string): UsageError =>
  new UsageError(`${flag} takes ${expected}, not ${JSON.stringify(text)}.`);

export const wholeNumber =
  (flag: string, least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw invalidValue(flag, `a whole number from ${least} to ${most}`, text);
  };

export const character =
  (flag: string) =>
  (text: string): string => {
    if (text === 'tab') return '\t';
    if (text.length === 1 && !/["\r\n]/.test(text)) return text;
    throw invalidValue(flag, 'one character, or tab', text);
  };

export const repeated = (value: string, earlier: readonly string[] = []) => [...earlier, value];

/** Returns a number with its noun: `1 row`, `2 rows`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Quotes text for a shell, which would expand parts of it in double quotes. */
export const quoted = (text: string): string =>
  /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;

/** Exit codes after signals, as two lines of the help. */
export const signalsHelp = `129 the terminal was closed, 130 stopped by Ctrl-C,
143 stopped by SIGTERM, as when a container stops.`;

/** Environment variables, with the option of the client that each sets, and their help. */
export const variables: readonly (readonly [name: string, option: keyof ClientOptions, help: string])[] = [
  ['EMAIL_MARKETING_BASE_URL', 'baseUrl', 'address of the service'],
  ['EMAIL_MARKETING_API_KEY', 'apiKey', 'API key of the team'],
  ['EMAIL_MARKETING_TEAM_ID', 'teamId', 'team id (import, check --write)'],
  ['EMAIL_MARKETING_LEGACY_BASE_URL', 'legacyBaseUrl', 'legacy address, if it differs'],
  ['EMAIL_MARKETING_LEGACY_API_KEY', 'legacyApiKey', 'legacy key, if it differs'],
  ['EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER', 'contactSearchParameter', 'name of the search parameter'],
  ['EMAIL_MARKETING_DANGEROUSLY_ALLOW_HTTP', 'dangerouslyAllowHttp', 'true allows http: for every host'],
  ['EMAIL_MARKETING_LOG', 'logLevel', 'minimum level to log, such as debug'],
];

/** End of the help of commands that call the service. */
export const environmentHelp = `

Environment:
${variables.map(([name, , help]) => `  ${name.padEnd(42)}${help}`).join('\n')}`;

const missing = 'does not exist. Check the name and the folder.';
const locked = 'cannot be opened. Close it in other programs, and check your permissions.';

/** What common errors of the file system mean. */
const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EACCES: locked,
  EPERM: locked,
  EBUSY: locked,
  EISDIR: 'is a folder, not a file.',
  ENOSPC: 'cannot be written, because the disk is full.',
};

/** Replaces the names of client options with the environment variables that set them here. */
const inCommandsWords = (message: string): string =>
  variables.reduce(
    (text, [name, option]) => text.replaceAll(new RegExp(`\\b${option}(?= (?:is|must) )`, 'g'), name),
    message,
  );

/** Ends a message of another program with a full stop. */
export const sentence = (text: string): string => text.replace(/(?<![.?!])$/, '.');

/** Returns the message of an error, or a sentence about the file for common errors of the file system. */
export function messageOf(error: unknown): string {
  if (ConfigurationError.isInstance(error)) return inCommandsWords(error.message);
  const { code = '', path = 'A file', message } = error as NodeJS.ErrnoException;
  // A failed connection can have a code of the file system, too.
  const problem = EmailMarketingError.isInstance(error) ? undefined : fileProblems[code];
  return problem === undefined ? sentence(message) : `${path} ${problem}`;
}

/** Returns the code of an error whose message {@link messageOf} returns. */
export function errorCodeOf(error: unknown): ErrorCode {
  if (error instanceof UsageError) return error.code;
  // The sandbox throws a RangeError for an invalid setting.
  const isInvalid = error instanceof CommanderError || error instanceof RangeError;
  if (isInvalid || InvalidRequestError.isInstance(error)) return 'usage';
  if (ConfigurationError.isInstance(error)) return 'environment';
  if (EmailMarketingError.isInstance(error)) return 'service';
  // Errors of the file system name the system call that failed.
  return Object(error).syscall === undefined ? 'unexpected' : 'file';
}

/** Runs a command's work, which resolves to the exit code, until it ends or a signal stops it. */
export type Run = (work: (context: Context) => Promise<number>) => Promise<void>;
