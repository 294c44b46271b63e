import type { Attempt, Issue } from '../errors.ts';

/** What is told of one attempt. Holds no key, no query and no body. */
export interface AttemptEvent {
  /** Such as `tags.create`. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /** Path without the query, as the service sees it: `/api/v1/rest/tag`. */
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
  /** A number that all events of one call share, and no other call of this process. */
  readonly callId: number;
}

/** A whole answer came; `waitMs` is the wait before the attempt. */
export interface ResponseEvent extends AttemptEvent, Attempt {}

/** An attempt failed and another follows; `waitMs` is the wait that begins now. */
export interface RetryEvent extends AttemptEvent, Attempt {}

/** A call failed for good; `attempt` counts the attempts that came to an end. */
export interface ErrorEvent extends AttemptEvent {
  /** What the caller is given: an error of this library, or your own `signal.reason`. */
  readonly error: unknown;
}

/** Functions called along a call. Return values are ignored, and an error thrown in one changes no call. */
export interface Hooks {
  /** Before each attempt. */
  readonly onRequest?: ((event: AttemptEvent) => void) | undefined;
  /** When a call succeeds. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** After an attempt that failed, when another follows. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** When a call fails for good, an abort included. Not called for an input that is refused before sending. */
  readonly onError?: ((event: ErrorEvent) => void) | undefined;
}

/** How much is logged: each level includes those before it. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

/** Where log lines go; `console` is one. */
export interface Logger {
  /** Not used by the library itself; here so that `console` and others fit. */
  error(message: string, fields: object): void;
  /** Answers that differ from what is documented. */
  warn(message: string, fields: object): void;
  /** Repeats, and calls that failed for good. */
  info(message: string, fields: object): void;
  /** Every attempt. */
  debug(message: string, fields: object): void;
}

/** The levels, least first. */
export const logLevels: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug'];

interface Events {
  readonly request: AttemptEvent;
  readonly response: ResponseEvent;
  readonly retry: RetryEvent;
  readonly error: ErrorEvent;
}

type EventName = keyof Events;

const kinds = {
  request: { hook: 'onRequest', level: 'debug' },
  response: { hook: 'onResponse', level: 'debug' },
  retry: { hook: 'onRetry', level: 'info' },
  error: { hook: 'onError', level: 'info' },
} as const;

interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

/** The part of Node's `process` that is used where it exists: code for browsers is compiled without Node's types. */
interface NodeProcess {
  getBuiltinModule?(name: 'node:diagnostics_channel'): { channel(name: string): Channel } | undefined;
}

/** `node:diagnostics_channel`, where the runtime has it, without an import that a bundler would follow. */
function channelOf(name: EventName): Channel | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  try {
    return process?.getBuiltinModule?.('node:diagnostics_channel')?.channel(`email-marketing-client:${name}`);
  } catch {
    return undefined;
  }
}

/** Tells hooks, log and diagnostics channels what happens. */
export class Observer {
  readonly #hooks: Hooks;
  readonly #logger: Logger;
  readonly #level: number;
  readonly #channels = new Map<EventName, Channel | undefined>();

  constructor(hooks: Hooks = {}, logger: Logger = console, level: LogLevel = 'warn') {
    this.#hooks = hooks;
    this.#logger = logger;
    this.#level = logLevels.indexOf(level);
    for (const name of Object.keys(kinds) as EventName[]) this.#channels.set(name, channelOf(name));
  }

  /** Whether anyone would hear of this; spares making the event. */
  hears(name: EventName): boolean {
    const { hook, level } = kinds[name];
    return (
      this.#hooks[hook] !== undefined ||
      this.#level >= logLevels.indexOf(level) ||
      this.#channels.get(name)?.hasSubscribers === true
    );
  }

  /** Tells everyone of an event. */
  tell<N extends EventName>(name: N, event: Events[N]): void {
    const { hook, level } = kinds[name];
    quietly(() => (this.#hooks[hook] as ((event: Events[N]) => void) | undefined)?.(event));
    quietly(() => this.#channels.get(name)?.publish(event));
    this.log(level, `${event.operation} ${name}`, event);
  }

  /** Writes one log line, if its level is wanted. */
  log(level: Exclude<LogLevel, 'off'>, message: string, fields: object): void {
    if (this.#level >= logLevels.indexOf(level))
      quietly(() => this.#logger[level](`email-marketing-client: ${message}`, fields));
  }
}

/** Runs what the user gave to watch with: it must not be able to break a call. */
export function quietly(run: () => unknown): void {
  try {
    const result = run();
    if (result instanceof Promise) result.catch(() => {});
  } catch {}
}

/** One place where an answer differs from what is documented, yet can be used. */
export interface Drift extends Issue {
  /** The operation whose answer it was. */
  readonly operation: string;
}
