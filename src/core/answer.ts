import {
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  type Outcome,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../errors.ts';
import type { Redactor } from '../http/redact.ts';
import { type Fault, invalidAnswer } from './fault.ts';
import type { HttpAnswer } from './http.ts';
import { isObject } from './json.ts';
import { retryAfterMs } from './retry-after.ts';

interface ErrorRow {
  readonly make: new (message: string, details: ApiErrorDetails) => ApiError;
  readonly statuses: readonly number[];
  /** The service's own words for it (specification, section 7), which count whatever the status. */
  readonly words?: RegExp;
}

/** Which class an answer becomes: the first row whose words or status fit. */
const errorRows: readonly ErrorRow[] = [
  { make: ConflictError, statuses: [409], words: /already (exists|used|in use|taken|registered)/i },
  {
    make: AuthenticationError,
    statuses: [401],
    words: /(team.?id|api.?key)\b.*(not valid|invalid|missing)/i,
  },
  { make: RateLimitError, statuses: [429] },
  { make: NotFoundError, statuses: [404], words: /not found/i },
  { make: BadRequestError, statuses: [400, 422], words: /not in (the )?proper format/i },
  { make: PermissionError, statuses: [403] },
  { make: ServerError, statuses: [], words: /internal server error/i },
];

/** A 5xx may have acted whatever it says, unless it says that the name is taken. */
function classOf(status: number, message: string): ErrorRow['make'] {
  const row = errorRows.find(({ statuses, words }) => statuses.includes(status) || words?.test(message));
  return status >= 500 && row?.make !== ConflictError ? ServerError : (row?.make ?? ApiError);
}

/**
 * Reads an answer: the body first, then the status, as the service reports failures under 200 as well.
 * Returns the JSON of a success and throws a `Fault` for everything else.
 */
export function readAnswer(answer: HttpAnswer, parse: (text: string) => unknown, redact: Redactor): unknown {
  const { status, text } = answer;
  const success = status >= 200 && status < 300;
  let json: unknown;
  try {
    // "No content" is a success that says nothing, as an empty acknowledgement does.
    json = status === 204 ? {} : parse(text);
  } catch {
    if (success)
      throw invalidAnswer('done', status, [
        { path: '', expected: 'JSON', received: text === '' ? 'nothing' : 'other text' },
      ]);
    throw refusal(answer, status, undefined, redact);
  }
  const told = toldStatus(json);
  if (success && told === undefined) return json;
  throw refusal(answer, told && status < 500 ? told : status, json, redact);
}

/** The status that a body itself tells of a failure; 0 when it only says that it failed, `undefined` when it does not. */
function toldStatus(json: unknown): number | undefined {
  if (!isObject(json)) return undefined;
  const { status, error } = json;
  if (status === undefined) return typeof error === 'string' && json.id === undefined ? 0 : undefined;
  if (status === 'error') return 0;
  const told = typeof status === 'number' || typeof status === 'string' ? Number(status) : Number.NaN;
  return told >= 400 ? told : undefined;
}

/** The fault of an answer that says the call failed. */
function refusal(answer: HttpAnswer, status: number, json: unknown, redact: Redactor): Fault {
  const wait = retryAfterMs(answer.headers.get('retry-after'), Date.now());
  const said = isObject(json) ? (json.message ?? json.error) : undefined;
  const message = typeof said === 'string' ? redact.text(said).slice(0, 500) : 'no message';
  const make = classOf(status, message);
  const held = status === 429 || (status === 503 && wait !== undefined);
  const outcome: Outcome = make === ServerError && !held ? 'unknown' : 'refused';
  return {
    fault: true,
    outcome,
    status: answer.status,
    retryAfterMs: held ? wait : undefined,
    gone: make === NotFoundError,
    transient: held || make === ServerError,
    message: `${status}: ${status >= 300 && status < 400 ? 'redirects are not followed' : message}`,
    toError: (text, details) =>
      new make(text, {
        ...details,
        status,
        body: json === undefined ? redact.text(answer.text) : redact.value(json),
        headers: redact.headers(answer.headers),
        ...(make === RateLimitError && wait !== undefined ? { retryAfter: wait / 1000 } : {}),
      }),
  };
}
