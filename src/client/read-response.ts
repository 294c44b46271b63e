import { alreadyDeletedResult, type CallResult } from '../call/api-promise.ts';
import type { CallFailure } from '../call/call-state.ts';
import { failure, noResponseFailure, unusableResponse } from '../call/failure.ts';
import { hasUnknownOutcome, requestedWaitMs } from '../call/retries.ts';
import type { SendResult } from '../call/send-result.ts';
import { type BodyForm, isRedirectStatus, isTransientStatus, meaningOf } from '../call/status.ts';
import { cut, oneLine } from '../core/issues.ts';
import { parseExact, parseJson } from '../core/json.ts';
import { maxKeptLength, type Redactor } from '../core/redactor.ts';
import type { HttpResponse } from '../transport/fetch.ts';
import type { Endpoint } from './endpoint.ts';
import type { ServiceCall } from './service-settings.ts';

/**
 * Returns the JSON of the response, or why there is none. Reads the body first, then the status. The data of an empty body is
 * `undefined`.
 */
export function readResult(call: ServiceCall, sent: SendResult): CallResult<unknown> | CallFailure {
  if (sent.end !== 'response') return noResponseFailure(call, sent);
  const { endpoint, settings } = call;
  const { response } = sent;
  const { status, text, unread, headers } = response;
  const isSuccess = status >= 200 && status < 300;
  if (unread === 'too large') {
    const expected = `at most ${settings.maxResponseBytes} bytes (maxResponseBytes)`;
    return unusableResponse(call, 'unknown', [{ path: '', expected, received: 'more' }], '', 'call');
  }
  const json = isSuccess || text.length <= maxKeptLength ? parseJson(text, parseExact) : undefined;
  if (isCut(endpoint, response, json))
    return failure('ConnectionError', {
      summary: `the response of ${call.url.host} stopped before its end`,
      outcome: 'unknown',
      isTransient: true,
      reason: 'cut off',
    });
  if (isSuccess && json === undefined && (text !== '' || unread !== undefined))
    return unusableResponse(call, 'unknown', [
      { path: '', expected: 'JSON', received: describeBody(response) },
    ]);
  const reportedStatus = isSuccess ? statusInBody(json) : status;
  if (isSuccess && (reportedStatus === undefined || isRecordOf(endpoint, json)))
    return { data: json, status, headers: () => settings.redactor.headers(headers()) };
  return readFailure(call, response, json, reportedStatus || status);
}

/** Returns `true` for JSON without its end, and for an empty body if the response must have one. */
function isCut({ kind, request }: Endpoint, { status, text, unread }: HttpResponse, json: unknown): boolean {
  if (unread !== undefined) return unread === 'cut off';
  if (text !== '') return json === undefined && lacksEnd(text);
  // A listing and a record are never empty.
  const needsJson = request === undefined && (kind === 'read' || kind === 'create');
  return needsJson && status >= 200 && status < 300 && status !== 204;
}

/** Returns `true` for a text in JSON, an object or an array without its end. What follows an end is another mistake. */
function lacksEnd(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  let [depth, inText] = [0, false];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inText && character === '\\') index++;
    else if (character === '"') inText = !inText;
    else if (inText) continue;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return false;
  }
  return inText || depth > 0;
}

/**
 * Returns the status of a failure that a body reports (rules 3.1, 3.4 and 3.5); 0 if the failure has none, `undefined`
 * without a failure. How the legacy interface reports one is not documented: other services do so in these ways.
 */
function statusInBody(json: unknown): number | undefined {
  const { status, success, error, errors } = Object(json) as Readonly<Record<string, unknown>>;
  const statusText = ['string', 'number'].includes(typeof status) ? String(status) : '';
  if (/^[45]\d\d$/.test(statusText)) return Number(statusText);
  const isFailure = /^(?:error|fail(?:ed|ure)?)$/i.test(statusText) || success === false;
  // The keys of a text of megabytes would take a minute.
  const hasErrors = typeof errors === 'string' ? errors !== '' : Object.keys(Object(errors)).length > 0;
  return isFailure || error || hasErrors ? 0 : undefined;
}

