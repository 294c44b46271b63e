/** Progress on standard error: a bar on a terminal, and a plain line now and then elsewhere. */
import { SingleBar } from 'cli-progress';

const secondsBetweenLines = 5;

/**
 * @param {string} verb what is done to the records, such as `exported`
 * @param {{ total: number, done?: number, stream?: NodeJS.WriteStream }} options `done`: where an earlier run stopped
 */
export function startProgress(verb, { total, done: before = 0, stream = process.stderr }) {
  const startedAt = performance.now();
  const rateAt = done => (done - before) / ((performance.now() - startedAt) / 1000);
  if (stream.isTTY) {
    const format = `${verb} [{bar}] {percentage}% | {value} of {total} | {rate}/s | {eta_formatted} left{note}`;
    const bar = new SingleBar({ format, stream, hideCursor: true, etaBuffer: 1000, gracefulExit: false });
    bar.start(total, before, { rate: 0, note: '' });
    return {
      update(done, note = '') {
        if (done > bar.getTotal()) bar.setTotal(done);
        bar.update(done, { rate: Math.round(rateAt(done)), note: note && ` | ${note}` });
      },
      stop: () => bar.stop(),
    };
  }
  let nextLineAt = startedAt + secondsBetweenLines * 1000;
  return {
    update(done, note = '') {
      if (performance.now() < nextLineAt) return;
      nextLineAt = performance.now() + secondsBetweenLines * 1000;
      const rate = rateAt(done);
      const left = rate > 0 ? `, about ${Math.ceil(Math.max(0, total - done) / rate)} s left` : '';
      stream.write(
        `${verb} ${done} of ${Math.max(done, total)}, ${Math.round(rate)}/s${left}${note && `, ${note}`}\n`,
      );
    },
    stop() {},
  };
}
