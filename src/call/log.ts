import { ignoreErrors } from '../core/ignore-errors.ts';
import { rule } from '../core/option-rules.ts';
import type { Attempt } from '../error-details.ts';
import type { CallAttemptEvent, Drift, Hooks } from './hooks.ts';

/** Minimum level to log. Each level includes the levels before it. The library logs no line of level `error`. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

/** Fields of a log line: the fields of a hook's event, or of a drift. */
export interface LogFields {
  /** Operation, such as `tags.create`. */
  readonly operation: string;
  readonly [name: string]: unknown;
}

/** Receives log lines, like `console`. The message contains the essentials; the fields contain all details. */
export interface Logger {
  /** Logs a response that differs from the documentation, or a wait of more than two seconds before a retry. */
  warn(message: string, fields: LogFields): void;
  /** Logs a retry, or a failed call. */
  info(message: string, fields: LogFields): void;
  /** Logs a request or a response. */
  debug(message: string, fields: LogFields): void;
}

export const logLevels: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug'];

export const aLogger = /* @__PURE__ */ rule('an object with warn, info and debug, as console', value =>
  ['warn', 'info', 'debug'].every(level => typeof Object(value)[level] === 'function'),
);

/** Longest wait before a retry, in milliseconds, that is logged as `info`. Longer ones are warnings. */
const shortWaitMs = 2_000;

/** Creates the hooks that log calls at the given level, and a function that logs drift. */
export function createLog(logger: Logger, mostVerbose: LogLevel) {
  const write = (level: keyof Logger, fields: { readonly operation: string }, message: string) => {
    if (logLevels.indexOf(level) > logLevels.indexOf(mostVerbose)) return;
    const line = `email-marketing-client: ${fields.operation}: ${message}`;
    ignoreErrors(() => logger[level](line, { ...fields }));
  };
  const onDrift = (drift: Drift) => {
    const { path, expected, received, message } = drift;
    const difference = `${path || 'the response'} differs from the documentation (expected ${expected}, got ${received})`;
    write('warn', { ...drift }, message ?? difference);
  };
  const hooks: Hooks = {
    onRequest: event => write('debug', event, `${event.method}, attempt ${event.attempt}`),
    onSuccess: event => write('debug', event, attemptSummary(event.attempts.at(-1), event)),
    onError: event => {
      const name = event.error instanceof Error ? event.error.name : 'aborted';
      const last = event.attempts.at(-1);
      write('info', event, last ? `${attemptSummary(last, event)}, ${name}` : name);
    },
    onRetry: event => {
      const level = event.retryInMs > shortWaitMs ? 'warn' : 'info';
      write(level, event, `${attemptSummary(event, event)}, retried in ${event.retryInMs} ms`);
    },
  };
  const { onRetry, onError } = hooks;
  // Omits unused hooks, so that successful calls create no events.
  return { hooks: mostVerbose === 'debug' ? hooks : { onRetry, onError }, onDrift };
}

/** Summarizes an attempt for loggers that show no fields: `503 in 5 ms, attempt 1`. */
const attemptSummary = (last: Partial<Attempt> | undefined, { attempt }: CallAttemptEvent): string =>
  `${last?.reason ?? last?.status} in ${last?.durationMs} ms, attempt ${attempt}`;
