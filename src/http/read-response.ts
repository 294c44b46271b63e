import { NotFoundError, type Outcome, ServerError } from '../errors.ts';
import { errorRow } from './error-table.ts';
import { type Failure, invalidResponse } from './failure.ts';
import { htmlTitle } from './html-title.ts';
import type { Redaction } from './http-context.ts';
import type { HttpResponse } from './http-response.ts';
import { oneLine } from './issue-text.ts';
import { isObject, parseExact } from './json.ts';
import { parseHttpDate, parseRetryAfter } from './retry-after.ts';

/** A success, with the JSON of its body. */
export interface Success {
  readonly ok: true;
  readonly json: unknown;
  readonly response: Pick<HttpResponse, 'status' | 'headers'>;
}

/** Options for reading a response. */
export interface ReadOptions {
  readonly method: string;
  readonly redactor: Redaction;
}

/** Longest message of the service that an error shows, in characters. */
const maxMessageLength = 500;

/**
 * Reads a response: the body first, then the status, as the service reports failures under 200 as well (specification,
 * section 7).
 */
export function readResponse(response: HttpResponse, options: ReadOptions): Success | Failure {
  const { status, text } = response;
  const isSuccess = status >= 200 && status < 300;
  const hasNoBody = status === 204 || (isSuccess && options.method === 'HEAD');
  const json = hasNoBody ? {} : parseJson(text);
  if (json === undefined) {
    if (!isSuccess) return refusal(response, status, undefined, options);
    const received = text === '' ? 'nothing' : describeText(text, options.redactor);
    return invalidResponse('done', status, [{ path: '', expected: 'JSON', received }]);
  }
  const reported = reportedStatus(json);
  if (isSuccess && reported === undefined) return { ok: true, json, response };
  return refusal(response, reported && status < 500 ? reported : status, json, options);
}

/**
 * An integer of at least 16 digits, the number of digits of 2 ** 53. It also matches within texts, which costs time
 * alone. The digits are written out, as engines search for these several times as quickly as for `\d{16}`.
 */
const longInteger = /(?:^|[:,[\s-])\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;

/** Returns `undefined`, which JSON cannot hold, where the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return longInteger.test(text) ? parseExact(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the status that a body reports of a failure; 0 when it says only that it failed, `undefined` when it does
 * not.
 */
function reportedStatus(json: unknown): number | undefined {
  const { status, error, id } = (json ?? {}) as Readonly<Record<string, unknown>>;
  if (status === undefined) return error && id === undefined && saysSomething(error) ? 0 : undefined;
  if (typeof status === 'string' && status.toLowerCase() === 'error') return 0;
  const isNumeric = typeof status === 'number' || (typeof status === 'string' && /^\d{3,9}$/.test(status));
  const number = isNumeric ? Number(status) : Number.NaN;
  if (!(number >= 400)) return undefined;
  return number < 600 ? number : 0;
}

/** Returns `true` for what a service sends as `error` only after a failure: `true`, and text or an object with content. */
function saysSomething(error: NonNullable<unknown>): boolean {
  if (typeof error === 'object') return Object.keys(error).length > 0;
  return error === true || typeof error === 'string';
}

/** The failure of a response that says that the call failed. */
function refusal(response: HttpResponse, status: number, json: unknown, options: ReadOptions): Failure {
  const { redactor } = options;
  const headers = response.headers();
  // The clock of the service can differ from that of this machine.
  const sentAt = parseHttpDate(headers.get('date')) ?? Date.now();
  const wait = parseRetryAfter(headers.get('retry-after'), sentAt);
  const message = messageOf(response, json, redactor);
  const { errorClass, advice } = errorRow(status, message);
  const asksToWait = status === 429 || (status === 503 && wait !== undefined);
  const details = {
    status: status || response.status,
    body: json === undefined ? redactor.text(response.text) : redactor.value(json),
    headers: redactor.headers(headers),
    ...(wait !== undefined && { retryAfter: wait / 1000 }),
  };
  return {
    ok: false,
    outcome: asksToWait ? 'refused' : outcomeOf(response.status, errorClass === ServerError, options.method),
    status: response.status,
    retryAfterMs: asksToWait ? wait : undefined,
    notFound: errorClass === NotFoundError,
    transient: asksToWait || errorClass === ServerError,
    message: host => `${status || response.status} from ${host}: ${message}`,
    advice,
    toError: (text, common) => new errorClass(text, { ...common, ...details }),
  };
}

/** A redirect that is not followed, and what is no final response, say nothing of whether a write was done. */
function outcomeOf(status: number, isServerError: boolean, method: string): Outcome {
  if (isServerError || status < 200) return 'unknown';
  return status >= 300 && status < 400 && method !== 'GET' ? 'unknown' : 'refused';
}

function messageOf({ status, text }: HttpResponse, json: unknown, redactor: Redaction): string {
  if (status >= 300 && status < 400) return 'redirects are not followed';
  const { message, error } = isObject(json) ? json : {};
  const said = message ?? (isObject(error) ? error.message : error);
  if (typeof said === 'string' && said !== '') return oneLine(redactor.text(said).slice(0, maxMessageLength));
  if (json !== undefined) return 'no message';
  return text === '' ? 'an empty body' : `${describeText(text, redactor)} in place of JSON`;
}

/** Says what a body holds that is no JSON, with the title of a page. */
function describeText(text: string, redactor: Redaction): string {
  const title = htmlTitle(redactor.text(text));
  if (title === undefined) return 'other text';
  return title === '' ? 'an HTML page' : `an HTML page titled "${oneLine(title)}"`;
}
