import type { Redaction } from '../core/redactor.ts';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  CallAbortedError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  EmailMarketingError,
  type ErrorDetails,
  InvalidResponseError,
  type Issue,
  NotFoundError,
  type Outcome,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  type TimeoutPhase,
} from '../errors.ts';

/** Result of an attempt that failed: what the retry decision, the telemetry and the error need. */
export interface Failure {
  readonly ok: false;
  readonly outcome: Outcome;
  /** Returns a sentence about what happened, without a full stop. `host` names the service. */
  readonly message: (host: string) => string;
  readonly advice?: string | undefined;
  /** A few words for the list of attempts; absent when the status says it. */
  readonly reason?: string | undefined;
  readonly status?: number | undefined;
  /** Wait that the service asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** `true` if the same request can succeed later: after 429, 503 with `Retry-After`, 5xx and connection failures. */
  readonly transient: boolean;
  /** `true` if nothing was done because of the key. */
  readonly keyRefused?: boolean | undefined;
  /** `true` if the service itself, and not a gateway in between, said that it has no such resource. */
  readonly notFound?: boolean | undefined;
  /** Creates the error that the call rejects with. */
  readonly toError: (message: string, details: ErrorDetails) => EmailMarketingError;
}

/** Rejection of an attempt that this library ended itself. Never leaves the library. */
export class FailedAttempt extends Error {
  declare readonly failure: Failure;

  constructor(failure: Failure) {
    super();
    this.failure = failure;
  }
}

/** Error class of each status that has its own. 500 stands for every failure of the server. */
export const classByStatus: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: BadRequestError,
  429: RateLimitError,
  500: ServerError,
};

export const classOfStatus = (status: number): typeof ApiError =>
  classByStatus[Math.min(status, 500)] ?? ApiError;

/**
 * Statuses below 500 by which a server refuses a request before it acts, whoever sends them. A filter in between sends
 * others, such as 403, 406 and 451, in place of a response: the service has acted then.
 */
const refusing: ReadonlySet<number> = new Set([
  400, 401, 402, 404, 405, 409, 410, 411, 413, 414, 415, 417, 421, 422, 423, 424, 425, 426, 428, 429, 431,
]);

/** Returns `true` for a status that says that nothing was done, even if the service itself did not send it. */
export const isRefusal = (status: number): boolean => refusing.has(status);

/**
 * Returns `true` for a status after which the same request can succeed. A server or a gateway sends 408 after the service
 * has acted, too, and 421 and 425 before.
 */
export const isTransientStatus = (status: number): boolean =>
  status >= 500 || [408, 421, 425, 429].includes(status);

/** How far an attempt has come that ended without a response. */
export interface AttemptState {
  readonly phase: TimeoutPhase;
  /** `false` if nothing was sent. */
  readonly maySend: boolean;
}

/** Stands for the code that a runtime does not give. */
export const noReason = 'network failure';

/** No whole response came. `code` is absent if the runtime gives none. */
export const connectionFailure = (
  outcome: Outcome,
  code: string | undefined,
  message: string,
  advice?: string,
): Failure => ({
  ok: false,
  outcome,
  reason: code ?? noReason,
  transient: true,
  message: () => message,
  advice,
  toError: (fullMessage, details) =>
    new ConnectionError(fullMessage, {
      ...details,
      code,
      cause: Object.assign(new Error(code ?? noReason), code !== undefined && { code }),
    }),
});

export const addressOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;

/** A connection closed. `address` names the host. */
export const closedFailure = (address: string, code?: string): Failure =>
  connectionFailure(
    'unknown',
    code,
    `the connection to ${address} closed before the whole response came (${code ?? noReason})`,
  );

/** A response stopped without a stated end, in the middle of its body or right after its head. */
export const cutOffFailure = (status: number): Failure => ({
  ...connectionFailure('unknown', undefined, ''),
  status,
  reason: 'cut off',
  message: host => `the response of ${host} stopped before its end`,
});

