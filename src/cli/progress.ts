import type { Context } from './surroundings.ts';
import { drawLine, endLine, eraseLine, print } from './terminal.ts';

export interface Progress {
  /** Adds what was done since the last call. */
  add(count: number): void;
  /** Shows the last state, and ends the line. */
  [Symbol.dispose](): void;
}

const redrawMs = 100;
/** Interval of lines without a terminal. Servers end a job that prints nothing for minutes. */
const lineMs = 30_000;
const tickMs = 500;

/**
 * Shows progress on standard error: on a terminal, in a line that is redrawn; otherwise, in a new line from time to time,
 * even while nothing happens.
 * @param verb What is done to the records, such as `Exported`.
 * @param total Number of all records, if it is known.
 */
export const startProgress = (context: Context, verb: string, total?: number): Progress =>
  show(context, true, (done, perSecond) => {
    const of = total === undefined ? '' : ` of ${total}${timeLeft(done, total, perSecond)}`;
    return `${verb} ${done}${of}, ${Math.round(perSecond)}/s`;
  });

/** Shows in the same way how much of a file has been read. On a terminal, the line disappears at the end. */
export const startReading = (context: Context, path: string, total: number): Progress =>
  show(context, false, done => `Reading ${path}: ${percentOf(done, total)}%`);

function show(
  context: Context,
  isKept: boolean,
  describe: (done: number, perSecond: number) => string,
): Progress {
  const { stderr, now } = context;
  const isTerminal = stderr.isTTY === true;
  const everyMs = isTerminal ? redrawMs : lineMs;
  const startedAt = now();
  let done = 0;
  let nextAt = isTerminal ? startedAt : startedAt + everyMs;
  const draw = () => {
    nextAt = now() + everyMs;
    const text = describe(done, (done * 1000) / Math.max(now() - startedAt, 1));
    if (isTerminal) drawLine(context, text);
    else print(context, [text]);
  };
  const drawIfDue = () => {
    if (now() >= nextAt) draw();
  };
  const timer = setInterval(drawIfDue, tickMs).unref();
  return {
    add(count) {
      done += count;
      drawIfDue();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      if (!isKept) return eraseLine(context);
      if (!isTerminal) return;
      draw();
      endLine(context);
    },
  };
}

const percentOf = (done: number, total: number): number =>
  total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));

function timeLeft(done: number, total: number, perSecond: number): string {
  const seconds = Math.ceil((total - done) / perSecond);
  const time = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return ` (${percentOf(done, total)}%), ${perSecond > 0 ? time : '?'} left`;
}
