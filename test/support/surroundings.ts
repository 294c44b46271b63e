// The environment, streams and clock of a command that runs in the process of the tests.
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { Context, Environment, Input } from '../../src/cli/surroundings.ts';

/** A stream that keeps the text written to it, and emits `text` after each write. */
class TextStream extends Writable {
  readonly isTTY: boolean;
  text = '';

  constructor(isTTY = false) {
    super({
      write: (chunk, _encoding, done) => {
        this.text += String(chunk);
        this.emit('text');
        done();
      },
    });
    this.isTTY = isTTY;
  }
}

/** Surroundings of a command, with streams that are terminals if `isTTY`. */
export function surroundings({
  env = {},
  isTTY = false,
  stdin = Readable.from([]),
}: {
  readonly env?: Environment;
  readonly isTTY?: boolean;
  readonly stdin?: Input;
} = {}) {
  const stopped = new AbortController();
  const clock = { ms: 0 };
  return {
    name: 'email-marketing-client test',
    env,
    stdin: () => stdin,
    stdout: new TextStream(isTTY),
    stderr: new TextStream(isTTY || stdin.isTTY === true),
    signals: new EventEmitter(),
    signal: stopped.signal,
    /** Time of {@link Context.now}, which passes only when a test sets it. */
    clock,
    now: () => clock.ms,
  } satisfies Context & Record<string, unknown>;
}
