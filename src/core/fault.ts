import {
  ConnectionError,
  EmailMarketingError,
  type ErrorDetails,
  InvalidResponseError,
  type Issue,
  type Outcome,
  TimeoutError,
  type TimeoutPhase,
} from '../errors.ts';

/** What one attempt came to when it failed: enough to decide on a repeat, to tell observers, and to make the error. */
export interface Fault {
  readonly fault: true;
  readonly outcome: Outcome;
  /** A few words for the list of attempts; absent when the status says it. */
  readonly reason?: string | undefined;
  readonly status?: number | undefined;
  /** Milliseconds the service asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the same request, made again, could come to something else. */
  readonly transient: boolean;
  /** The service knows no such resource. */
  readonly gone?: boolean | undefined;
  readonly toError: (message: string, details: ErrorDetails) => EmailMarketingError;
  /** What happened, as the end of a sentence. */
  readonly message: string;
}

export const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'fault' in value;

/** No whole answer came. */
export const connectionFault = (outcome: Outcome, reason: string): Fault => ({
  fault: true,
  outcome,
  reason,
  transient: true,
  message: outcome === 'not-sent' ? `no connection (${reason})` : `the connection failed (${reason})`,
  toError: (message, details) => new ConnectionError(message, { ...details, cause: new Error(reason) }),
});

const phaseWords: Readonly<Record<TimeoutPhase, string>> = {
  queue: 'waiting its turn',
  head: 'no answer came',
  body: 'the answer never ended',
};

/** A function of the user's own failed before anything was sent: `throttle.acquire`, or one that gives a key. */
export const ownFault = (cause: unknown): Fault => ({
  fault: true,
  outcome: 'not-sent',
  transient: false,
  message: "a function among the client's options failed (see `cause`)",
  toError: (message, details) => new EmailMarketingError(message, { ...details, cause }),
});

/** A time limit ran out; `outcome` is what is known of the request by then. */
export const timeoutFault = (
  limit: 'timeout' | 'totalTimeout',
  phase: TimeoutPhase,
  outcome: Outcome,
): Fault => ({
  fault: true,
  outcome,
  reason: `timeout in ${phase}`,
  transient: limit === 'timeout',
  message: `${limit} ran out (${phaseWords[phase]})`,
  toError: (message, details) => new TimeoutError(message, { ...details, limit, phase }),
});

/** An answer came and cannot be used. */
export const invalidAnswer = (outcome: Outcome, status: number, issues: readonly Issue[]): Fault => ({
  fault: true,
  outcome,
  status,
  transient: false,
  message: `the answer cannot be used: ${issues.map(issue => `${issue.path || 'body'}: expected ${issue.expected}, got ${issue.received}`).join('; ')}`,
  toError: (message, details) => new InvalidResponseError(message, { ...details, issues }),
});
