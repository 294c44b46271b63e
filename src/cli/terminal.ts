import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { CallRetryEvent, Logger } from '../index.ts';
import { UsageError } from './command-line.ts';
import type { Context, Surroundings } from './surroundings.ts';

/** Control characters (C0 and C1), line and paragraph separators, and marks that change the direction of text. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Replaces everything in a line that a terminal would interpret. The commands' own words are ASCII. */
const printable = (text: string): string => text.replace(unprintable, '\ufffd');

/**
 * Prints human-readable lines to standard error. Without a terminal, they begin with the name of the command, unless they are
 * indented and belong to the line before. Commands print only through this file, which replaces control characters.
 */
export function print({ name, stderr }: Context, lines: readonly string[]): void {
  const prefix = stderr.isTTY ? '' : `${name}: `;
  for (const line of lines) stderr.write(`${/^\s/.test(line) ? '' : prefix}${printable(line)}\n`);
}

/** Prints lines of a result to standard output. */
export const printResult = ({ stdout }: Surroundings, lines: readonly string[]): boolean =>
  stdout.write(lines.map(line => `${printable(line)}\n`).join(''));

/** Returns a logger that prints a wait once, however many calls wait, in place of the line of progress. */
export function waitLogger(context: Context): Logger {
  const { now } = context;
  const log = (message: string) => print(context, [message.replace(/^email-marketing-client: /, '')]);
  let quietUntil = 0;
  return {
    warn(_message, fields) {
      const { retryInMs = 0, status = 'no response' } = fields as Partial<CallRetryEvent>;
      if (now() < quietUntil) return;
      quietUntil = now() + retryInMs;
      eraseLine(context);
      log(`Waiting ${Math.ceil(retryInMs / 1000)} s before a retry (${status}).`);
    },
    info: log,
    debug: log,
  };
}

/** Prints a value as one line of JSON on standard output, with control characters escaped. */
export function printJson({ stdout }: Surroundings, value: unknown): void {
  const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  stdout.write(`${JSON.stringify(value).replace(unprintable, escaped)}\n`);
}

/** Thrown if the reader of standard output has closed it, as `head` does. */
export class ClosedPipeError extends Error {}

/**
 * Writes data to standard output, unchanged unless it is a terminal, where it takes the place of a line of progress.
 * Resolves when it is written.
 */
export function writeData(surroundings: Surroundings, text: string): Promise<void> {
  const { stdout } = surroundings;
  if (stdout.isTTY) eraseLine(surroundings);
  const shown = stdout.isTTY ? text.replace(/[^\n]+/g, line => printable(line)) : text;
  return new Promise((resolve, reject) => {
    stdout.write(shown, error => {
      if (!error) resolve();
      else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new ClosedPipeError() : error);
    });
  });
}

/** Asks if the command may continue, unless `--yes` was given. @throws UsageError that begins with `otherwise` if not. */
export async function requireConfirmed(context: Context, otherwise: string, yes = false): Promise<void> {
  if (yes) return;
  const { signal, signals, stderr } = context;
  const stdin = context.stdin();
  if (stdin.isTTY !== true || stderr.isTTY !== true)
    throw new UsageError(`${otherwise}, because there is no terminal to ask on. Add --yes.`, 'confirmation');
  const prompt = createInterface({ input: stdin, output: stderr, prompt: 'Continue? [y/N] ', signal });
  // The prompt receives Ctrl-C in place of the process.
  prompt.once('SIGINT', () => signals.emit('SIGINT', 'SIGINT'));
  prompt.prompt();
  // Ctrl-D ends the input.
  const [typed] = await Promise.race([once(prompt, 'line'), once(prompt, 'close')]);
  prompt.close();
  if (typed === undefined) endLine(context);
  signal.throwIfAborted();
  if (!/^\s*y(?:es)?\s*$/i.test(typed ?? '')) throw new UsageError(`${otherwise}.`, 'confirmation');
}

/** Draws a line of progress, in place of the one before. */
export const drawLine = ({ stderr }: Surroundings, text: string): boolean =>
  stderr.write(`\r${text}\u001b[K`);

/** Erases a line of progress, if there is one, so that another line takes its place. */
export function eraseLine({ stderr }: Surroundings): void {
  if (stderr.isTTY) stderr.write('\r\u001b[K');
}

export const endLine = ({ stderr }: Surroundings): boolean => stderr.write('\n');
