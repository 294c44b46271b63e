import { ignoreErrors } from '../core/ignore-errors.ts';
import type { OptionRule } from '../core/options.ts';
import type { CallLog, CallLogs, Drift } from './events.ts';

/** Least important level that is logged. Each level includes those before it. No line has the level `error`. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

/** Fields of a log line: those of the hook's event, or of the drift. */
export interface LogFields {
  /** Operation, such as `tags.create`. */
  readonly operation: string;
  readonly [name: string]: unknown;
}

/** Receives log lines, as `console` does. The message says everything that matters; the fields hold the same, and more. */
export interface Logger {
  /** Logs a response that differs from what is documented, or a wait of more than two seconds before a retry. */
  warn(message: string, fields: LogFields): void;
  /** Logs a retry, or a failed call. */
  info(message: string, fields: LogFields): void;
  /** Logs a request or a response. */
  debug(message: string, fields: LogFields): void;
}

/** Log levels at which something is logged, the least verbose first. */
const loggedLevels = ['warn', 'info', 'debug'] as const satisfies readonly LogLevel[];

export const logLevels: readonly LogLevel[] = ['off', 'error', ...loggedLevels];

export const aLogger: OptionRule = {
  expected: 'an object with the functions warn, info, debug, as console is',
  isValid: value => loggedLevels.every(level => typeof Object(value)[level] === 'function'),
};

export interface Log {
  /** Log an event of a call; absent if the level includes none of its kind. */
  readonly calls: CallLogs;
  /** Logs how a response differs from what is documented. */
  drift(drift: Drift): void;
}

/** Longest wait before a retry, in milliseconds, that is no warning: after it, people wonder what the program does. */
const shortWaitMs = 2_000;

export function createLog(logger: Logger, mostVerbose: LogLevel): Log {
  const isLogged = (level: LogLevel) => logLevels.indexOf(mostVerbose) >= logLevels.indexOf(level);
  const write = (level: keyof Logger, operation: string, message: string, fields: object) =>
    isLogged(level) &&
    ignoreErrors(() =>
      logger[level](`email-marketing-client: ${operation}: ${message}`, { ...fields, operation }),
    );
  const logCall: CallLog = (hook, call, event) => {
    const isLongWait = hook === 'onRetry' && Number(event.waitMs) > shortWaitMs;
    const level = hook === 'onRetry' || hook === 'onError' ? 'info' : 'debug';
    write(isLongWait ? 'warn' : level, event.operation, messageOf(hook, call, event), event);
  };
  return {
    calls: {
      ...(isLogged('warn') && { onRetry: logCall }),
      ...(isLogged('info') && { onError: logCall }),
      ...(isLogged('debug') && { onRequest: logCall, onResponse: logCall }),
    },
    drift(drift) {
      const { operation, path, expected, received, message } = drift;
      const difference = `${path || 'the response'} differs from what is documented (expected ${expected}, got ${received})`;
      write('warn', operation, message ?? difference, drift);
    },
  };
}

/** Says what happened, for loggers that show no fields: `404 in 5 ms, attempt 1 of 3, NotFoundError`. */
const messageOf: CallLog<string> = (hook, { attempts, options }, { method, attempt, waitMs, error }) => {
  const of = `attempt ${attempt} of ${options.maxRetries + 1}`;
  if (hook === 'onRequest') return `${method}, ${of}`;
  const last = attempts.at(-1);
  const ended = last && `${last.reason ?? last.status} in ${last.durationMs} ms, ${of}`;
  const failed = hook === 'onError' && (error instanceof Error ? error.name : 'aborted');
  return [ended, hook === 'onRetry' ? `retried in ${waitMs} ms` : failed].filter(Boolean).join(', ');
};
