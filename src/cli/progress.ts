import type { Context } from './surroundings.ts';
import { drawLine, endLine, print } from './terminal.ts';

export interface Progress {
  /** Counts what was done since then. */
  add(count: number): void;
  /** Shows the last state, and ends the line. */
  [Symbol.dispose](): void;
}

const redrawMs = 100;
/** Without a terminal, a line is printed so often: servers end a job that prints nothing for minutes. */
const lineMs = 30_000;
/** What takes no longer shows no progress of reading. */
const quietMs = 500;
const tickMs = 500;

/**
 * Shows progress on standard error: on a terminal, in a line that is drawn again and again; otherwise, in a new line from
 * time to time, also while nothing happens.
 * @param verb What is done to the records, such as `Exported`.
 * @param total Number of all records, if it is known.
 */
export const startProgress = (context: Context, verb: string, total: number | undefined): Progress =>
  show(context, context.stderr.isTTY ? 0 : lineMs, (done, perSecond) => {
    const of = total === undefined ? '' : ` of ${total}${timeLeft(done, total, perSecond)}`;
    return `${verb} ${done}${of}, ${Math.round(perSecond)}/s`;
  });

/** Shows how many bytes have been read, if it takes more than half a second. */
export const startReading = (context: Context, verb: string, total: number): Progress =>
  show(
    context,
    quietMs,
    (done, perSecond) =>
      `${verb} ${megabytes(done)} of ${megabytes(total)} MB${timeLeft(done, total, perSecond)}`,
  );

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

function show(
  context: Context,
  firstAfterMs: number,
  format: (done: number, perSecond: number) => string,
): Progress {
  const { stderr, now } = context;
  const isTerminal = stderr.isTTY === true;
  const startedAt = now();
  let done = 0;
  let nextAt = startedAt + firstAfterMs;
  let isOpen = true;
  let hasDrawn = false;
  const draw = () => {
    hasDrawn = true;
    nextAt = now() + (isTerminal ? redrawMs : lineMs);
    const text = format(done, (done * 1000) / Math.max(now() - startedAt, 1));
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
      if (isOpen) drawIfDue();
    },
    [Symbol.dispose]() {
      if (!isOpen) return;
      isOpen = false;
      clearInterval(timer);
      if (!isTerminal || (!hasDrawn && firstAfterMs > 0)) return;
      draw();
      endLine(context);
    },
  };
}

function timeLeft(done: number, total: number, perSecond: number): string {
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  const seconds = Math.ceil((total - done) / perSecond);
  const time = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return ` (${percent}%), ${perSecond > 0 ? time : '?'} left`;
}
