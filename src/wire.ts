import type { ErrorName, Issue, Outcome, TimeoutPhase } from './errors.ts';

/** What a page sends to the proxy. */
export interface WireCall {
  /** Such as `tags.create`. */
  readonly operation: string;
  /** The first argument of the method. */
  readonly input?: unknown;
}

/** An error as it crosses from the proxy to the page: no stack, no headers, no body, no cause. */
export interface WireError {
  readonly name: ErrorName;
  readonly message: string;
  readonly operation: string | undefined;
  readonly outcome: Outcome;
  readonly status: number | undefined;
  readonly issues: readonly Issue[] | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  readonly limit: 'timeout' | 'totalTimeout' | undefined;
  readonly phase: TimeoutPhase | undefined;
}

/** What the proxy answers. */
export type WireAnswer = { readonly data: unknown } | { readonly error: WireError };
