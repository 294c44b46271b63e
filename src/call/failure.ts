import { cleanIssue } from '../core/issues.ts';
import type { Attempt, ErrorDetails, Issue, Outcome, Scope } from '../error-details.ts';
import {
  CallAbortedError,
  ConfigurationError,
  ConnectionError,
  EmailMarketingError,
  InvalidResponseError,
  TimeoutError,
} from '../errors.ts';
import { NetworkError } from '../transport/network-error.ts';
import { type AttemptPhase, type NoResponse, wasSent } from './attempt.ts';
import type { ResolvedCallOptions } from './call-options.ts';

/**
 * Why an attempt, or the parsing of its data, did not succeed: a value, of which `toError` makes an error. Also holds what
 * the constructor of the error's class takes.
 */
export interface CallFailure {
  readonly errorClass: ErrorClass<never>;
  /** Beginning of the message. */
  readonly happened: string;
  /** Outcome of this attempt alone. */
  readonly outcome: Outcome;
  /** `true` if the same request can succeed later. */
  readonly isTransient: boolean;
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

/** Arguments of {@link failure} after the class and the beginning of the message. */
type FailureDetails<Details extends ErrorDetails> = Omit<Details, 'operation' | 'attempts' | 'outcome'> &
  Partial<Pick<CallFailure, 'isTransient' | 'advice' | 'reason' | 'retryAfterMs'>> & {
    readonly outcome: Outcome;
  };

export const failure = <Details extends ErrorDetails>(
  errorClass: ErrorClass<Details>,
  happened: string,
  details: FailureDetails<Details>,
): CallFailure => ({ errorClass, happened, isTransient: false, ...details });

/** The facts about a call that messages mention. A `Call` has them. */
export interface FailureContext {
  /** Base URL of the interface. Its host names the service in messages. */
  readonly url: URL;
  readonly options: ResolvedCallOptions;
  readonly settings: FailureSettings;
}

/** Settings of a client that failures need. */
export interface FailureSettings {
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
  /** Copies what a function of the user threw, without secrets. */
  readonly copyError: (thrown: unknown) => unknown;
  /** Largest response that is read, in bytes. */
  readonly maxResponseBytes: number;
}

/** Says why an attempt ended without a response. */
export function noResponseFailure(call: FailureContext, { end, phase, thrown }: NoResponse): CallFailure {
  const outcome = wasSent({ phase }) ? 'unknown' : 'not-sent';
  if (end === 'abort')
    return failure(CallAbortedError, 'the call was aborted', {
      outcome,
      reason: 'aborted',
      cause: call.options.signal?.reason,
      advice: '',
    });
  if (end !== 'error') return timedOut(call, outcome, end, phase);
  if (phase === 'head' || phase === 'body') return networkFailure(call, thrown);
  if (thrown instanceof ConfigurationError) {
    const details = { outcome, option: thrown.option } as const;
    return failure<ErrorDetails & typeof details>(ConfigurationError, thrown.message, details);
  }
  const happened = `the function ${functionNames[phase]} threw an error (see cause)`;
  return functionFailed(call, outcome, happened, thrown);
}

/** Names of the user's functions that an attempt waits for. */
const functionNames = {
  permit: 'acquire of throttle',
  headers: 'that returns the headers',
  key: 'that returns the key',
} as const;

/** A function of the user's ended the call. */
export const functionFailed = (
  { settings }: FailureContext,
  outcome: Outcome,
  happened: string,
  thrown: unknown,
): CallFailure =>
  failure(EmailMarketingError, happened, {
    outcome,
    // A key store that is down can be back later, for any call. A schema would refuse the same response again.
    isTransient: outcome === 'not-sent',
    scope: outcome === 'not-sent' ? 'account' : 'call',
    advice: '',
    code: 'FUNCTION_FAILED',
    cause: settings.copyError(thrown),
  });

function timedOut(
  { url, options }: FailureContext,
  outcome: Outcome,
  limit: TimeoutError['limit'],
  attemptPhase: AttemptPhase,
): CallFailure {
  const phase = attemptPhase === 'head' || attemptPhase === 'body' ? attemptPhase : 'queue';
  const what =
    phase === 'queue' ? `no request to ${url.host} could start` : `no whole response of ${url.host}`;
  const advice =
    attemptPhase === 'headers' || attemptPhase === 'key'
      ? `Check the function ${functionNames[attemptPhase]}.`
      : undefined;
  return failure(TimeoutError, `${what} within ${options[limit]} ms (option ${limit})`, {
    outcome,
    isTransient: true,
    limit,
    phase,
    advice,
    reason: `timeout in ${phase}`,
  });
}

/** No complete response came. `thrown` is a `NetworkError` of the transport, or else a bug of this library. */
function networkFailure({ url, settings }: FailureContext, thrown: unknown): CallFailure {
  const { code, wasSent, advice, cause } = thrown instanceof NetworkError ? thrown : new NetworkError({});
  const reason = code === undefined ? 'network failure' : settings.redact(code);
  const { hostname, port, protocol } = url;
  const address = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return connectionFailed(
    `${wasSent ? 'no whole response came from' : 'no connection to'} ${address} (${reason})`,
    {
      outcome: wasSent ? 'unknown' : 'not-sent',
      code: code && reason,
      reason,
      cause:
        cause === undefined ? Object.assign(new Error(reason), code && { code }) : settings.copyError(cause),
      advice,
    },
  );
}

/** The response did not come, or not whole. */
export const connectionFailed = (happened: string, details: FailureDetails<ErrorDetails>): CallFailure =>
  failure(ConnectionError, happened, { isTransient: true, ...details });

/** The response cannot be used. */
export function unusableResponse(
  { url, settings }: Pick<FailureContext, 'url' | 'settings'>,
  outcome: Outcome,
  issues: readonly Issue[],
  advice = 'Check the base URL, and whether the service has changed.',
  // Something else than the service sent it.
  scope: Scope = outcome === 'unknown' ? 'account' : 'call',
): CallFailure {
  const clean = issues.map(issue => cleanIssue(issue, settings.redact, 'body'));
  const differences = clean.map(
    ({ path, expected, received }) => `${path || 'body'}: expected ${expected}, got ${received}`,
  );
  const happened = `the response of ${url.host} cannot be used: ${differences.join('; ')}`;
  return failure(InvalidResponseError, happened, { outcome, issues: clean, advice, scope });
}

/** Makes the error of a call that the last of its failures ended. */
export function toError(
  operation: string,
  failures: readonly CallFailure[],
  attempts: readonly Attempt[],
  idempotent: boolean,
): EmailMarketingError {
  const last = failures.at(-1) as CallFailure;
  const outcome = outcomeOf(failures);
  // Another call acts a second time unless this one did nothing, or a second time changes nothing.
  const isSafe = idempotent || outcome === 'not-sent' || outcome === 'refused';
  const canSucceed = last.isTransient || last.errorClass === CallAbortedError;
  const retryable = canSucceed && isSafe && outcome !== 'done';
  const sentences = [
    // Messages of the service come with a full stop and without.
    `${last.happened.replace(/\.$/, '')}${attempts.length > 1 ? `, after ${attempts.length} attempts` : ''}.`,
    last.advice ?? (retryable && 'Try again later.'),
    !isSafe &&
      (outcome === 'done'
        ? 'It took effect: do not repeat it.'
        : 'It may have taken effect: check before you repeat it.'),
  ];
  const { message = `${operation}: ${sentences.filter(Boolean).join(' ')}` } = last;
  const errorClass = last.errorClass as ErrorClass<ErrorDetails>;
  return new errorClass(message, { retryable, ...last, operation, outcome, attempts });
}

/** From the least to the most that can have happened. */
const outcomes = ['not-sent', 'refused', 'unknown'] as const;

/** The outcome of a call is the worst of its attempts, unless the last one is known to have acted. */
const outcomeOf = (failures: readonly CallFailure[]): Outcome =>
  failures.at(-1)?.outcome === 'done'
    ? 'done'
    : (outcomes.findLast(worst => failures.some(({ outcome }) => outcome === worst)) ?? 'not-sent');
