import { cleanIssue } from '../core/issues.ts';
import { TimeLimitExceeded } from '../core/timers.ts';
import {
  ApiError,
  type ApiErrorDetails,
  type Attempt,
  CallAbortedError,
  ConfigurationError,
  ConnectionError,
  EmailMarketingError,
  type ErrorDetails,
  InvalidResponseError,
  type Issue,
  type Outcome,
  RateLimitError,
  ServerError,
  TimeoutError,
  type TimeoutPhase,
} from '../errors.ts';
import { requestedWaitMs } from './retries.ts';
import { isTransientStatus } from './status.ts';

/** What an error tells of its call. */
export interface FailedCall {
  readonly target: { readonly name: string };
  readonly url: URL;
  readonly options: {
    readonly signal?: AbortSignal | undefined;
    readonly timeout: number;
    readonly totalTimeout: number;
  };
  readonly settings: {
    readonly redact: (text: string) => string;
    /** Copies what a function of the user threw, without secrets. Absent if there are none. */
    readonly redactError?: ((thrown: unknown) => unknown) | undefined;
  };
  readonly attempts: { -readonly [Member in keyof Attempt]: Attempt[Member] }[];
  /** How far the attempt has come. */
  readonly phase: TimeoutPhase;
  /** Option that ends what the call does now. */
  readonly limit: 'timeout' | 'totalTimeout';
  readonly idempotent: boolean;
  readonly mayHaveActed: boolean;
}

/** What happened, beside what the call itself tells. */
type Happened<Details extends ErrorDetails> = Omit<Details, 'operation' | 'attempts' | 'outcome'> & {
  readonly outcome: Outcome;
  /** Sentence about what to do next. */
  readonly advice?: string | undefined;
  /** A few words for the list of attempts; absent when the status says it. */
  readonly reason?: string | undefined;
};

/** Class of an error, by the details that its constructor takes. */
type ErrorClass<Details extends ErrorDetails> = new (
  message: string,
  details: Details,
) => EmailMarketingError;

/** Creates the error of a call, as if its last attempt were not retried. `happened` is the beginning of its message. */
export function callError<Details extends ErrorDetails>(
  call: FailedCall,
  errorClass: ErrorClass<Details>,
  happened: string,
  { advice, ...details }: Happened<Details>,
): EmailMarketingError {
  const { attempts, idempotent, target } = call;
  const outcome = outcomeOfCall(call, details.outcome);
  const isSafe = idempotent || outcome === 'not-sent' || outcome === 'refused';
  const sentences = [
    // Messages of the service come with a full stop and without.
    `${happened.replace(/\.$/, '')}${attempts.length > 1 ? `, after ${attempts.length} attempts` : ''}.`,
    advice ?? (mayPass(errorClass, details) && isSafe && 'Try again later.'),
    !isSafe &&
      (outcome === 'done'
        ? 'It took effect: do not repeat it.'
        : 'It may have taken effect: check before you repeat it.'),
  ];
  const message = `${target.name}: ${sentences.filter(Boolean).join(' ')}`;
  return statedError(call, errorClass, message, details as unknown as Happened<Details>);
}

/** Creates the error of a call, with the whole of its message. */
export function statedError<Details extends ErrorDetails>(
  call: FailedCall,
  errorClass: ErrorClass<Details>,
  message: string,
  { reason, outcome, ...details }: Happened<Details>,
): EmailMarketingError {
  const { attempts, target, phase } = call;
  const last = attempts.at(-1);
  if (last && phase !== 'queue') last.reason = reason;
  const common = { operation: target.name, outcome: outcomeOfCall(call, outcome), attempts };
  return new errorClass(message, { ...details, ...common } as unknown as Details);
}

/** Returns the outcome of a call, whose last attempt has this one. */
const outcomeOfCall = ({ mayHaveActed }: FailedCall, ofLast: Outcome): Outcome =>
  mayHaveActed && ofLast !== 'done' ? 'unknown' : ofLast;

/** Returns `true` for an error that was created for this call. */
export const isOf = (call: FailedCall, error: unknown): error is EmailMarketingError =>
  error instanceof EmailMarketingError && error.attempts === call.attempts;