/** Returns `true` for a body with an id, where a record can come: it is one, whatever its other fields. */
function isRecordOf({ kind, request }: Endpoint, json: unknown): boolean {
  const canBeRecord = kind === 'read' || kind === 'create' || request !== undefined;
  return canBeRecord && (Object(json).id ?? '') !== '';
}

/** The service's messages (rule 3.2) with their statuses: first the only one after which it may have acted. */
const messages: readonly (readonly [RegExp, status: number])[] = [
  [/\binternal server error\b/i, 500],
  [/\balready exists\b/i, 409],
  [/\bnot found\b/i, 404],
  [/\bnot in proper format\b/i, 400],
];

/** Returns the message of an error in the service's own form (rule 3.1), in which no gateway in between responds. */
function serviceMessage(json: unknown): string | undefined {
  const { status, message } = Object(json) as Readonly<Record<string, unknown>>;
  return (status === 'error' || status === 401) && typeof message === 'string' ? message : undefined;
}

/** Returns the status that the message of a body stands for, if it is one of the service's. */
export function statusFromMessage(json: unknown): number | undefined {
  const message = serviceMessage(json);
  if (message === undefined) return undefined;
  if (Object(json).status === 401) return 401;
  return messages.find(([sentence]) => sentence.test(message))?.[1];
}

const adviceByStatus: Readonly<Record<number, string>> = {
  401: 'Check the API key, and for client.legacy the team id, in the team settings.',
  403: 'This key lacks permission, or the resource is protected.',
  404: 'Check the id and the path.',
  409: 'Use another name, or the resource that exists.',
  429: 'Send fewer requests, for example with the option throttle.',
};

/** Advice for a redirect, and for an error that something other than the service sent. */
const notTheService =
  'The service did not send this: check the base URL, and any proxy, firewall or login page in between.';

/** Returns the status that decides what an error means: the one reported, or that of the service's message. */
function effectiveStatusOf(reported: number, fromMessage = reported): number {
  if (reported === 429 || isRedirectStatus(reported)) return reported;
  // The service may have acted.
  if (fromMessage === 500) return 500;
  // A wrong key can come as a 404 too.
  const isDecisive = reported === 401 || (reported === 404 && fromMessage !== 401);
  return isDecisive || isTransientStatus(reported) ? reported : fromMessage;
}

/** Converts a failed response to a failure. `reported` is its status, or 0 for a redirect whose status a browser hides. */
function readFailure(
  { endpoint, settings, url, failures }: ServiceCall,
  response: HttpResponse,
  json: unknown,
  reported: number,
): CallResult<unknown> | CallFailure {
  const { kind, notFoundAdvice } = endpoint;
  const { redactor } = settings;
  const fromMessage = statusFromMessage(json);
  const effectiveStatus = effectiveStatusOf(reported, fromMessage);
  // A gateway in between can also say "not found", in another form.
  const isGone = effectiveStatus === 404 && fromMessage === 404;
  if (isGone && kind === 'delete' && hasUnknownOutcome(failures))
    return alreadyDeletedResult(response.status, () => redactor.headers(response.headers()));
  const headers = redactor.headers(response.headers());
  const { body, message } = redactedBody(response, json, redactor);
  const form = formOf(json);
  const meaning = meaningOf(effectiveStatus, form, kind);
  const isRedirect = isRedirectStatus(reported);
  // A 409 concerns a used name only if a name was sent.
  const isWrongState = effectiveStatus === 409 && fromMessage !== 409 && kind !== 'create';
  const isForeign =
    form !== 'service' && meaning.scope === 'account' && ![401, 402].includes(effectiveStatus);
  const statusAdvice = (effectiveStatus === 404 && notFoundAdvice) || adviceByStatus[effectiveStatus];
  return failure(isWrongState ? 'ApiError' : meaning.errorName, {
    ...meaning,
    summary: `${reported || 'a redirect'} from ${url.host}: ${isRedirect ? 'redirects are not followed' : message}`,
    isKeyRefused: effectiveStatus === 401,
    retryAfterMs: effectiveStatus === 429 || reported === 503 ? requestedWaitMs(headers) : undefined,
    advice: isForeign || isRedirect ? notTheService : isWrongState ? undefined : statusAdvice,
    reason: response.status < 300 ? 'failure in the body' : undefined,
    body,
    response: { status: reported, headers },
  });
}

