import { cleanIssue } from '../core/issues.ts';
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
import { BodyTooLarge, type Circumstances, type Ended } from './attempt.ts';
import { isTransientStatus } from './status.ts';

/** Why an attempt, or the parsing of its data, did not succeed: a value, of which `toError` makes an error. */
export interface Failure {
  readonly errorClass: ErrorClass<never>;
  /** Beginning of the message. */
  readonly happened: string;
  /** Outcome of this attempt alone. */
  readonly outcome: Outcome;
  /** `true` if the same request can succeed later. */
  readonly isTransient: boolean;
  /** What the class takes beside the operation, the outcome and the attempts. */
  readonly details: object;
  /** Sentence about what to do next. */
  readonly advice?: string | undefined;
  /** A few words for the list of attempts; absent when the status says it. */
  readonly reason?: string | undefined;
  /** Milliseconds that a 429 or a 503 asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Status in the list of attempts, in place of that of the response. */
  readonly status?: number | undefined;
  /** The whole message, if another program wrote it. */
  readonly message?: string | undefined;
}

/** Class of an error, by the details that its constructor takes. */
export type ErrorClass<Details extends ErrorDetails> = new (
  message: string,
  details: Details,
) => EmailMarketingError;

/** What is beside the class and the beginning of the message. */
type Happened<Details extends ErrorDetails> = Omit<Details, 'operation' | 'attempts' | 'outcome'> &
  Partial<Pick<Failure, 'advice' | 'reason' | 'retryAfterMs'>> & { readonly outcome: Outcome };

export function failure<Details extends ErrorDetails>(
  errorClass: ErrorClass<Details>,
  happened: string,
  details: Happened<Details>,
): Failure {
  const { outcome, advice, reason, retryAfterMs } = details;
  const isTransient = mayPass(errorClass, details as Partial<ApiErrorDetails>);
  return { errorClass, happened, outcome, isTransient, advice, reason, retryAfterMs, details };
}

/** Returns `true` for a class of errors after which the same request can succeed later. */
const mayPass = (errorClass: unknown, { status = 0 }: Partial<ApiErrorDetails>): boolean =>
  ([ConnectionError, RateLimitError, ServerError] as unknown[]).includes(errorClass) ||
  (errorClass === ApiError && isTransientStatus(status));

/** What a failure is described with. */
export type Described = Pick<Circumstances, 'url' | 'options' | 'settings'>;

/** Says what an error of the network means. */
export type NetworkFailure = (call: Described, attempt: Pick<Ended, 'phase' | 'thrown'>) => Failure;

/** Says why an attempt ended without a response. */
export function endFailure(call: Described, ended: Ended, networkFailure: NetworkFailure): Failure {
  const { end, phase, thrown } = ended;
  const outcome = phase === 'queue' ? 'not-sent' : 'unknown';
  if (end === 'abort') {
    const cause = call.options.signal?.reason;
    return failure(CallAbortedError, 'the call was aborted', { outcome, reason: 'aborted', cause });
  }
  if (end === 'queue full') {
    const advice = 'Start fewer calls at once, for example with bulk.';
    const details = { outcome, code: 'QUEUE_FULL', advice } as const;
    return failure(EmailMarketingError, 'the queue of waiting calls is full (throttle.maxQueue)', details);
  }
  if (end !== 'error') return timedOut(call, outcome, end, phase);
  if (thrown instanceof BodyTooLarge) {
    const expected = `at most ${call.settings.maxResponseBytes} bytes (maxResponseBytes)`;
    const advice = 'Raise the option maxResponseBytes, or ask for less at once.';
    const unusable = unusableResponse(call, outcome, [{ path: '', expected, received: 'more' }], advice);
    return { ...unusable, status: thrown.status };
  }
  if (phase !== 'queue') return networkFailure(call, ended);
  if (thrown instanceof ConfigurationError) {
    const details = { outcome, option: thrown.option } as const;
    return failure<ErrorDetails & typeof details>(ConfigurationError, thrown.message, details);
  }
  return functionFailed(call, outcome, 'a function of the options threw an error (see cause)', thrown);
}

