import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Logger, RetryEvent } from '../index.ts';
import { UsageError } from './command-line.ts';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

export interface Styled {
  readonly style: Style;
  readonly text: string;
}

export type Line = string | Styled | readonly (string | Styled)[];

/** Returns text with a style for terminals, unless `NO_COLOR` is set. */
export const styled = (style: Style, text: string): Styled => ({ style, text });

/** Control characters (C0 and C1), line and paragraph separators, and marks that change the direction of text. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Replaces everything in a line that a terminal would interpret. */
const printable = (text: string): string => {
  const shown = text.replace(controls, '\ufffd');
  return hasUnicode() ? shown : shown.replace(/[→✓✗…]/g, sign => asciiSigns[sign] ?? sign);
};

/** Replacements for terminals without Unicode. */
const asciiSigns: Readonly<Record<string, string>> = {
  '→': '->',
  '✓': 'ok',
  '✗': 'x',
  '…': '...',
};

function hasUnicode(): boolean {
  const { env, platform } = process;
  if (platform === 'win32') return Boolean(env.WT_SESSION || env.TERM_PROGRAM || env.TERM);
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '');
}

/** Prints lines. The commands print only with this file, which replaces control characters. */
export function print(stream: NodeJS.WriteStream, lines: readonly Line[]): void {
  stream.write(lines.map(line => `${formatLine(stream, line)}\n`).join(''));
}

function formatLine(stream: NodeJS.WriteStream, line: Line): string {
  const colored = stream.isTTY === true && !process.env.NO_COLOR;
  const parts = Array.isArray(line) ? line : [line];
  return parts
    .map((part: string | Styled) => {
      if (typeof part === 'string') return printable(part);
      const text = printable(part.text);
      return colored ? styleText(part.style, text, { validateStream: false }) : text;
    })
    .join('');
}

/** Returns a logger that prints a wait once, not for each of the calls that wait, and in place of a line of progress. */
export function waitLogger(): Logger {
  const { stderr } = process;
  let quietUntil = 0;
  return {
    warn(_message, fields) {
      const { waitMs = 0, status = 'no response' } = fields as Partial<RetryEvent>;
      if (performance.now() < quietUntil) return;
      quietUntil = performance.now() + waitMs;
      if (stderr.isTTY) stderr.write('\r\u001b[K');
      print(stderr, [`Waiting ${Math.ceil(waitMs / 1000)} s before a retry (${status}).`]);
    },
    info: console.info,
    debug: console.debug,
  };
}

/** Prints a value as one line of JSON on standard output, with control characters escaped. */
export function printJson(value: unknown): void {
  const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
  process.stdout.write(`${JSON.stringify(value).replace(controls, escaped)}\n`);
}

/** Writes data to standard output, unchanged unless it is a terminal. Resolves when it is written. */
export function writeData(text: string): Promise<void> {
  const shown = process.stdout.isTTY ? text.split('\n').map(printable).join('\n') : text;
  return new Promise((resolve, reject) => {
    process.stdout.write(shown, error => (error ? reject(error) : resolve()));
  });
}

/**
 * Asks a yes-or-no question.
 * @throws UsageError if standard input is not a terminal.
 */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError(
      'nothing was sent, because standard input is not a terminal where you could confirm it; to send, add --yes',
    );
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // The prompt receives Ctrl-C in place of the process.
  prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const typed = await prompt.question(`${printable(question)} [y/N] `, { signal });
    return /^y(es)?$/i.test(typed.trim());
  } finally {
    prompt.close();
  }
}

export interface Progress {
  update(done: number): void;
  /** Shows the last state, and ends the line. */
  stop(): void;
}

const redrawMs = 100;

/**
 * Shows progress on standard error if it is a terminal.
 * @param verb What is done to the records, such as `Exported`.
 * @param before Number of records that an earlier run processed.
 * @param total Number of all records, if it is known.
 */
export function startProgress(verb: string, before: number, total: number | undefined): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { update() {}, stop() {} };
  const startedAt = performance.now();
  let [done, drawnAt, stopped] = [before, Number.NEGATIVE_INFINITY, false];
  const draw = () => {
    drawnAt = performance.now();
    const perSecond = ((done - before) * 1000) / Math.max(drawnAt - startedAt, 1);
    const text = `${verb} ${progressText(done, total, perSecond)}, ${Math.round(perSecond)}/s`;
    stderr.write(`\r${text}\u001b[K`);
  };
  return {
    update(now) {
      done = now;
      if (performance.now() - drawnAt >= redrawMs) draw();
    },
    stop() {
      if (stopped) return;
      stopped = true;
      draw();
      stderr.write('\n');
    },
  };
}

function progressText(done: number, total: number | undefined, perSecond: number): string {
  if (total === undefined) return String(done);
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  const seconds = Math.ceil((total - done) / perSecond);
  const time = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  const left = perSecond > 0 ? time : '?';
  return `${done} of ${total} (${percent}%), ${left} left`;
}