/** No whole response came to a web page. Browsers do not say if the network or CORS is the reason. */
export const noResponseFailure = (address: string, phase: TimeoutPhase): Failure =>
  phase === 'body'
    ? closedFailure(address)
    : connectionFailure(
        'unknown',
        undefined,
        `no response from ${address} (network failure, or blocked by CORS)`,
        'Check the network, and that the server allows requests from this page (CORS).',
      );

/** Sentences about what had not happened when the time ran out. */
const phaseMessages: Readonly<Record<TimeoutPhase | 'connect', (host: string) => string>> = {
  queue: host => `no request to ${host} could start`,
  connect: host => `no connection to ${host} was made`,
  head: host => `no response from ${host}`,
  body: host => `the response of ${host} did not end`,
};

/** A time limit ran out. `limitMs` is the value of the option that `limit` names. */
export const timeoutFailure = (
  limit: 'timeout' | 'totalTimeout',
  limitMs: number,
  phase: TimeoutPhase,
  outcome: Outcome,
): Failure => ({
  ok: false,
  outcome,
  reason: `timeout in ${phase}`,
  // A function for the key that hangs is not called again, nor is one that fails.
  transient: limit === 'timeout' && phase !== 'queue',
  message: host =>
    `${phaseMessages[outcome === 'not-sent' && phase === 'head' ? 'connect' : phase](host)} within ${limitMs} ms (${limit})`,
  advice:
    limit === 'timeout' && phase === 'queue'
      ? 'Check the functions that return the key and the headers.'
      : `If that is too short, raise the option ${limit}.`,
  toError: (message, details) => new TimeoutError(message, { ...details, limit, phase }),
});

export const abortedFailure = (outcome: Outcome, reason: unknown): Failure => ({
  ok: false,
  outcome,
  reason: 'aborted',
  transient: false,
  message: () => 'the call was aborted',
  toError: (message, details) => new CallAbortedError(message, { ...details, cause: reason }),
});

/** A failure within this process, not of the network: `cause` is what a function of the user's threw. */
export const localFailure = (
  outcome: Outcome,
  message: string,
  { advice, ...details }: Pick<Failure, 'advice'> & Pick<ErrorDetails, 'code' | 'cause'>,
): Failure => ({
  ok: false,
  outcome,
  transient: false,
  message: () => message,
  advice,
  toError: (fullMessage, common) =>
    new EmailMarketingError(fullMessage, { code: 'FUNCTION_FAILED', ...common, ...details }),
});

/** Returns the failure of an attempt that a function of the user ended before it was sent. */
export function notSentFailure(cause: unknown, redactor: Redaction): Failure {
  if (!(cause instanceof ConfigurationError))
    return localFailure('not-sent', 'apiKey, headers or throttle.acquire threw an error (see cause)', {
      cause: redactor.error(cause),
    });
  const { message, option } = cause;
  return {
    ...localFailure('not-sent', message, {}),
    toError: (text, details) => new ConfigurationError(text, { ...details, option }),
  };
}

export const bodyTooLarge = (status: number, maxBytes: number): FailedAttempt =>
  new FailedAttempt(
    invalidResponse(
      'unknown',
      status,
      [{ path: '', expected: `at most ${maxBytes} bytes (maxResponseBytes)`, received: 'more' }],
      'Raise the option maxResponseBytes, or ask for less at once.',
    ),
  );

export const invalidResponse = (
  outcome: Outcome,
  status: number,
  issues: readonly Issue[],
  advice = 'Check the base URL, and whether the service has changed.',
): Failure => ({
  ok: false,
  outcome,
  status,
  transient: false,
  message: host =>
    `the response of ${host} cannot be used: ${issues
      .map(({ path, expected, received }) => `${path || 'body'}: expected ${expected}, got ${received}`)
      .join('; ')}`,
  advice,
  toError: (message, details) => new InvalidResponseError(message, { ...details, issues }),
});
