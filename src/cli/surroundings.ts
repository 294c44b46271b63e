import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** Standard input; `isTTY` if it is a terminal. */
export type Input = Readable & { readonly isTTY?: boolean };

/** Standard output or standard error; `isTTY` if it is a terminal. */
type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export type Environment = Readonly<Record<string, string | undefined>>;

/** The parts of the process that commands use. `src/cli.ts` passes the real one; tests pass their own. */
export interface Surroundings {
  readonly env: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Returns standard input, which is opened only if a command reads it. */
  stdin(): Input;
  /** Emits the signals of the system, such as `SIGINT`. */
  readonly signals: Pick<EventEmitter, 'on' | 'once' | 'off' | 'emit'>;
  /** Returns the time in milliseconds since 1970, from a clock that is never set back. */
  now(): number;
}

/** Surroundings of one run of a command. */
export interface Context extends Surroundings {
  /** Name of the program and of the command, with which lines for people begin. */
  readonly name: string;
  /** Aborted when a signal of the system stops the command. */
  readonly signal: AbortSignal;
}
