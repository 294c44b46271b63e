import { oneLine } from '../core/issues.ts';
import { isObject, parseExact, parseJson } from '../core/json.ts';
import { maxKeptLength, type Redactor } from '../core/redactor.ts';
import { ApiError, type Outcome, type RateLimitError, ServerError } from '../errors.ts';
import type { CallResult } from '../http/api-promise.ts';
import { type Call, deletedBefore } from '../http/call.ts';
import { callError, connectionFailed, unusableResponse } from '../http/failure.ts';
import type { HttpResponse } from '../http/fetch.ts';
import { maxRetryAfterMs, requestedWaitMs } from '../http/retries.ts';
import { classOfStatus, isRedirectStatus, isTransientStatus, outcomeOfStatus } from '../http/status.ts';
import type { Operation } from './operation.ts';

/**
 * Reads a response: the body first, then the status, as the service can report failures under 200 as well. Throws the
 * error of a response that says that the call failed, or that cannot be read. The data of an empty body is `undefined`.
 */
export function readResponse(
  call: Call,
  operation: Pick<Operation, 'kind' | 'method' | 'notFoundAdvice' | 'request'>,
  response: HttpResponse,
  redactor: Redactor,
): CallResult<unknown> {
  const { status, text } = response;
  const isSuccess = status >= 200 && status < 300;
  // Parsing 10 MB of hostile JSON takes seconds, and an error shows only the start of a body.
  const isUnread = !isSuccess && text.length > maxKeptLength;
  const json = isUnread ? undefined : parseBody(text);
  // An empty body is whole where nothing needs to be said: after a failure, and of what only acknowledges.
  const mayBeEmpty = !isSuccess || status === 204 || !needsJson(operation);
  if (json === undefined && !isUnread && (text === '' ? !mayBeEmpty : startsAsJson.test(text)))
    throw connectionFailed(call, `the response of ${call.url.host} stopped before its end`, {
      outcome: 'unknown',
      reason: 'cut off',
    });
  if (isSuccess && json === undefined && text !== '')
    throw unusableResponse(call, 'unknown', [{ path: '', expected: 'JSON', received: describeText(text) }]);
  const bodyStatus = isSuccess ? statusInBody(json) : ownUnauthorized(status, json);
  const isData = isRecordOf(operation, json) || bodyStatus === undefined;
  if (isSuccess && isData) return { data: json, status, headers: () => redactor.headers(response.headers()) };
  const messageStatus = statusOfMessage(json);
  const failedStatus = bodyStatus || status;
  const category = isRedirectStatus(status)
    ? 'redirect'
    : categoryOf(failedStatus, messageStatus, operation.kind);
  // A gateway in between can also say "not found".
  if (category === 404 && messageStatus === 404 && call.isRepeatedDeletion) return deletedBefore();
  throw errorResponse(call, operation, response, { category, status: failedStatus, json }, redactor);
}

/** Returns `true` for a listing and a record: an empty body is neither without a 204, as connections end in one, too. */
const needsJson = ({ kind, request }: Pick<Operation, 'kind' | 'request'>): boolean =>
  request === undefined && (kind === 'read' || kind === 'create');

