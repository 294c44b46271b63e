import type { Operation } from '../call/operation.ts';
import { maxRetryAfterMs } from '../call/retry-policy.ts';
import { oneLine } from '../issues.ts';
import { parseExact } from '../json.ts';
import { maxKeptLength, type Redactor } from '../secrets/redactor.ts';
import type { HttpResponse } from '../transport/transport.ts';
import { classOfStatus, type Failure, invalidResponse } from './failure.ts';

export interface Success extends Omit<HttpResponse, 'text'> {
  readonly ok: true;
  /** `undefined` for an empty body. */
  readonly json: unknown;
  readonly reason?: undefined;
}

export interface ReadOptions extends Pick<Operation, 'kind' | 'notFoundAdvice'> {
  readonly method: string;
  readonly redactor: Redactor;
}

/** Conventions of a service for the bodies of its responses. */
export interface BodyConventions {
  /**
   * Returns the status that a body reports of a failure; 0 if it says only that it failed, `undefined` if it does not.
   */
  reportedStatus(json: unknown): number | undefined;
  /** Returns `true` for the form of the service's own errors, in which no gateway responds. */
  isOwnForm(json: unknown): boolean;
  messageOf(json: unknown): unknown;
  /** Returns the status that a message in that form stands for, if it stands for one. */
  statusOf(message: string): number | undefined;
  /** Sentences about what to do next, by status, in place of the general ones. */
  readonly advice: Readonly<Record<number, string>>;
}

/**
 * Reads a response: the body first, then the status, as a service can report failures under 200 as well.
 */
export function readResponse(
  response: HttpResponse,
  options: ReadOptions,
  conventions: BodyConventions,
): Success | Failure {
  const { status, text } = response;
  const isSuccess = status >= 200 && status < 300;
  // Parsing 10 MB of hostile JSON takes seconds, and an error shows only the start of a body.
  const isUnread = !isSuccess && text.length > maxKeptLength;
  const json = isUnread ? undefined : parseJson(text);
  if (isSuccess && json === undefined && text !== '') {
    return invalidResponse('done', status, [{ path: '', expected: 'JSON', received: describeText(text) }]);
  }
  const reported = conventions.reportedStatus(json);
  if (isSuccess && reported === undefined) {
    const headers = () => options.redactor.headers(response.headers());
    return { ok: true, json, status, headers };
  }
  return errorResponse(response, reported && status < 500 ? reported : status, json, options, conventions);
}

/**
 * An integer of at least 16 digits, the number of digits of 2 ** 53. It also matches within texts, which costs only
 * time. The digits are written out, as engines search for these several times as quickly as for `\d{16}`.
 */
