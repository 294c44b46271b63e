import { SingleBar } from 'cli-progress';
import { stylesFor } from './color.ts';

/** Progress that is shown while a command works. */
export interface Progress {
  /** Records done so far, and how many there are, once that is known. */
  update(done: number, total: number | undefined): void;
  /** Leaves the last state on the screen. */
  stop(): void;
}

const barWidth = 30;
const secondsPerMinute = 60;
const minutesPerHour = 60;
const redrawsPerSecond = 10;

/**
 * Shows a bar with rate and remaining time on standard error, and nothing where that is no terminal.
 * @param verb What is done to the records, such as `Exported`.
 * @param before Records that an earlier run did: they count towards the bar, and not towards the rate.
 */
export function startProgress(verb: string, before: number, total: number | undefined): Progress {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const startedAt = performance.now();
  let now = { done: before, total };
  const format = (): string => line(verb, now.done, now.total, (now.done - before) / secondsSince(startedAt));
  const bar = new SingleBar({
    format,
    stream: process.stderr,
    hideCursor: true,
    fps: redrawsPerSecond,
    gracefulExit: false,
  });
  bar.start(total ?? 0, before);
  return {
    update(done, newTotal) {
      now = { done, total: newTotal };
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

const secondsSince = (startedAt: number): number => Math.max((performance.now() - startedAt) / 1000, 0.001);

/** Returns one state of the bar as text. */
function line(verb: string, done: number, total: number | undefined, perSecond: number): string {
  const style = stylesFor(process.stderr);
  const rate = `${Math.round(perSecond)}/s`;
  if (total === undefined) return `${verb} ${done} | ${rate} | counting`;
  const all = Math.max(total, done);
  const part = all === 0 ? 1 : done / all;
  const filled = Math.round(part * barWidth);
  const bar = style('cyan', '█'.repeat(filled)) + style('dim', '░'.repeat(barWidth - filled));
  const left = perSecond > 0 ? duration((all - done) / perSecond) : '?';
  return `${verb} ${bar} ${Math.floor(part * 100)}% | ${done} of ${all} | ${rate} | ${left} left`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < secondsPerMinute) return `${whole} s`;
  const minutes = Math.ceil(whole / secondsPerMinute);
  if (minutes < minutesPerHour) return `${minutes} min`;
  return `${Math.floor(minutes / minutesPerHour)} h ${minutes % minutesPerHour} min`;
}