const startsAsJson = /^\s*[[{"]/;

/**
 * Returns the status that a body reports of a failure; 0 if it says only that it failed, `undefined` if it does not. An
 * error is `{ status: 'error', message }`, or `{ status: 401, message }`, which the legacy interface writes as text, and
 * each can come under 200 (rules 3.1, 3.4 and 3.5).
 */
function statusInBody(json: unknown): number | undefined {
  const { status } = Object(json) as Readonly<Record<string, unknown>>;
  if (status === 'error') return 0;
  return /^[45]\d\d$/.test(String(status)) ? Number(status) : undefined;
}

/** Returns the 401 that the service itself says, in its own form, under another 4xx. */
function ownUnauthorized(status: number, json: unknown): number | undefined {
  const isOther4xx = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isOther4xx && ownMessage(json) !== undefined && Object(json).status === 401 ? 401 : undefined;
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
  [
    /\b(?:name|e-?mail|address|domain)(?: address)?(?: is| was| has been)? already (?:used|in use|taken|registered)\b/i,
    409,
  ],
  [/\b(?:team[ _-]?id|api[ _-]?key)(?: is| are)? (?:not valid|not found|invalid|missing)(?:$|[.,;!])/i, 401],
  [/\b(?:missing|invalid) (?:team[ _-]?id|api[ _-]?key)\b/i, 401],
  [/\bnot found\b/i, 404],
  [/\bnot in (?:the )?proper format\b|\bmalformed\b/i, 400],
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

/** What a failure means: what its status says, or one of what no single status says. */
type Category = number | 'redirect' | 'wrong state' | 'server failure';

/** What to do next. */
const advice: Readonly<Record<Category, string>> = {
  redirect: 'Check the base URL: it must be where the service itself responds.',
  304: 'Leave out the headers if-none-match and if-modified-since.',
  401: 'Check the API key, and for client.legacy the team id, in the team settings.',
  403: 'The key may not do this, or nobody may.',
  404: 'Check the id and the path.',
  408: '',
  409: 'Use another name, or the resource that exists.',
  421: '',
  425: '',
  'wrong state': 'Its state does not allow this: it may be in use.',
  429: 'Send fewer requests, for example with the option throttle.',
  'server failure': '',
};

/** What to do about a status below 500 that a filter can have sent once the service had acted. */
const foreign = 'It is not in the form of the service: check for a proxy or filter in between.';

/** The same of a 404: whatever responds at a wrong address says it, too. */
const notOfService = 'It is not in the form of the service: check the base URL and the path.';

/** Returns `true` for the statuses whose meaning no message of the service changes. */
const isDecisive = (status: number): boolean => status >= 500 || [401, 404, 408, 429].includes(status);

/** Returns the category of a status, or of the one that a message of the service stands for. */
function categoryOf(status: number, ofMessage: number | undefined, kind: Operation['kind']): Category {
  const decisive = ofMessage !== undefined && !isDecisive(status) ? ofMessage : status;
  if (decisive >= 500) return 'server failure';
  // A 409 concerns a used name only if a name was sent.
  const isWrongState = decisive === 423 || (decisive === 409 && decisive !== ofMessage && kind !== 'create');
  return isWrongState ? 'wrong state' : decisive;
}

function classOf(category: Category): typeof ApiError | typeof RateLimitError {
  if (category === 'server failure') return ServerError;
  return typeof category === 'number' ? classOfStatus(category) : ApiError;
}

/** What a response says of a failure: `status` is the one that it reports. */
interface Reported {
  readonly category: Category;
  readonly status: number;
  readonly json: unknown;
}

/** Returns the error of a response that says that the call failed. */
function errorResponse(
  call: Call,
  { kind, notFoundAdvice }: Pick<Operation, 'kind' | 'notFoundAdvice'>,
  response: HttpResponse,
  { category, status, json }: Reported,
  redactor: Redactor,
): Error {
  const { text } = response;
  const { host, pathname } = call.url;
  const headers = redactor.headers(response.headers());
  const retryAfterMs = requestedWaitMs(headers);
  const { body, message } = shownBody(text, json, redactor);
  const asksToWait = category === 429 || status === 503;
  const isOwn = ownMessage(json) !== undefined;
  const notFound = category === 404 && (isOwn ? notFoundAdvice : notOfService);
  const outcome = outcomeOfResponse(response.status, category, json, kind);
  const isForeign =
    (outcome === 'unknown' || isWebPage(text)) &&
    category === response.status &&
    category >= 400 &&
    !isTransientStatus(category);
  const sentences = [
    asksToWait && retryAfterMs && requestedWait(retryAfterMs),
    notFound || (isForeign ? foreign : (advice[category] ?? 'Check the request.')),
    response.status === 404 && pathname.includes('/api/api/') && suspectBaseUrl,
  ];
  const happened = category === 'redirect' ? 'redirects are not followed' : message;
  return callError(call, classOf(category), `${status || 'a redirect'} from ${host}: ${happened}`, {
    outcome,
    status,
    body,
    response: { status: response.status, headers },
    retryAfterMs,
    advice: sentences.filter(Boolean).join(' ') || undefined,
  });
}

const suspectBaseUrl =
  'If every call gets a 404, take /api off the end of the base URL: the library adds it.';

/**
 * Returns the outcome that a failure has by its form and its status: below 500, the service's own form says that nothing
 * was done. A failure under 2xx in another form is `unknown` unless it reports a status, as one item of several can have
 * failed; so is a 1xx, which workerd returns if nothing follows it.
 */
function outcomeOfResponse(
  status: number,
  category: Category,
  json: unknown,
  kind: Operation['kind'],
): Outcome {
  if (category === 'server failure' || category === 408) return 'unknown';
  if (ownMessage(json) !== undefined && !isRedirectStatus(status)) return 'refused';
  const reported = status > 0 && status < 300 ? statusInBody(json) : status;
  return reported === undefined ? 'unknown' : outcomeOfStatus(reported, kind);
}

/** Says how long the service asks to wait and, if no call waits that long, when to call again. */
function requestedWait(waitMs: number): string {
  const time = waitMs > maxRetryAfterMs && new Date(Date.now() + waitMs).toJSON();
  return `The service asks to wait ${Math.ceil(waitMs / 1000)} s${time ? `: call again at ${time}` : ''}.`;
}

/** Returns what an error keeps of a body, and its message, without secrets: JSON, if it is short enough, or text. */
function shownBody(text: string, json: unknown, redactor: Redactor) {
  const plain = writtenAnew(text, json);
  if (redactor.isPrivate(text) || redactor.isPrivate(plain))
    return { body: '[redacted]', message: 'a response with a private key, which is not shown' };
  const clean = redactor.text(plain);
  const body = parseBody(clean);
  return { body: body === undefined ? clean : body, message: messageOf(text, json, redactor) };
}

/** Returns a body as JSON written anew, so that no other way to escape a character hides a secret; else as it came. */
function writtenAnew(text: string, json: unknown): string {
  try {
    return json === undefined || text.length > maxKeptLength ? text : JSON.stringify(json);
  } catch {
    return '[nested too deeply]';
  }
}

/** Longest message of the service that an error shows, in characters. */
const maxMessageLength = 500;

function messageOf(text: string, json: unknown, redactor: Redactor): string {
  const { message: own, error, errors } = isObject(json) ? json : {};
  const first = error ?? Object.values(Object(errors)).flat()[0];
  const message = own ?? (isObject(first) ? first.message : first);
  if (typeof message === 'string' && message !== '')
    return oneLine(redactor.text(message).slice(0, maxMessageLength));
  if (json !== undefined) return 'no message';
  if (text.length > maxKeptLength && !isWebPage(text)) return 'a body of more than 64 kB';
  return text === '' ? 'an empty body' : `${describeText(text)} in place of JSON`;
}

const isWebPage = (text: string): boolean => /^\s*</.test(text);

const describeText = (text: string): string => (isWebPage(text) ? 'an HTML page' : 'other text');
