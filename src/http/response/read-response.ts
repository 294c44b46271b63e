import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  type Outcome,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../errors.ts';
import { oneLine } from '../issues.ts';
import { parseExact } from '../json.ts';
import { maxKeptLength, type Redactor } from '../secrets/redactor.ts';
import type { HttpResponse } from '../transport/transport.ts';
import { type Failure, invalidResponse } from './failure.ts';

/** A success, with the JSON of its body. */
export interface Success {
  readonly ok: true;
  readonly json: unknown;
  readonly response: Pick<HttpResponse, 'status' | 'headers'>;
}

/** Options for reading a response. */
export interface ReadOptions {
  readonly method: string;
  readonly redactor: Redactor;
  /** Sentence about what to do if the service does not find what the operation names. */
  readonly notFoundAdvice?: string | undefined;
}

/** Conventions of a service for the bodies of its responses. */
export interface BodyConventions {
  /**
   * Returns the status that a body reports of a failure; 0 if it says only that it failed, `undefined` if it does not.
   */
  reportedStatus(json: unknown): number | undefined;
  /** Returns the message of an error response. */
  messageOf(json: unknown): unknown;
  /** Returns the kind of error that a message says under this status, if it says one. */
  kindOf(message: string, status: number): ErrorKind | undefined;
  /** Sentences about what to do next, in place of the general ones. */
  readonly advice: Readonly<Partial<Record<ErrorKind, string>>>;
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
  const hasNoBody = status === 204 || (isSuccess && options.method === 'HEAD');
  // Reading 10 MB of JSON made to be slow takes seconds: of a failure so much has no use.
  const isUnread = !isSuccess && text.length > maxKeptLength;
  const json = hasNoBody ? {} : isUnread ? undefined : parseJson(text);
  if (isSuccess && json === undefined) {
    const received = text === '' ? 'nothing' : describeText(text, options.redactor);
    return invalidResponse('done', status, [{ path: '', expected: 'JSON', received }]);
  }
  const reported = conventions.reportedStatus(json);
  if (isSuccess && reported === undefined) return { ok: true, json, response };
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

/** Kind of an error response. */
export type ErrorKind = keyof typeof errorTable;

/** Error class of each kind of error response, with what to do next. */
const errorTable = {
  authentication: { errorClass: AuthenticationError, advice: 'Check the API key.' },
  notFound: { errorClass: NotFoundError, advice: 'Check the id and the path.' },
  rateLimit: {
    errorClass: RateLimitError,
    advice: 'Send fewer requests, for example with the option throttle.',
  },
  conflict: { errorClass: ConflictError, advice: 'Use another name, or the resource that exists.' },
  badRequest: { errorClass: BadRequestError, advice: 'Check the input.' },
  permission: {
    errorClass: PermissionError,
    advice: 'Check the reason given, and what the API key may do.',
  },
  redirect: {
    errorClass: ApiError,
    advice: 'Check the base URL: it must be where the service itself responds.',
  },
  server: { errorClass: ServerError, advice: '' },
  other: { errorClass: ApiError, advice: 'Check the reason given, and the request.' },
} as const;

const statusKinds: Readonly<Record<number, ErrorKind>> = {
  400: 'badRequest',
  401: 'authentication',
  403: 'permission',
  404: 'notFound',
  409: 'conflict',
  422: 'badRequest',
  429: 'rateLimit',
};

/** Statuses of which no message of the service changes the kind. */
const decisiveStatuses: readonly number[] = [401, 404, 429];

/** Returns the kind of an error response. `said` is the kind that the message of the service says. */
function errorKind(status: number, said: ErrorKind | undefined): ErrorKind {
  const byStatus = statusKinds[status] ?? (status >= 500 ? 'server' : 'other');
  return decisiveStatuses.includes(status) ? byStatus : (said ?? byStatus);
}

/** Returns the failure of a response that says that the call failed. */
function errorResponse(
  response: HttpResponse,
  status: number,
  json: unknown,
  { redactor, method, notFoundAdvice }: ReadOptions,
  conventions: BodyConventions,
): Failure {
  const { text } = response;
  const headers = response.headers();
  const waitMs = requestedWaitMs(headers);
  const isRedirect = response.status >= 300 && response.status < 400;
  const message = isRedirect ? 'redirects are not followed' : messageOf(text, json, redactor, conventions);
  const kind = isRedirect ? 'redirect' : errorKind(status, conventions.kindOf(message, status));
  const { errorClass, advice } = errorTable[kind];
  const asksToWait = kind === 'rateLimit' || (status === 503 && waitMs !== undefined);
  const details = {
    status: status || response.status,
    body: shownBody(text, json, redactor),
    headers: redactor.headers(headers),
    ...(waitMs !== undefined && { retryAfter: waitMs / 1000 }),
  };
  const asked = asksToWait && waitMs ? [`The service asks to wait ${Math.ceil(waitMs / 1000)} s.`] : [];
  const own =
    kind === 'notFound' ? (isWebPage(text) ? webPageAdvice : notFoundAdvice) : conventions.advice[kind];
  return {
    ok: false,
    outcome: asksToWait ? 'refused' : outcomeOf(response.status, kind, method),
    status: response.status,
    retryAfterMs: asksToWait ? waitMs : undefined,
    notFound: kind === 'notFound',
    transient: asksToWait || kind === 'server',
    message: host => `${status || response.status} from ${host}: ${message}`,
    advice: [...asked, own ?? advice].join(' ').trim() || undefined,
    toError: (fullMessage, common) => new errorClass(fullMessage, { ...common, ...details }),
  };
}

const webPageAdvice = 'Check the base URL: a web page is there, and not the service.';

/** A redirect that is not followed, and what is no final response, say nothing of whether a write was done. */
function outcomeOf(status: number, kind: ErrorKind, method: string): Outcome {
  if (kind === 'server' || status < 200) return 'unknown';
  return status >= 300 && status < 400 && method !== 'GET' ? 'unknown' : 'refused';
}

/** A number of seconds, as `Retry-After` holds it. */
const seconds = /^\d+(?:\.\d+)?$/;

/** The start of an HTTP date: the name of a day. `Date.parse` by itself accepts nearly any text. */
const dayName = /^[A-Z][a-z]{2,8},? /;

/** Returns the milliseconds that `Retry-After` asks for, from seconds or an HTTP date; `undefined` without them. */
export function requestedWaitMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (seconds.test(text)) return Number(text) * 1000;
  const date = parseHttpDate(text);
  // The clock of the service can differ from that of this machine.
  const now = parseHttpDate(headers.get('date') ?? '') ?? Date.now();
  return date === undefined ? undefined : Math.max(0, date - now);
}

