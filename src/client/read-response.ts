import { alreadyDeletedResult } from '../call/api-promise.ts';
import type { Answer } from '../call/call-state.ts';
import { failure, noResponseFailure, unusableResponseFailure } from '../call/failure.ts';
import { hasUnknownOutcome, requestedWaitMs } from '../call/retries.ts';
import type { SendResult } from '../call/send-result.ts';
import {
  type BodyForm,
  isRedirectStatus,
  isServiceBody,
  isTransientStatus,
  meaningOf,
} from '../call/status.ts';
import { cut, oneLine } from '../core/issues.ts';
import { parseExact, parseJson } from '../core/json.ts';
import { maxKeptLength, type Redactor } from '../core/redactor.ts';
import type { HttpResponse } from '../transport/fetch.ts';
import type { Endpoint } from './endpoint.ts';
import type { ServiceCall } from './service-settings.ts';

/**
 * Returns the JSON of a response as data, or a failure. The body is read before the status, because a 200 can report a
 * failure. For an empty body, the data is `undefined`.
 */
export function readResult(call: ServiceCall, sent: SendResult): Answer {
  if (sent.end !== 'response') return noResponseFailure(call, sent);
  const { endpoint, settings } = call;
  const { response } = sent;
  const { status, text, unread, headers } = response;
  const isSuccess = status >= 200 && status < 300;
  if (unread === 'too large') {
    const expected = `at most ${settings.maxResponseBytes} bytes (maxResponseBytes)`;
    return unusableResponseFailure(call, 'unknown', [{ path: '', expected, received: 'more' }], '', 'call');
  }
  const json = isSuccess || text.length <= maxKeptLength ? parseJson(text, parseExact) : undefined;
  if (isCut(endpoint, response, json))
    return failure('ConnectionError', {
      summary: `the response from ${call.url.host} was cut off`,
      outcome: 'unknown',
      isTransient: true,
      reason: 'cut off',
    });
  if (isSuccess && json === undefined && (text !== '' || unread !== undefined))
    return unusableResponseFailure(call, 'unknown', [
      { path: '', expected: 'JSON', received: describeBody(response) },
    ]);
  const failedStatus = isSuccess ? statusInBody(json, status) : status;
  if (failedStatus === undefined || (isSuccess && isRecordOf(endpoint, json)))
    return { data: json, status, headers: () => settings.redactor.headers(headers()) };
  return readFailure(call, response, json, failedStatus);
}

/** Returns `true` for truncated JSON, and for an empty body if the response must have one. */
function isCut({ kind, custom }: Endpoint, { status, text, unread }: HttpResponse, json: unknown): boolean {
  if (unread !== undefined) return unread === 'cut off';
  if (text !== '') return json === undefined && lacksEnd.test(text);
  // A listing and a record are never empty. An endpoint of `client.request`, which has `custom`, may return nothing.
  const needsJson = custom === undefined && (kind === 'read' || kind === 'create');
  return needsJson && status >= 200 && status < 300 && status !== 204;
}

/** An object, an array or a string of JSON without its end. */
const lacksEnd = /^\s*(?:\[(?!.*\]\s*$)|\{(?!.*\}\s*$)|"(?!.*"\s*$))/s;

/**
 * Returns the status of a failure that a body reports (rules 3.1, 3.4 and 3.5): `otherwise` if the body states none.
 * Returns `undefined` if it reports no failure. The legacy interface does not document its failures, so the common forms
 * are recognized.
 */
function statusInBody(json: unknown, otherwise: number): number | undefined {
  const { status, success, error, errors } = Object(json) as Readonly<Record<string, unknown>>;
  const statusText = ['string', 'number'].includes(typeof status) ? String(status) : '';
  if (/^[45]\d\d$/.test(statusText)) return Number(statusText);
  const isFailure = /^(?:error|fail(?:ed|ure)?)$/i.test(statusText) || success === false;
  // `Object.keys` of a string of megabytes would take a minute.
  const hasErrors = typeof errors === 'string' ? errors !== '' : Object.keys(Object(errors)).length > 0;
  return isFailure || error || hasErrors ? otherwise : undefined;
}

/** Returns `true` for a body with an id, if the operation returns a record: it is then a record, not a failure. */
function isRecordOf({ kind, custom }: Endpoint, json: unknown): boolean {
  const canBeRecord = kind === 'read' || kind === 'create' || custom !== undefined;
  return canBeRecord && (Object(json).id ?? '') !== '';
}

