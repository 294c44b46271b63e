import { ignoreErrors } from '../core/ignore-errors.ts';
import { redactIssue } from '../core/issues.ts';
import { aFunction, isOptions, type OptionRule, type OptionRules, optionIssues } from '../core/options.ts';
import type { Redaction } from '../core/redactor.ts';
import type { Attempt, Issue, Outcome } from '../errors.ts';
import type { onDropped } from './dropped-call.ts';

/** One attempt of a call. Holds no key, no query and no body. */
export interface CallAttemptEvent {
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
interface CallEndEvent extends CallAttemptEvent {
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
export interface CallResponseEvent extends CallEndEvent {}

/** A failed attempt that is retried; `waitMs` is the wait that begins now. */
export interface CallRetryEvent extends CallAttemptEvent, Attempt {}

/** A call that failed. */
export interface CallErrorEvent extends CallEndEvent {
  /** Error that the call rejects with: one of this library, or your own `signal.reason`. */
  readonly error: unknown;
}

/** Functions called during a call. Their return values and errors are ignored. */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: ((event: CallAttemptEvent) => void) | undefined;
  /** Called when a call succeeds. */
  readonly onResponse?: ((event: CallResponseEvent) => void) | undefined;
  /** Called after a failed attempt that is retried. */
  readonly onRetry?: ((event: CallRetryEvent) => void) | undefined;
  /** Called when a call fails or is aborted, also if its input is not valid. */
  readonly onError?: ((event: CallErrorEvent) => void) | undefined;
}

const hookRules: OptionRules<keyof Hooks> = {
  onRequest: aFunction,
  onResponse: aFunction,
  onRetry: aFunction,
  onError: aFunction,
};

/** One object of hooks, or several, which are called in order. */
export type HooksOption = Hooks | readonly Hooks[];

const listOf = (hooks: HooksOption): readonly Hooks[] => [hooks].flat();

export const aHooksOption: OptionRule = {
  expected: 'an object of functions, or an array of such objects',
  isValid: value => listOf(value as Hooks).every(isOptions),
  issuesOf: value => listOf(value as Hooks).flatMap(hooks => optionIssues(hooks, hookRules, 'hooks', true)),
};

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
  readonly api: { readonly url: URL };
  readonly request: { readonly path: string };
  readonly options: { readonly maxRetries: number };
  readonly redactor: { text(text: string): string };
  readonly attempts: readonly Attempt[];
  /** Time at which the call began, by `performance.now()`. */
  readonly startedAt: number;
}

/** Details of an event beyond those that every event of a call has. */
type EventDetails = Partial<CallRetryEvent & CallErrorEvent>;

type ReportedHook = keyof Hooks | typeof onDropped;

/** Receives the events of calls, beside the hooks. */
export type CallLog<Result = void> = (
  hook: ReportedHook,
  call: ReportedCall,
  event: CallAttemptEvent & EventDetails,
) => Result;

/** Functions that log the events of calls, by hook. */
export type CallLogs = { readonly [Hook in ReportedHook]?: CallLog };

/** Reports what a call does. */
export type Report = (hook: ReportedHook, call: ReportedCall, details?: EventDetails) => void;

/** Hooks of which each is called with the event that belongs to it. */
type Receiver = { readonly [Hook in ReportedHook]?: (event: CallAttemptEvent) => unknown };

/**
 * Returns a function that calls the hooks with an event of a call, and logs it. The event is made only if anything
 * receives it.
 */
export function reportTo(hooks: HooksOption = [], logs: CallLogs = {}): Report {
  const receivers = listOf(hooks) as readonly Receiver[];
  return (hook, call, details = {}) => {
    const log = logs[hook];
    if (!log && receivers.every(receiver => !receiver[hook])) return;
    const { operation, request, redactor, attempts, id, startedAt } = call;
    const { origin, pathname } = call.api.url;
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
    for (const receiver of receivers) ignoreErrors(() => receiver[hook]?.(event));
    log?.(hook, call, event);
  };
}

/** Most places whose drift is reported: paths hold names from responses, which could be any number. */
const maxReportedDrift = 1_000;

/** Reports how a usable response of an operation differs from what is documented. */
export type ReportDrift = (operation: string, drift: readonly Issue[]) => void;

/** Returns a function that reports each place once, whatever the number of records. `reported` holds those before. */
export const reportDriftTo =
  (onDrift: (drift: Drift) => void, reported: Set<string>, redactor: Redaction): ReportDrift =>
  (operation, drift) => {
    for (const mismatch of drift) {
      const issue = redactIssue(mismatch, redactor);
      const key = `${operation} ${issue.path}`;
      if (reported.has(key) || reported.size >= maxReportedDrift) continue;
      reported.add(key);
      ignoreErrors(() => onDrift({ operation, ...issue }));
    }
  };
