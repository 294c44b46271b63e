import { cleanIssue } from '../core/issues.ts';
import type { Attempt, ErrorDetails, ErrorName, Issue, Outcome, Scope } from '../error-details.ts';
import {
  type ApiErrorDetails,
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
 * Why an attempt, or the parsing of its data, did not succeed: a value. Its error is made once, when the call has ended and is
 * known as a whole.
 */
export interface CallFailure extends FailureFacts {
  readonly errorName: ErrorName;
  readonly isTransient: boolean;
  /** Makes the error, of what is known of the call as a whole. */
  readonly makeError: (message: string, ended: EndedCall) => EmailMarketingError;
}

/** What decides about retries, and what messages say. */
interface FailureFacts {
  /** Beginning of the message. */
  readonly happened: string;
  /** Outcome of this attempt alone. */
  readonly outcome: Outcome;
  /**
   * `true` if the same request can succeed later.
   * @defaultValue `false`
   */
  readonly isTransient?: boolean;
  /** Sentence about what to do next. */
  readonly advice?: string | undefined;
  /** A few words for the list of attempts; absent when the status says it. */
  readonly reason?: string | undefined;
  /** Milliseconds that a 429 or a 503 asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Status in the list of attempts, in place of that of the response. */
  readonly status?: number | undefined;
  /** The whole message, and whether the call may be made again, if another program says so. */
  readonly message?: string | undefined;
  readonly retryable?: boolean | undefined;
}

/** Details of an error that follow from all attempts of its call. */
type EndedCall = Pick<ApiErrorDetails, 'operation' | 'outcome' | 'attempts' | 'retryable' | 'retryAfterMs'>;

/** Class of an error, by the details that its constructor takes beside those of every error. */
export interface ErrorClass<Details> {
  new (message: string, details: Details & ErrorDetails): EmailMarketingError;
  readonly prototype: EmailMarketingError;
}

/** Creates a failure. `details` are those of its error that are known now. */
export const failure = <Details>(
  errorClass: ErrorClass<Details>,
  details: Details & Pick<ErrorDetails, 'scope' | 'code' | 'cause'>,
  facts: FailureFacts,
): CallFailure => ({
  isTransient: false,
  ...facts,
  errorName: errorClass.prototype.name,
  makeError: (message, ended) => new errorClass(message, { ...details, ...ended }),
});

/** The facts about a call that messages mention. */
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
    return failure(
      CallAbortedError,
      { cause: call.options.signal?.reason },
      { happened: 'the call was aborted', outcome, reason: 'aborted', advice: '' },
    );
  if (end !== 'error') return timedOut(call, outcome, end, phase);
  if (phase === 'head' || phase === 'body') return networkFailure(call, thrown);
  if (thrown instanceof ConfigurationError)
    return failure(ConfigurationError, { option: thrown.option }, { happened: thrown.message, outcome });
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
  failure(
    EmailMarketingError,
    {
      scope: outcome === 'not-sent' ? 'account' : 'call',
      code: 'FUNCTION_FAILED',
      cause: settings.copyError(thrown),
    },
    // A key store that is down can be back later, for any call. A schema would refuse the same response again.
    { happened, outcome, isTransient: outcome === 'not-sent', advice: '' },
  );

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
  return failure(
    TimeoutError,
    { limit, phase },
    {
      happened: `${what} within ${options[limit]} ms (option ${limit})`,
      outcome,
      isTransient: true,
      advice,
      reason: `timeout in ${phase}`,
    },
  );
}

/** No complete response came. `thrown` is a `NetworkError` of the transport, or else a bug of this library. */
function networkFailure({ url, settings }: FailureContext, thrown: unknown): CallFailure {
  const { code, wasSent, advice, cause } = thrown instanceof NetworkError ? thrown : new NetworkError({});
  const reason = code === undefined ? 'network failure' : settings.redact(code);
  const { hostname, port, protocol } = url;
  const address = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return failure(
    ConnectionError,
    {
      code: code && reason,
      cause:
        cause === undefined ? Object.assign(new Error(reason), code && { code }) : settings.copyError(cause),
    },
    {
      happened: `${wasSent ? 'no whole response came from' : 'no connection to'} ${address} (${reason})`,
      outcome: wasSent ? 'unknown' : 'not-sent',
      isTransient: true,
      reason,
      advice,
    },
  );
}

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
  return failure(InvalidResponseError, { issues: clean, scope }, { happened, outcome, advice });
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
  const canSucceed = last.isTransient || last.errorName === 'CallAbortedError';
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
  const { retryAfterMs } = last;
  return last.makeError(message, {
    retryable: last.retryable ?? retryable,
    operation,
    outcome,
    attempts,
    retryAfterMs,
  });
}

/** From the least to the most that can have happened. */
const leastToMost = ['not-sent', 'refused', 'unknown'] as const;

/** The outcome of a call is the worst of its attempts, unless the last one is known to have acted. */
const outcomeOf = (failures: readonly CallFailure[]): Outcome =>
  failures.at(-1)?.outcome === 'done'
    ? 'done'
    : (leastToMost.findLast(worst => failures.some(({ outcome }) => outcome === worst)) ?? 'not-sent');
