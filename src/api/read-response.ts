import { type CallResult, deletedBefore } from '../call/api-promise.ts';
import type { AttemptResult, Circumstances, HttpResponse } from '../call/attempt.ts';
import {
  connectionFailed,
  endFailure,
  type Failure,
  failure,
  type NetworkFailure,
  unusableResponse,
} from '../call/failure.ts';
import { requestedWaitMs } from '../call/retries.ts';
import { classOfStatus, isRedirectStatus, isTransientStatus, outcomeOfStatus } from '../call/status.ts';
import { oneLine } from '../core/issues.ts';
import { isObject, parseExact, parseJson } from '../core/json.ts';
import type { Redactor } from '../core/redactor.ts';
import { ApiError, type Outcome, type RateLimitError } from '../errors.ts';
import type { Operation } from './operation.ts';

/** Says what an attempt means: what its response holds, or why it failed. */
export const classify = (
  operation: ReadOperation,
  made: AttemptResult,
  given: Circumstances,
  redactor: Redactor,
  networkFailure: NetworkFailure,
): CallResult<unknown> | Failure =>
  made.end === 'response'
    ? readResponse(operation, made.response, given, redactor)
    : endFailure(given, made, networkFailure);

type ReadOperation = Pick<Operation, 'kind' | 'notFoundAdvice' | 'request'>;

/**
 * Reads a response: the body first, then the status, as the service can report failures under 200 as well. The data of an
 * empty body is `undefined`.
 */
export function readResponse(
  operation: ReadOperation,
  response: HttpResponse,
  given: Pick<Circumstances, 'url' | 'settings' | 'mayHaveActed'>,
  redactor: Redactor,
): CallResult<unknown> | Failure {
  const { status, text } = response;
  const isSuccess = status >= 200 && status < 300;
  const json = parseBody(text);
  // An empty body is whole where nothing needs to be said: after a failure, and of what only acknowledges.
  const mayBeEmpty = !isSuccess || status === 204 || !needsJson(operation);
  if (json === undefined && (text === '' ? !mayBeEmpty : startsAsJson.test(text)))
    return connectionFailed(`the response of ${given.url.host} stopped before its end`, {
      outcome: 'unknown',
      reason: 'cut off',
    });
  if (isSuccess && json === undefined && text !== '')
    return unusableResponse(given, 'unknown', [{ path: '', expected: 'JSON', received: describeText(text) }]);
  const reported = isSuccess ? statusInBody(json) : status;
  if (isSuccess && (reported === undefined || isRecordOf(operation, json)))
    return { data: json, status, headers: () => redactor.headers(response.headers()) };
  const said = reported || status;
  const found = statusOfMessage(json);
  const ofMessage = isDecisive(said, found) ? undefined : found;
  // A gateway in between can also say "not found".
  const isGone = found === 404 && (ofMessage ?? said) === 404;
  if (isGone && operation.kind === 'delete' && given.mayHaveActed) return deletedBefore();
  return responseFailure(operation, response, { said, ofMessage, json }, given.url, redactor);
}

/** Returns `true` for a listing and a record: an empty body is neither without a 204, as connections end in one, too. */
const needsJson = ({ kind, request }: Pick<Operation, 'kind' | 'request'>): boolean =>
  request === undefined && (kind === 'read' || kind === 'create');

