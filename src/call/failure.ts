import { cleanIssue } from '../core/issues.ts';
import type { ErrorName, Issue, Outcome, Scope } from '../error-details.ts';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  CallAbortedError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  EmailMarketingError,
  InvalidRequestError,
  InvalidResponseError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../errors.ts';
import { NetworkError } from '../transport/network-error.ts';
import type { Call, CallFailure, DetailsByName, FailureFacts } from './call-state.ts';
import { type NoResponse, type SendPhase, startedSending, wasAttempted } from './send-result.ts';

/** Creates a failure from its facts, and from the details of its error that are already known. */
export const failure = <Name extends ErrorName>(
  errorName: Name,
  facts: FailureFacts & DetailsByName[Name],
): CallFailure<Name> => ({ ...facts, errorName, isTransient: facts.isTransient ?? false });

/** Returns the failure of a request that got no response. */
export function noResponseFailure(call: Call, { end, phase, thrown }: NoResponse): CallFailure {
  const outcome = startedSending(phase) ? 'unknown' : 'not-sent';
  if (end === 'abort')
    return failure('CallAbortedError', {
      summary: 'the call was aborted',
      outcome,
      reason: 'aborted',
      advice: '',
      cause: call.options.signal?.reason,
    });
  if (end !== 'error') return timeoutFailure(call, outcome, end, phase);
  if (wasAttempted(phase)) return networkFailure(call, thrown);
  if (thrown instanceof ConfigurationError)
    return failure('ConfigurationError', { summary: thrown.message, outcome, option: thrown.option });
  const summary = `the function ${functionNames[phase]} threw an error (see cause)`;
  return functionFailure(call, outcome, summary, thrown);
}

/** Names of the user's functions that an attempt waits for. */
const functionNames = {
  permit: 'throttle.acquire',
  'headers function': 'that returns the headers',
  'key function': 'that returns the key',
} as const;

/** Returns the failure of a call in which a function of the user threw. */
export const functionFailure = (
  { settings }: Call,
  outcome: Outcome,
  summary: string,
  thrown: unknown,
): CallFailure =>
  failure('EmailMarketingError', {
    summary,
    outcome,
    scope: outcome === 'not-sent' ? 'account' : 'call',
    advice: '',
    code: 'FUNCTION_FAILED',
    cause: settings.copyError(thrown),
  });

function timeoutFailure(
  { url, options }: Call,
  outcome: Outcome,
  limit: TimeoutError['limit'],
  sendPhase: SendPhase,
): CallFailure {
  const phase = wasAttempted(sendPhase) ? sendPhase : 'queue';
  return failure('TimeoutError', {
    summary: `${phase === 'queue' ? 'not sent to' : 'no response from'} ${url.host} within ${options[limit]} ms (option ${limit}; phase ${phase})`,
    outcome,
    isTransient: true,
    reason: `timeout in ${phase}`,
    limit,
    phase,
  });
}

/** No complete response arrived. `thrown` is a `NetworkError` of the transport, or a bug of this library. */
function networkFailure({ url, settings }: Call, thrown: unknown): CallFailure {
  const network = thrown instanceof NetworkError ? thrown : new NetworkError({});
  const { code, wasSent, advice, isLasting, cause } = network;
  const reason = network.reason ?? settings.redact(code ?? 'network failure');
  const copy =
    cause === undefined ? Object.assign(new Error(reason), code && { code }) : settings.copyError(cause);
  // The `fetch` of a test environment has a message, but no code.
  const why = code ? reason : Object(copy).message || reason;
  return failure('ConnectionError', {
    summary: wasSent
      ? `the request to ${url.host} failed before the response was complete (${why})`
      : `could not connect to ${url.host} (${why})`,
    outcome: wasSent ? 'unknown' : 'not-sent',
    isTransient: !isLasting,
    scope: isLasting ? 'account' : 'call',
    reason,
    advice,
    code: code && settings.redact(code),
    cause: copy,
  });
}

/** Returns the failure of a response that cannot be used. */
export function unusableResponseFailure(
  { url, settings }: Call,
  outcome: Outcome,
  issues: readonly Issue[],
  advice = outcome === 'done'
    ? 'Check whether the service has changed.'
    : 'Check the base URL, and any proxy, firewall or login page in between.',
  // If the outcome is unknown, something other than the service sent the response.
  scope: Scope = outcome === 'unknown' ? 'account' : 'call',
): CallFailure {
  const clean = issues.map(issue => cleanIssue(issue, settings.redact, 'body'));
  const differences = clean.map(
    ({ path, expected, received }) => `${path || 'body'}: expected ${expected}, got ${received}`,
  );
  const summary = `the response from ${url.host} cannot be used: ${differences.join('; ')}`;
  const reason = 'unusable response';
  return failure('InvalidResponseError', { summary, outcome, advice, reason, scope, issues: clean });
}

/** Makes the error of a call from the failure that ended it: the failure of its last attempt, unless another is given. */
export function toError(call: Call, last = call.failures.at(-1) as CallFailure): EmailMarketingError {
  const { endpoint, request, attempts } = call;
  const outcome = outcomeOfCall(call, last);
  // Repeating the call is safe if it did nothing, or if repeating it changes nothing.
  const isSafe = request.idempotent || outcome === 'not-sent' || outcome === 'refused';
  const retryable = isSafe && outcome !== 'done' && !last.isPermanent;
  const sentences = [
    // Messages of the service may or may not end with a full stop.
    `${last.summary.replace(/\.$/, '')}${attempts.length > 1 ? `, after ${attempts.length} attempts` : ''}.`,
    last.advice ?? (retryable && last.isTransient && 'Try again later.'),
    !isSafe &&
      (outcome === 'done'
        ? 'The call took effect. Do not repeat it.'
        : 'The call may have taken effect. Check before you repeat it.'),
  ];
  const { message = `${endpoint.name}: ${sentences.filter(Boolean).join(' ')}` } = last;
  const detailsOfCall = {
    operation: endpoint.name,
    outcome,
    attempts,
    retryable: last.retryable ?? retryable,
  };
  return makeError(last.errorName, message, { ...last, ...detailsOfCall });
}

/** Outcomes from best to worst. */
const bestToWorst = ['not-sent', 'refused', 'unknown'] as const;

/**
 * Returns the worst outcome of the attempts. For a read, which changes nothing, the last attempt that was sent decides.
 */
function outcomeOfCall({ endpoint, failures }: Call, last: CallFailure): Outcome {
  if (last.outcome === 'done') return 'done';
  const outcomes = [...failures, last].map(({ outcome }) => outcome);
  return (
    (endpoint.kind === 'read'
      ? outcomes.findLast(outcome => outcome !== 'not-sent')
      : bestToWorst.findLast(outcome => outcomes.includes(outcome))) ?? 'not-sent'
  );
}

const errorClasses: {
  readonly [Name in ErrorName]: new (
    message: string,
    details: DetailsByName[Name],
  ) => EmailMarketingError;
} = {
  EmailMarketingError,
  ConfigurationError,
  InvalidRequestError,
  InvalidResponseError,
  ConnectionError,
  TimeoutError,
  CallAbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
};

const makeError = <Name extends ErrorName>(name: Name, message: string, details: DetailsByName[Name]) =>
  new errorClasses[name](message, details);

/** Returns `true` for the name of an error class. */
export const isErrorName = (name: string): name is ErrorName => Object.hasOwn(errorClasses, name);
