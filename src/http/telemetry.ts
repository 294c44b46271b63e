import type { Attempt, Issue } from '../errors.ts';
import { type CallState, eventOf } from './call-state.ts';
import { quietly } from './quietly.ts';

/** One attempt of a call. Holds no key, no query and no body. */
export interface AttemptEvent {
  /** Operation, such as `tags.create`. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /** Scheme, host and port that the request goes to: `https://api.example.com`. */
  readonly origin: string;
  /** Path without the query, as the service receives it: `/api/v1/rest/list/list_1`. */
  readonly path: string;
  /** Path with its parameters not replaced: `/api/v1/rest/list/{identifier}`. One per operation. */
  readonly template: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Number that all events of one call share, unique in this process. */
  readonly callId: number;
}

/** A call that succeeded, with its last attempt; `waitMs` is the wait before that attempt. */
export interface ResponseEvent extends AttemptEvent, Attempt {}

/** A failed attempt that is retried; `waitMs` is the wait that begins now. */
export interface RetryEvent extends AttemptEvent, Attempt {}

/** A call that failed; `attempt` is the number of attempts made. */
export interface ErrorEvent extends AttemptEvent {
  /** Error that the call rejects with: one of this library, or your own `signal.reason`. */
  readonly error: unknown;
}

/** Functions called during a call. Their return values and errors are ignored. */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: ((event: AttemptEvent) => void) | undefined;
  /** Called when a call succeeds. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called after a failed attempt that is retried. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called when a call fails or is aborted. Not called for an input that is refused before sending. */
  readonly onError?: ((event: ErrorEvent) => void) | undefined;
}

/** Least important level that is logged. Each level includes those before it. */
export type LogLevel = 'off' | 'warn' | 'info' | 'debug';

/** Receives log lines, as `console` does. */
export interface Logger {
  /** Logs a response that differs from what is documented. */
  warn(message: string, fields: object): void;
  /** Logs a retry, or a failed call. */
  info(message: string, fields: object): void;
  /** Logs a request or a response. */
  debug(message: string, fields: object): void;
}

/** Log levels at which something is logged, the least verbose first. */
export const loggedLevels = ['warn', 'info', 'debug'] as const satisfies readonly LogLevel[];

/** Log levels, the least verbose first. */
export const logLevels: readonly LogLevel[] = ['off', ...loggedLevels];

/** Place where a usable response differs from what is documented. */
export interface Drift extends Issue {
  /** Operation whose response differs. */
  readonly operation: string;
}

type Event = AttemptEvent | ResponseEvent | RetryEvent | ErrorEvent;

type EventName = keyof typeof eventKinds;

/** Details of an event beyond those that every event of a call has. */
type EventDetails = Partial<ResponseEvent & ErrorEvent>;

/** Hook and log level of each event. */
const eventKinds = {
  request: { hook: 'onRequest', level: 'debug' },
  response: { hook: 'onResponse', level: 'debug' },
  retry: { hook: 'onRetry', level: 'info' },
  error: { hook: 'onError', level: 'info' },
} as const;

interface Channel {
  readonly hasSubscribers: boolean;
  publish(message: unknown): void;
}

/** The modules of Node, as a runtime that has them shows them. */
interface GlobalWithModules {
  readonly process: {
    getBuiltinModule(id: 'node:diagnostics_channel'): { channel(name: string): Channel };
  };
}

/** Returns a channel of `node:diagnostics_channel` where the runtime has it, without an import that bundlers follow. */
function diagnosticsChannel(name: EventName): Channel | undefined {
  try {
    const { process } = globalThis as unknown as GlobalWithModules;
    return process.getBuiltinModule('node:diagnostics_channel').channel(`email-marketing-client:${name}`);
  } catch {
    return undefined;
  }
}

/** Reports what calls do to hooks, the log and diagnostics channels. */
export class Telemetry {
  readonly #hooks: Hooks;
  readonly #logger: Logger;
  readonly #level: number;
  readonly #channels: Readonly<Record<EventName, Channel | undefined>>;

  constructor(hooks: Hooks, logger: Logger, level: LogLevel) {
    this.#hooks = hooks;
    this.#logger = logger;
    this.#level = logLevels.indexOf(level);
    this.#channels = {
      request: diagnosticsChannel('request'),
      response: diagnosticsChannel('response'),
      retry: diagnosticsChannel('retry'),
      error: diagnosticsChannel('error'),
    };
  }

  /** Reports an event of a call, which is made only if anything receives it. */
  report(name: EventName, call: CallState, details?: EventDetails): void {
    const { hook, level } = eventKinds[name];
    if (
      this.#hooks[hook] !== undefined ||
      this.#level >= logLevels.indexOf(level) ||
      this.#channels[name]?.hasSubscribers === true
    )
      this.#publish(name, { ...eventOf(call), ...details });
  }

  #publish(name: EventName, event: Event): void {
    const { hook, level } = eventKinds[name];
    quietly(() => (this.#hooks[hook] as ((event: Event) => unknown) | undefined)?.(event));
    quietly(() => this.#channels[name]?.publish(event));
    this.log(level, `${event.operation} ${name}`, event);
  }

  /** Writes a log line if its level is logged. */
  log(level: Exclude<LogLevel, 'off'>, message: string, fields: object): void {
    if (this.#level >= logLevels.indexOf(level))
      quietly(() => this.#logger[level](`email-marketing-client: ${message}`, fields));
  }
}