/** Returns the milliseconds since 1970 of an HTTP date; `undefined` for any other text. */
function parseHttpDate(text: string): number | undefined {
  const date = dayName.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

/** Returns what an error keeps of a body: its JSON if it is short enough, otherwise its text, both without secrets. */
function shownBody(text: string, json: unknown, redactor: Redactor): unknown {
  if (redactor.isPrivate(text)) return '[redacted]';
  if (json === undefined || text.length > maxKeptLength) return redactor.text(text);
  let clean = '[nested too deeply]';
  try {
    // Written anew, so that no other way to escape a character hides a secret.
    clean = redactor.text(JSON.stringify(json));
    return JSON.parse(clean);
  } catch {
    return clean;
  }
}

/** Longest message of the service that an error shows, in characters. */
const maxMessageLength = 500;

function messageOf(text: string, json: unknown, redactor: Redactor, conventions: BodyConventions): string {
  if (redactor.isPrivate(text)) return 'a response with a private key, which is not shown';
  const said = conventions.messageOf(json);
  if (typeof said === 'string' && said !== '') return oneLine(redactor.text(said).slice(0, maxMessageLength));
  if (json !== undefined) return 'no message';
  if (text.length > maxKeptLength && !isWebPage(text)) return 'a body of more than 64 kB';
  return text === '' ? 'an empty body' : `${describeText(text, redactor)} in place of JSON`;
}

/** Characters at the start of a web page in which its title is looked for. */
const maxTitleOffset = 4_096;

/** Longest title that is shown, in characters. */
const maxTitleLength = 100;

/** The title of a web page. It ends at the next tag, so that the search takes linear time. */
const titlePattern = /<title[^<>]*>([^<]*)/i;

const isWebPage = (text: string): boolean => /^\s*</.test(text);

/** Says what a body holds that is not JSON, with the title of a web page. */
function describeText(text: string, redactor: Redactor): string {
  if (!isWebPage(text)) return 'other text';
  const [, found = ''] = titlePattern.exec(redactor.text(text).slice(0, maxTitleOffset)) ?? [];
  const title = oneLine(found).replace(/\s+/g, ' ').trim().slice(0, maxTitleLength);
  return title === '' ? 'an HTML page' : `an HTML page titled "${title}"`;
}