const startsAsJson = /^\s*[[{"]/;

/**
 * Returns the status that a body reports of a failure; 0 if it says only that it failed, `undefined` if it does not. An
 * error is `{ status: 'error', message }`, or `{ status: 401, message }`, and each can come under 200 (rules 3.1, 3.4 and
 * 3.5). How the legacy interface says that a call failed is not documented: other services do so in the other ways.
 */
function statusInBody(json: unknown): number | undefined {
  const { status, success, error, errors } = Object(json) as Readonly<Record<string, unknown>>;
  if (/^[45]\d\d$/.test(String(status))) return Number(status);
  const isFailure = /^(?:error|fail(?:ed|ure)?)$/i.test(String(status)) || success === false;
  return isFailure || error || Object.keys(Object(errors)).length > 0 ? 0 : undefined;
}

/** Returns `true` for a body with an id, where a record can come: it is one, whatever its other fields. */
function isRecordOf({ kind, request }: Pick<Operation, 'kind' | 'request'>, json: unknown): boolean {
  const canBeRecord = kind === 'read' || kind === 'create' || request !== undefined;
  return canBeRecord && (Object(json).id ?? '') !== '';
}

/**
 * The service's messages (rule 3.2), and the status that each stands for under any status below 500. The last one comes
 * first, as only then the service may have acted.
 */
const messages: readonly (readonly [RegExp, status: number])[] = [
  [/\binternal server error\b/i, 500],
  [/\balready exists\b/i, 409],
  [/\bnot found\b/i, 404],
  [/\bnot in proper format\b/i, 400],
];

/**
 * Returns the message of a body that has the form of the service's own errors (rule 3.1); `undefined` for any other: a
 * gateway in between responds too, but not in that form.
 */
function ownMessage(json: unknown): string | undefined {
  const { status, message } = Object(json) as Readonly<Record<string, unknown>>;
  return (status === 'error' || status === 401) && typeof message === 'string' ? message : undefined;
}

/** Returns the status that the message of a body stands for, if it is one of the service's. */
export function statusOfMessage(json: unknown): number | undefined {
  const message = ownMessage(json);
  if (message === undefined) return undefined;
  if (Object(json).status === 401) return 401;
  return messages.find(([sentence]) => sentence.test(message))?.[1];
}

/**
 * An integer of at least 16 digits, the number of digits of 2 ** 53. It also matches within texts, which costs only
 * time. The digits are written out, as engines search for these several times as quickly as for `\d{16}`.
 */
const longInteger = /(?:^|[:,[\s-])\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;

/** Returns the value of a body; `undefined` if it is not JSON. */
const parseBody = (text: string): unknown =>
  parseJson(text, longInteger.test(text) ? parseExact : JSON.parse);

/** What to do next, by the status that a failure has, or that its message stands for. */
const advice: Readonly<Record<number, string>> = {
  401: 'Check the API key, and for client.legacy the team id, in the team settings.',
  403: 'The key may not do this, or nobody may.',
  404: 'Check the id and the path.',
  409: 'Use another name, or the resource that exists.',
  429: 'Send fewer requests, for example with the option throttle.',
};

/** What to do about a 404 in another form than that of the service: whatever responds at a wrong address says it, too. */
const notOfService = 'It is not in the form of the service: check the base URL and the path.';

/** Returns `true` for the statuses whose meaning no message of the service changes. */
const isDecisive = (status: number, ofMessage: number | undefined): boolean =>
  status >= 500 ||
  [401, 408, 429].includes(status) ||
  isRedirectStatus(status) ||
  (status === 404 && ofMessage !== 401);

/** What a response says of a failure: a status of its own, and the one that its message stands for, if that decides. */
interface Reported {
  readonly said: number;
  readonly ofMessage: number | undefined;
  readonly json: unknown;
}

/** The response says that the call failed. */
function responseFailure(
  { kind, notFoundAdvice }: ReadOperation,
  response: HttpResponse,
  { said, ofMessage, json }: Reported,
  { host }: URL,
  redactor: Redactor,
): Failure {
  const { status, text } = response;
  const headers = redactor.headers(response.headers());
  const { body, message } = shownBody(text, json, redactor);
  const isOwn = ownMessage(json) !== undefined;
  const meant = ofMessage ?? said;
  const isRedirect = isRedirectStatus(status);
  // A 409 concerns a used name only if a name was sent.
  const isWrongState = meant === 409 && ofMessage !== 409 && kind !== 'create';
  const found = isWrongState
    ? 'Its state does not allow this: it may be in use.'
    : (meant === 404 && (isOwn ? notFoundAdvice : notOfService)) || advice[meant];
  const happened = isRedirect ? 'redirects are not followed' : message;
  const errorClass = (isWrongState ? ApiError : classOfStatus(meant)) as typeof RateLimitError;
  return failure(errorClass, `${said || 'a redirect'} from ${host}: ${happened}`, {
    outcome: outcomeOf(response, meant, isOwn, json, kind),
    status: said,
    body,
    response: { status, headers },
    retryAfterMs: meant === 429 || said === 503 ? requestedWaitMs(headers) : undefined,
    advice: isRedirect
      ? 'Check the base URL: it must be where the service itself responds.'
      : (found ?? (isTransientStatus(meant) ? undefined : 'Check the request.')),
  });
}

/**
 * Returns the outcome that a failure has by its form and its status: below 500, the service's own form says that nothing
 * was done. A failure under 2xx in another form is `unknown` unless it reports a status, as one item of several can have
 * failed; so is a 1xx, which workerd returns if nothing follows it.
 */
function outcomeOf(
  { status }: HttpResponse,
  meant: number,
  isOwn: boolean,
  json: unknown,
  kind: Operation['kind'],
): Outcome {
  if (meant >= 500 || meant === 408) return 'unknown';
  if (isOwn && !isRedirectStatus(status)) return 'refused';
  const reported = status > 0 && status < 300 ? statusInBody(json) || undefined : status;
  return reported === undefined ? 'unknown' : outcomeOfStatus(reported, kind);
}

/** Returns what an error keeps of a body, and its message, without secrets: JSON, if it is short enough, or text. */
function shownBody(text: string, json: unknown, redactor: Redactor) {
  // Written anew, so that no other way to escape a character hides a secret.
  const plain = json === undefined ? text : JSON.stringify(json);
  if (redactor.isPrivate(text) || redactor.isPrivate(plain))
    return { body: '[redacted]', message: 'a response with a private key, which is not shown' };
  const clean = redactor.text(plain);
  const body = parseBody(clean);
  return { body: body === undefined ? clean : body, message: messageOf(text, json, redactor) };
}

/** Longest message of the service that an error shows, in characters. */
const maxMessageLength = 500;

function messageOf(text: string, json: unknown, redactor: Redactor): string {
  const { message: own, error } = Object(json) as Readonly<Record<string, unknown>>;
  const message = own ?? (isObject(error) ? error.message : error);
  if (typeof message === 'string' && message !== '')
    return oneLine(redactor.text(message).slice(0, maxMessageLength));
  if (json !== undefined) return 'no message';
  return text === '' ? 'an empty body' : `${describeText(text)} in place of JSON`;
}

const isWebPage = (text: string): boolean => /^\s*</.test(text);

const describeText = (text: string): string => (isWebPage(text) ? 'an HTML page' : 'other text');