const formOf = (json: unknown): BodyForm => {
  if (json === undefined) return 'not JSON';
  return serviceMessage(json) === undefined ? 'other JSON' : 'service';
};

/** Returns what an error keeps of a body, and its message, without secrets: JSON, if it is short enough, or text. */
function redactedBody(response: HttpResponse, json: unknown, redactor: Redactor) {
  const { text } = response;
  const isDeep = !isWithin(json, maxKeptDepth);
  const message = messageOfBody(response, json, redactor);
  // Written anew, so that no other way to escape a character hides a secret. Of a body that is too deep, the message alone.
  const plain = json === undefined ? text : JSON.stringify(isDeep ? message : json);
  if (redactor.isPrivate(plain))
    return { body: '[redacted]', message: 'a response with a private key, which is not shown' };
  if (isDeep) return { body: '[nested too deeply]', message };
  const clean = redactor.text(plain);
  const body = parseJson(clean, parseExact);
  return { body: body === undefined ? clean : body, message };
}

/** Deepest JSON that an error keeps: what a program writes or sends of it must not end in an overflow. */
const maxKeptDepth = 100;

/** Returns `true` for JSON whose objects and arrays are nested at most this deep. */
const isWithin = (json: unknown, depth: number): boolean =>
  typeof json !== 'object' ||
  json === null ||
  (depth > 0 && Object.values(json).every(member => isWithin(member, depth - 1)));

function messageOfBody(response: HttpResponse, json: unknown, redactor: Redactor): string {
  const message = serviceMessage(json);
  if (message) return oneLine(cut(redactor.text(message)));
  if (json !== undefined)
    return oneLine(cut(redactor.text(explanationOf(json)), maxExplanation)) || 'no message';
  const description = describeBody(response);
  const { length } = response.text;
  return length === 0 || length > maxKeptLength ? description : `${description} in place of JSON`;
}

/** Longest text that a message quotes of JSON in another form than the service's, in characters. */
const maxExplanation = 200;

/** Returns what JSON in another form says about its failure, under the names that other services and gateways use. */
function explanationOf(json: unknown): string {
  const { message, error_description, detail, msg, errors, error, title } = Object(json);
  const texts = [message, error_description, detail, msg, errors, error, title].map(value => textOf(value));
  return typeof json === 'string' ? json : (texts.find(Boolean) ?? '');
}

/** Returns the text in an explanation: itself, its `message`, or the texts of its members: `email: is taken; age: no`. */
function textOf(value: unknown, levels = 2): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || levels === 0) return '';
  if ('message' in value && typeof value.message === 'string') return value.message;
  const members = Object.entries(Array.isArray(value) ? value.slice(0, maxTexts) : value).slice(0, maxTexts);
  const texts = members
    .map(([name, member]) => [name, textOf(member, levels - 1)])
    .filter(([, text]) => text);
  return texts.map(([name, text]) => (Array.isArray(value) ? text : `${name}: ${text}`)).join('; ');
}

const maxTexts = 5;

function describeBody({ text, unread }: HttpResponse): string {
  if (unread !== undefined) return `a body ${oneLine(unread)}`;
  if (text === '') return 'an empty body';
  if (text.length > maxKeptLength) return 'a body of more than 64 kB';
  return /^\s*</.test(text) ? 'an HTML page' : 'other text';
}
