import { ignoreErrors } from '../core/ignore-errors.ts';
import { cleanIssue } from '../core/issues.ts';
import {
  aFunction,
  isOptions,
  type OptionRule,
  type OptionRules,
  optionIssues,
} from '../core/option-rules.ts';
import type { Attempt, Issue, Outcome } from '../errors.ts';

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
  /** Id that all events of one call share. In a browser client, the handler receives it as the header `x-call-id`. */
  readonly callId: string;
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

const listOf = (hooks: unknown): readonly unknown[] => [hooks].flat();

export const aHooksOption: OptionRule = {
  expected: 'an object of functions, or an array of such objects',
  isValid: value => listOf(value).every(isOptions),
  issuesOf: value => listOf(value).flatMap(hooks => optionIssues(hooks, hookRules, 'hooks')),
};

/** Mismatch between a usable response and its documentation. */
export interface Drift extends Issue {
  /** Operation whose response differs. */
  readonly operation: string;
}

/** Abort reason of a page that is no longer needed, which is no failure. An error would take time to make its stack. */
export const notWanted: unknown = { reason: 'not wanted' };

/** Called in place of `onError` when a call is aborted by {@link notWanted}: OpenTelemetry ends its span. Not public. */
export const onDropped: unique symbol = Symbol.for('email-marketing-client.onDropped');

export type CallHook = keyof Hooks | typeof onDropped;

/** What an event of a call can hold. */
export type CallEvent = CallAttemptEvent & Partial<CallRetryEvent & CallErrorEvent>;

/** Receives the events of calls: the hooks of the user, those of OpenTelemetry, or the log. */
export type Observer = {
  readonly [Hook in CallHook]?: ((event: never, maxAttempts: number) => unknown) | undefined;
};

/** Maximum number of reports of drift. Paths contain names from responses, of which there is no limit. */
const maxReportedDrift = 1_000;

/** Reports how a usable response differs from what is documented, each place once. `reported` holds those before. */
export function reportDrift(
  onDrift: (drift: Drift) => void,
  reported: Set<string>,
  operation: string,
  drift: readonly Issue[],
  redact: (text: string) => string,
): void {
  for (const mismatch of drift) {
    const issue = cleanIssue(mismatch, redact);
    const key = `${operation} ${issue.path}`;
    if (reported.has(key) || reported.size >= maxReportedDrift) continue;
    reported.add(key);
    ignoreErrors(() => onDrift({ operation, ...issue }));
  }
}