const longInteger = /(?:^|[:,[\s-])\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;

/** Returns `undefined`, which JSON cannot hold, if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return longInteger.test(text) ? parseExact(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What to do next, by status. 300 stands for redirects, 500 for every failure of the server. */
const generalAdvice: Readonly<Record<number, string>> = {
  300: 'Check the base URL: it must be where the service itself responds.',
  403: 'Your key lacks permission, or nobody has it.',
  404: 'Check the id and the path.',
  409: 'Use another name, or the resource that exists.',
  423: 'Its state does not allow this: it may be in use.',
  429: 'Send fewer requests, for example with the option throttle.',
  500: '',
};

/** Returns `true` for the statuses whose meaning no message of the service changes. */
const isDecisive = (status: number): boolean => status >= 500 || [401, 404, 429].includes(status);

/** A 409 concerns a used name only if a name was sent: otherwise it is a state that does not allow the call, as 423. */
const kindOfStatus = (status: number, effect: Operation['kind']): number =>
  status === 409 && effect !== 'create' ? 423 : Math.min(status, 500);

/** Returns the failure of a response that says that the call failed. `status` is the one that it reports. */
function errorResponse(
  response: HttpResponse,
  status: number,
  json: unknown,
  { redactor, method, kind: effect, notFoundAdvice }: ReadOptions,
  conventions: BodyConventions,
): Failure {
  const { text } = response;
  const shownStatus = status || response.status;
  const headers = response.headers();
  const waitMs = requestedWaitMs(headers);
  const isRedirect = response.status >= 300 && response.status < 400;
  const { body, message } = shownBody(text, json, redactor, conventions);
  // A gateway in between responds too, but not in the service's own form.
  const meaning = conventions.isOwnForm(json) && conventions.statusOf(message);
  const kind = isRedirect ? 300 : (!isDecisive(status) && meaning) || kindOfStatus(status, effect);
  const general = generalAdvice[kind] ?? 'Check the request.';
  const asksToWait = kind === 429 || (status === 503 && waitMs !== undefined);
  const details = {
    status: shownStatus,
    body,
    headers: redactor.headers(headers),
    retryAfter: waitMs && waitMs / 1000,
  };
  const waitAdvice = asksToWait && waitMs ? requestedWait(waitMs) : '';
  const notFound = kind === 404 && (isWebPage(text) ? generalAdvice[300] : notFoundAdvice);
  // A redirect that is not followed, and what is no final response, say nothing of whether a write was done. Nor does a
  // 503 that asks to wait: gateways send it after the service has acted, when its response came too late.
  const mayHaveActed = kind === 500 || response.status < 200 || (isRedirect && method !== 'GET');
  return {
    ok: false,
    outcome: mayHaveActed ? 'unknown' : 'refused',
    status: response.status,
    retryAfterMs: asksToWait ? waitMs : undefined,
    // Under 404, a service may also say that it refuses a deletion.
    notFound: kind === 404 && meaning === 404,
    transient: asksToWait || kind === 500,
    message: host => `${shownStatus} from ${host}: ${isRedirect ? 'redirects are not followed' : message}`,
    advice: `${waitAdvice}${notFound || conventions.advice[kind] || general}`.trim() || undefined,
    toError: (fullMessage, common) => new (classOfStatus(kind))(fullMessage, { ...common, ...details }),
  };
}

/** Says how long the service asks to wait and, if no call waits that long, when to call again. */
function requestedWait(waitMs: number): string {
  const time = waitMs > maxRetryAfterMs && new Date(Date.now() + waitMs).toJSON();
  return `The service asks to wait ${Math.ceil(waitMs / 1000)} s${time ? `: call again at ${time}` : ''}. `;
}

const seconds = /^\d+(?:\.\d+)?$/;

/** The start of an HTTP date: the name of a day. `Date.parse` by itself accepts nearly any text. */
const dayName = /^[A-Z][a-z]{2,8},? /;

/** Returns the milliseconds since 1970 of an HTTP date; `NaN` for any other text. */
const parseHttpDate = (text: string): number => (dayName.test(text) ? Date.parse(text) : Number.NaN);

/** Returns the milliseconds that `Retry-After` asks for, from seconds or an HTTP date; `undefined` without them. */
export function requestedWaitMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (seconds.test(text)) return Number(text) * 1000;
  // The clock of the service can differ from that of this machine.
  const now = parseHttpDate(headers.get('date') ?? '') || Date.now();
  const date = parseHttpDate(text);
  return date >= 0 ? Math.max(0, date - now) : undefined;
}

/** Returns what an error keeps of a body, and its message, without secrets: JSON, if it is short enough, or text. */
function shownBody(text: string, json: unknown, redactor: Redactor, conventions: BodyConventions) {
  const plain = writtenAnew(text, json);
  if (redactor.isPrivate(text) || redactor.isPrivate(plain))
    return { body: '[redacted]', message: 'a response with a private key, which is not shown' };
  const clean = redactor.text(plain);
  const body = parseJson(clean);
  const message = messageOf(text, json, redactor, conventions);
  return { body: body === undefined ? clean : body, message };
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

function messageOf(text: string, json: unknown, redactor: Redactor, conventions: BodyConventions): string {
  const message = conventions.messageOf(json);
  if (typeof message === 'string' && message !== '')
    return oneLine(redactor.text(message).slice(0, maxMessageLength));
  if (json !== undefined) return 'no message';
  if (text.length > maxKeptLength && !isWebPage(text)) return 'a body of more than 64 kB';
  return text === '' ? 'an empty body' : `${describeText(text)} in place of JSON`;
}

const isWebPage = (text: string): boolean => /^\s*</.test(text);

const describeText = (text: string): string => (isWebPage(text) ? 'an HTML page' : 'other text');
