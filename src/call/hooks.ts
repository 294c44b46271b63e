import { isPlainObject } from '../core/json.ts';
import { aFunction, type OptionRule, type OptionRules, optionIssues } from '../core/option-rules.ts';
import type { Attempt, Issue, Outcome } from '../error-details.ts';

/** One attempt of a call. It contains no key, query or body. */
export interface CallAttemptEvent {
  /** Operation, such as `tags.create`. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /** Scheme, host and port that the request goes to: `https://api.example.com`. */
  readonly origin: string;
  /** Path without the query, as the service receives it: `/api/v1/rest/list/list_1`. */
  readonly path: string;
  /** Path with placeholders, the same for all calls of an operation: `/api/v1/rest/list/{identifier}`. */
  readonly template: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Id that all events of one call share. In a browser client, the handler receives it as the header `x-call-id`. */
  readonly callId: string;
}

/** A call that succeeded; `attempt` is the number of its attempts. */
export interface CallSuccessEvent extends CallAttemptEvent {
  /** Milliseconds of the whole call, including queueing, attempts and waits. */
  readonly durationMs: number;
  /** HTTP status of the last response; absent if there was none. */
  readonly status?: number | undefined;
  /** Outcome of the call: `done` after a success, otherwise the outcome of the error. */
  readonly outcome: Outcome;
  /** Requests of the call, first to last; empty if nothing was sent. */
  readonly attempts: readonly Attempt[];
}

/** A failed attempt that is retried. */
export interface CallRetryEvent extends CallAttemptEvent, Attempt {
  /** Milliseconds until the retry. `waitMs` is the wait before this attempt. */
  readonly retryInMs: number;
}

/** A call that failed. */
export interface CallErrorEvent extends CallSuccessEvent {
  /** Error that the call rejects with: one of this library, or your own `signal.reason`. */
  readonly error: unknown;
}

/**
 * Functions called during a call. Their return values and errors are ignored. Each call for which `onRequest` was called
 * ends with one of `onSuccess`, `onError` and `onCancel`.
 */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: ((event: CallAttemptEvent) => void) | undefined;
  /** Called after a failed attempt that is retried. */
  readonly onRetry?: ((event: CallRetryEvent) => void) | undefined;
  /** Called when a call succeeds. */
  readonly onSuccess?: ((event: CallSuccessEvent) => void) | undefined;
  /** Called when a call fails or is aborted, including calls with invalid input. */
  readonly onError?: ((event: CallErrorEvent) => void) | undefined;
  /**
   * Called when an iteration no longer needs a page for which `onRequest` was called, for example after `break`. This is not a
   * failure, so `onError` is not called.
   */
  readonly onCancel?: ((event: CallAttemptEvent) => void) | undefined;
}

/** Difference between a usable response and its documentation, for the option `onDrift`. */
export interface Drift extends Issue {
  /** Operation whose response differs. */
  readonly operation: string;
}

const hookRules: OptionRules<keyof Hooks> = {
  onRequest: aFunction,
  onRetry: aFunction,
  onSuccess: aFunction,
  onError: aFunction,
  onCancel: aFunction,
};

const listOf = (hooks: unknown): readonly unknown[] => [hooks].flat();

export const aHooksOption: OptionRule = {
  expected: 'an object of functions, or an array of them',
  isValid: value => listOf(value).every(isPlainObject),
  issuesOf: value => listOf(value).flatMap(hooks => optionIssues(hooks, hookRules, 'hooks')),
};

/** What a hook receives. */
export type EventOf<Hook extends keyof Hooks> = Parameters<NonNullable<Hooks[Hook]>>[0];

/** {@link Hooks} as a mapped type, from which the compiler infers the event of each hook. */
export type Observer = {
  readonly [Hook in keyof Hooks]: ((event: EventOf<Hook>) => unknown) | undefined;
};