/** Messages of the service (rule 3.2) with their statuses. The first is the only one after which it may have acted. */
const messages: readonly (readonly [RegExp, status: number])[] = [
  [/\binternal server error\b/i, 500],
  [/\balready exists\b/i, 409],
  [/\bnot found\b/i, 404],
  [/\bnot in proper format\b/i, 400],
];

/** Returns the status that a message of the service stands for. */
export function statusFromMessage(json: unknown): number | undefined {
  if (!isServiceBody(json)) return undefined;
  if (json.status === 401) return 401;
  return messages.find(([sentence]) => sentence.test(json.message))?.[1];
}

const adviceByStatus: Readonly<Record<number, string>> = {
  401: 'Check the API key, and the team id if the call needs one, in the team settings.',
  403: 'This key lacks permission, or the resource is protected.',
  404: 'Check the id and the path.',
  409: 'Use another name, or the existing resource.',
  429: 'Send fewer requests, for example with the option throttle.',
};

/** Advice for redirects, and for errors that did not come from the service. */
const notTheService =
  'The service did not send this. Check the base URL, and any proxy, firewall or login page in between.';

/** Returns the status that decides what an error means: the reported one, or the status that the message stands for. */
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
): Answer {
  const { kind, notFoundAdvice } = endpoint;
  const { redactor } = settings;
  const fromMessage = statusFromMessage(json);
  const effectiveStatus = effectiveStatusOf(reported, fromMessage);
  // A gateway can also report "not found", in another form.
  const isGone = effectiveStatus === 404 && fromMessage === 404;
  if (isGone && kind === 'delete' && hasUnknownOutcome(failures))
    return alreadyDeletedResult(response.status, () => redactor.headers(response.headers()));
  const headers = redactor.headers(response.headers());
  const { body, message } = redactedBody(response, json, redactor);
  const form = formOf(json);
  const meaning = meaningOf(effectiveStatus, form, kind);
  const isRedirect = isRedirectStatus(reported);
  // A 409 means a used name only if the operation creates something.
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
  return isServiceBody(json) ? 'service' : 'other JSON';
};

/** Returns the body and message for an error, without secrets: JSON if it is short enough, otherwise text. */
function redactedBody(response: HttpResponse, json: unknown, redactor: Redactor) {
  const { text } = response;
  const isDeep = !isShallow(json, maxKeptDepth);
  const message = messageOfBody(response, json, redactor);
  // JSON is written anew, so that unusual escapes cannot hide a secret. If it is too deep, only its message is kept.
  const plain = json === undefined ? text : JSON.stringify(isDeep ? message : json);
  if (redactor.isPrivate(plain))
    return { body: '[redacted]', message: 'a response with a private key, which is not shown' };
  if (isDeep) return { body: '[nested too deeply]', message };
  const clean = redactor.text(plain);
  // Text that was cut for its length can be valid JSON by accident.
  const body = json === undefined ? undefined : parseJson(clean, parseExact);
  return { body: body === undefined ? clean : body, message };
}

/** Maximum depth of JSON that an error keeps, so that programs can serialize it without a stack overflow. */
const maxKeptDepth = 100;

/** Returns `true` for JSON whose objects and arrays are nested at most this deep. */
const isShallow = (json: unknown, depth: number): boolean =>
  typeof json !== 'object' ||
  json === null ||
  (depth > 0 && Object.values(json).every(member => isShallow(member, depth - 1)));

function messageOfBody(response: HttpResponse, json: unknown, redactor: Redactor): string {
  if (isServiceBody(json) && json.message) return oneLine(cut(redactor.text(json.message)));
  if (json !== undefined)
    return oneLine(cut(redactor.text(explanationOf(json)), maxExplanation)) || 'no message';
  return describeBody(response);
}

/** Maximum length of text that a message quotes from unknown JSON, in characters. */
const maxExplanation = 200;

/** Returns the explanation in unknown JSON, under the names that other services and gateways use. */
function explanationOf(json: unknown): string {
  const { message, error_description, detail, msg, errors, error, title } = Object(json);
  const stated = message || error_description || detail || msg || errors || error || title || '';
  const explanation = Object(stated).message ?? (typeof json === 'string' ? json : stated);
  if (typeof explanation === 'string') return explanation;
  return isShallow(explanation, maxKeptDepth) ? JSON.stringify(explanation) : '';
}

function describeBody({ text, unread }: HttpResponse): string {
  if (unread !== undefined) return `a body ${oneLine(unread)}`;
  if (text === '') return 'an empty body';
  if (text.length > maxKeptLength) return 'a body of more than 64 kB';
  return /^\s*</.test(text) ? 'an HTML page' : 'other text';
}