/** Creates the error of what ended an attempt. `networkError` says what an error of the network means. */
export function endingError(
  call: FailedCall,
  error: unknown,
  networkError = (_: unknown): EmailMarketingError => noWholeResponse(call),
): EmailMarketingError {
  const { options, phase } = call;
  if (isOf(call, error)) return error;
  const outcome = phase === 'queue' ? 'not-sent' : 'unknown';
  if (options.signal?.aborted) return aborted(call, outcome);
  if (error instanceof TimeLimitExceeded) return timedOut(call, outcome);
  if (phase !== 'queue') return networkError(error);
  if (error instanceof ConfigurationError) {
    const details = { outcome, option: error.option } as const;
    return callError<ErrorDetails & typeof details>(call, ConfigurationError, error.message, details);
  }
  return functionFailed(call, outcome, 'a function of the options threw an error (see cause)', error);
}

/** Creates the error of a call that as many calls wait before as may. */
export const queueFull = (call: FailedCall): EmailMarketingError =>
  callError(call, EmailMarketingError, 'the queue of waiting calls is full (throttle.maxQueue)', {
    outcome: 'not-sent',
    code: 'QUEUE_FULL',
    advice: 'Start fewer calls at once, for example with bulk.',
  });

/** Creates the error of a call that a function of the user's ended. */
export function functionFailed(
  call: FailedCall,
  outcome: Outcome,
  happened: string,
  thrown: unknown,
): EmailMarketingError {
  const { redactError = (error: unknown) => error } = call.settings;
  const cause = redactError(thrown);
  return callError(call, EmailMarketingError, happened, { outcome, code: 'FUNCTION_FAILED', cause });
}

export function aborted(call: FailedCall, outcome: Outcome): EmailMarketingError {
  const cause = call.options.signal?.reason;
  return callError(call, CallAbortedError, 'the call was aborted', { outcome, reason: 'aborted', cause });
}

function timedOut(call: FailedCall, outcome: Outcome): EmailMarketingError {
  const { limit, options, phase, url } = call;
  const what =
    phase === 'queue' ? `no request to ${url.host} could start` : `no whole response of ${url.host}`;
  const happened = `${what} within ${options[limit]} ms (${limit})`;
  const advice = `If that is too short, raise the option ${limit}.`;
  const reason = `timeout in ${phase}`;
  return callError(call, TimeoutError, happened, { outcome, limit, phase, reason, advice });
}

/** Stands for the code that a runtime does not give. */
export const noReason = 'network failure';

export const addressOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;

/** Creates the error of a response that did not come. `code` is absent if the runtime gives none. */
export function connectionFailed(
  call: FailedCall,
  happened: string,
  details: Happened<ErrorDetails>,
): EmailMarketingError {
  const { code, cause = Object.assign(new Error(code ?? noReason), code !== undefined && { code }) } =
    details;
  return callError(call, ConnectionError, happened, { reason: code ?? noReason, ...details, cause });
}

/** Creates the error of a response that did not come whole. Web pages are not told if the network or CORS is the reason. */
export function noWholeResponse(
  call: FailedCall,
  code?: string,
  cause?: unknown,
  address = addressOf(call.url),
): EmailMarketingError {
  const happened = `no whole response came from ${address} (${code ?? noReason})`;
  return connectionFailed(call, happened, { outcome: 'unknown', code, cause });
}

/** Creates the error of a response that cannot be used. */
export function unusableResponse(
  call: FailedCall,
  outcome: Outcome,
  issues: readonly Issue[],
  advice = 'Check the base URL, and whether the service has changed.',
): EmailMarketingError {
  const clean = issues.map(issue => cleanIssue(issue, call.settings.redact));
  const differences = clean.map(
    ({ path, expected, received }) => `${path || 'body'}: expected ${expected}, got ${received}`,
  );
  const happened = `the response of ${call.url.host} cannot be used: ${differences.join('; ')}`;
  return callError(call, InvalidResponseError, happened, { outcome, issues: clean, advice });
}

/** Returns `true` for a class of errors after which the same request can succeed later. */
const mayPass = (errorClass: unknown, { status = 0 }: Partial<ApiErrorDetails>): boolean =>
  ([ConnectionError, RateLimitError, ServerError] as unknown[]).includes(errorClass) ||
  (errorClass === ApiError && isTransientStatus(status));

/** Returns `true` if the same request can succeed later. A function for the key that hangs is not called again. */
export const isTransient = (error: EmailMarketingError): boolean =>
  mayPass(error.constructor, error) ||
  (error instanceof TimeoutError && error.limit === 'timeout' && error.phase !== 'queue');

/** Returns the milliseconds that a 429 or a 503 asks to wait; `undefined` for anything else. */
export function retryAfterMs(error: unknown): number | undefined {
  const asksToWait = error instanceof RateLimitError || (error instanceof ApiError && error.status === 503);
  return asksToWait ? requestedWaitMs(error.response.headers) : undefined;
}