/** A function of the user's ended the call. */
export function functionFailed(
  { settings: { redactError = error => error } }: Described,
  outcome: Outcome,
  happened: string,
  thrown: unknown,
): Failure {
  const cause = redactError(thrown);
  return failure(EmailMarketingError, happened, { outcome, code: 'FUNCTION_FAILED', cause });
}

function timedOut(
  { url, options }: Described,
  outcome: Outcome,
  limit: 'timeout' | 'totalTimeout',
  phase: TimeoutPhase,
): Failure {
  const what =
    phase === 'queue' ? `no request to ${url.host} could start` : `no whole response of ${url.host}`;
  const happened = `${what} within ${options[limit]} ms (${limit})`;
  const advice = `If that is too short, raise the option ${limit}.`;
  const reason = `timeout in ${phase}`;
  // A function for the key that hangs is not called again.
  const isTransient = limit === 'timeout' && phase !== 'queue';
  return { ...failure(TimeoutError, happened, { outcome, limit, phase, reason, advice }), isTransient };
}

/** Stands for the code that a runtime does not give. */
export const noReason = 'network failure';

export const addressOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;

/** The response did not come. `code` is absent if the runtime gives none. */
export function connectionFailed(happened: string, details: Happened<ErrorDetails>): Failure {
  const { code, cause = Object.assign(new Error(code ?? noReason), code !== undefined && { code }) } =
    details;
  return failure(ConnectionError, happened, { reason: code ?? noReason, ...details, cause });
}

/** The response did not come whole. Web pages are not told if the network or CORS is the reason. */
export function noWholeResponse(
  { url }: Pick<Described, 'url'>,
  code?: string,
  cause?: unknown,
  address = addressOf(url),
): Failure {
  const happened = `no whole response came from ${address} (${code ?? noReason})`;
  return connectionFailed(happened, { outcome: 'unknown', code, cause });
}

/** The response cannot be used. */
export function unusableResponse(
  { url, settings }: Pick<Described, 'url' | 'settings'>,
  outcome: Outcome,
  issues: readonly Issue[],
  advice = 'Check the base URL, and whether the service has changed.',
): Failure {
  const clean = issues.map(issue => cleanIssue(issue, settings.redact));
  const differences = clean.map(
    ({ path, expected, received }) => `${path || 'body'}: expected ${expected}, got ${received}`,
  );
  const happened = `the response of ${url.host} cannot be used: ${differences.join('; ')}`;
  return failure(InvalidResponseError, happened, { outcome, issues: clean, advice });
}

/** Makes the error of a call that the last of its failures ended. */
export function toError(
  operation: string,
  failures: readonly Failure[],
  attempts: readonly Attempt[],
  idempotent: boolean,
): EmailMarketingError {
  const failure = failures.at(-1) as Failure;
  const outcome = outcomeOf(failures);
  const { message = `${operation}: ${sentences(failure, outcome, attempts.length, idempotent)}` } = failure;
  const errorClass = failure.errorClass as ErrorClass<ErrorDetails>;
  return new errorClass(message, { ...failure.details, operation, outcome, attempts });
}

/** From the least to the most that can have happened. */
const outcomes = ['not-sent', 'refused', 'unknown'] as const;

/** The outcome of a call is the worst of its attempts, unless the last one is known to have acted. */
const outcomeOf = (failures: readonly Failure[]): Outcome =>
  failures.at(-1)?.outcome === 'done'
    ? 'done'
    : (outcomes.findLast(worst => failures.some(({ outcome }) => outcome === worst)) ?? 'not-sent');

/** Says what happened, after how many attempts, what to do next, and if the call may be repeated. */
function sentences(failure: Failure, outcome: Outcome, attempts: number, idempotent: boolean): string {
  const { happened, advice, isTransient } = failure;
  const isSafe = idempotent || outcome === 'not-sent' || outcome === 'refused';
  return [
    // Messages of the service come with a full stop and without.
    `${happened.replace(/\.$/, '')}${attempts > 1 ? `, after ${attempts} attempts` : ''}.`,
    advice ?? (isTransient && isSafe && 'Try again later.'),
    !isSafe &&
      (outcome === 'done'
        ? 'It took effect: do not repeat it.'
        : 'It may have taken effect: check before you repeat it.'),
  ]
    .filter(Boolean)
    .join(' ');
}
