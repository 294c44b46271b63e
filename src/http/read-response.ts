import { NotFoundError, type Outcome, ServerError } from '../errors.ts';
import { errorRow } from './error-table.ts';
import { type Failure, invalidResponse } from './failure.ts';
import type { HttpResponse } from './http-response.ts';
import { oneLine } from './issue-text.ts';
import { isObject, parseExact } from './json.ts';
import { parseHttpDate, parseRetryAfter } from './retry-after.ts';
import { maxKeptLength, type Redaction } from './secrets/redactor.ts';

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
    body: shownBody(response.text, json, redactor),
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

/** Stands for the body of a response that may not be shown. */
const hiddenBody = '[redacted]';

/** Returns what an error keeps of a body: its JSON if it is short enough, otherwise its text, both without secrets. */
function shownBody(text: string, json: unknown, redactor: Redaction): unknown {
  if (redactor.isPrivate(text)) return hiddenBody;
  if (json === undefined || text.length > maxKeptLength) return redactor.text(text);
  let clean = '[nested too deeply]';
  try {
    const cleanText = (_: string, item: unknown) => (typeof item === 'string' ? redactor.text(item) : item);
    // Searched once more as a whole, for secrets in names and numbers.
    clean = redactor.text(JSON.stringify(json, cleanText));
    return JSON.parse(clean);
  } catch {
    return clean;
  }
}

function messageOf({ status, text }: HttpResponse, json: unknown, redactor: Redaction): string {
  if (status >= 300 && status < 400) return 'redirects are not followed';
  if (redactor.isPrivate(text)) return 'a response with a private key, which is not shown';
  const { message, error } = isObject(json) ? json : {};
  const said = message ?? (isObject(error) ? error.message : error);
  if (typeof said === 'string' && said !== '') return oneLine(redactor.text(said).slice(0, maxMessageLength));
  if (json !== undefined) return 'no message';
  return text === '' ? 'an empty body' : `${describeText(text, redactor)} in place of JSON`;
}

/** Characters at the start of a web page in which its title is looked for. */
const maxTitleOffset = 4_096;

/** Longest title that is shown, in characters. */
const maxTitleLength = 100;

/** Says what a body holds that is not JSON, with the title of a web page. */
function describeText(text: string, redactor: Redaction): string {
  if (!/^\s*</.test(text)) return 'other text';
  const [, found = ''] = /<title[^>]*>([^<]*)/i.exec(redactor.text(text).slice(0, maxTitleOffset)) ?? [];
  const title = oneLine(found).replace(/\s+/g, ' ').trim().slice(0, maxTitleLength);
  return title === '' ? 'an HTML page' : `an HTML page titled "${title}"`;
}
