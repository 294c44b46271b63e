import type { Attempt, Issue, Outcome } from '../../errors.ts';
import { anObjectOf } from '../options/check-options.ts';
import { aFunction, type OptionRules } from '../options/rules.ts';

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

/** A call that has ended; `attempt` is the number of requests made. */
interface EndEvent extends AttemptEvent {
  /** Milliseconds of the whole call: queueing, attempts and waits together. */
  readonly durationMs: number;
  /** HTTP status of the last response; absent if none came. */
  readonly status?: number | undefined;
  /** Says if the service acted: `done` after a success, and otherwise as the error says. */
  readonly outcome: Outcome;
  /** Requests of the call, first to last; empty if nothing was sent. */
  readonly attempts: readonly Attempt[];
}

/** A call that succeeded. */
export interface ResponseEvent extends EndEvent {}

/** A failed attempt that is retried; `waitMs` is the wait that begins now. */
export interface RetryEvent extends AttemptEvent, Attempt {}

/** A call that failed. */
export interface ErrorEvent extends EndEvent {
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
  /** Called when a call fails or is aborted, also if its input is not valid. */
  readonly onError?: ((event: ErrorEvent) => void) | undefined;
}

/** Least important level that is logged. Each level includes those before it. */
export type LogLevel = 'off' | 'warn' | 'info' | 'debug';

/** Receives log lines, as `console` does. The message says everything that matters; the fields hold the same, and more. */
export interface Logger {
  /** Logs a response that differs from what is documented. */
  warn(message: string, fields: object): void;
  /** Logs a retry, or a failed call. */
  info(message: string, fields: object): void;
  /** Logs a request or a response. */
  debug(message: string, fields: object): void;
}

/** Log levels at which something is logged, the least verbose first. */
const loggedLevels = ['warn', 'info', 'debug'] as const satisfies readonly LogLevel[];

export const logLevels: readonly LogLevel[] = ['off', ...loggedLevels];

export const observerRules = (): OptionRules<'hooks' | 'logger'> => ({
  hooks: anObjectOf('hooks', {
    onRequest: aFunction,
    onResponse: aFunction,
    onRetry: aFunction,
    onError: aFunction,
  } satisfies OptionRules<keyof Hooks>),
  logger: {
    expected: `an object with the functions ${loggedLevels.join(', ')}, as console is`,
    isValid: value =>
      loggedLevels.every(level => typeof (value as Record<string, unknown> | null)?.[level] === 'function'),
  },
});

/** Mismatch between a usable response and its documentation. */
export interface Drift extends Issue {
  /** Operation whose response differs. */
  readonly operation: string;
}

/** What is reported of a call. */
export interface ReportedCall {
  /** Number of the call, unique in this process. */
  readonly id: number;
  readonly operation: { readonly name: string; readonly method: string; readonly path: string };
  /** Base URL of the interface. */
  readonly endpoint: { readonly url: URL };
  readonly request: { readonly path: string };
  readonly options: { readonly maxRetries: number };
  readonly redactor: { text(text: string): string };
  readonly attempts: readonly Attempt[];
  /** Time at which the call began, by `performance.now()`. */
  readonly startedAt: number;
}

/** Details of an event beyond those that every event of a call has. */
type EventDetails = Partial<RetryEvent & ErrorEvent>;

/** Reports what calls do to hooks and the log. */
export class Telemetry {
  readonly #hooks: Hooks;
  readonly #logger: Logger;
  readonly #level: number;

  constructor(hooks: Hooks, logger: Logger, level: LogLevel) {
    this.#hooks = hooks;
    this.#logger = logger;
    this.#level = logLevels.indexOf(level);
  }

  /** Calls a hook with an event of a call, and logs it. The event is made only if anything receives it. */
  report(hook: keyof Hooks, call: ReportedCall, details: EventDetails = {}): void {
    const receiver = this.#hooks[hook] as ((event: AttemptEvent) => unknown) | undefined;
    const level = hook === 'onRetry' || hook === 'onError' ? 'info' : 'debug';
    if (!receiver && this.#level < logLevels.indexOf(level)) return;
    const { operation, request, redactor, attempts, id, startedAt } = call;
    const { origin, pathname } = call.endpoint.url;
    const event = {
      operation: operation.name,
      method: operation.method,
      origin,
      path: redactor.text(pathname + request.path),
      template: pathname + operation.path,
      attempt: attempts.length,
      callId: id,
      ...('outcome' in details && {
        durationMs: Math.round(performance.now() - startedAt),
        status: attempts.at(-1)?.status,
        attempts,
      }),
      ...details,
    };
    quietly(() => receiver?.(event));
    this.log(level, `${operation.name}: ${messageOf(hook, call, details)}`, event);
  }

  log(level: Exclude<LogLevel, 'off'>, message: string, fields: object): void {
    if (this.#level >= logLevels.indexOf(level))
      quietly(() => this.#logger[level](`email-marketing-client: ${message}`, fields));
  }
}

/** Says what happened, for loggers that show no fields: `404 in 5 ms, attempt 1 of 3, NotFoundError`. */
function messageOf(hook: keyof Hooks, call: ReportedCall, { waitMs, error }: EventDetails): string {
  const { attempts, options, operation } = call;
  const of = (attempt: number) => `attempt ${attempt} of ${options.maxRetries + 1}`;
  if (hook === 'onRequest') return `${operation.method}, ${of(attempts.length + 1)}`;
  const last = attempts.at(-1);
  const ended = last && `${last.reason ?? last.status} in ${last.durationMs} ms, ${of(attempts.length)}`;
  const failed = hook === 'onError' && (error instanceof Error ? error.name : 'aborted');
  const next = hook === 'onRetry' ? `retried in ${waitMs} ms` : failed;
  return [ended, next].filter(Boolean).join(', ');
}

/**
 * Calls an observer of the user. If it throws or rejects, the error is ignored: an observer changes no result, and causes
 * no unhandled rejection.
 */
export function quietly(run: () => unknown): void {
  try {
    Promise.resolve(run()).catch(() => {});
  } catch {}
}
