import { isObject } from '../http/json.ts';
import type { Failure } from '../http/response/failure.ts';
import {
  type BodyConventions,
  type ReadOptions,
  readResponse,
  type Success,
} from '../http/response/read-response.ts';
import type { HttpResponse } from '../http/transport/transport.ts';

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
 * Conventions of the service (rules 3.1, 3.4 and 3.5): an error is `{ status: 'error', message }`,
 * `{ status: 401, message }` with a number of 400 or more, which the legacy interface writes as text, or `{ error }`, and
 * each can come under 200.
 */
const conventions: BodyConventions = {
  reportedStatus(json) {
    const { status, error, id } = (json ?? {}) as Readonly<Record<string, unknown>>;
    // A body with an id is a record, whatever its other fields.
    if (id !== undefined && id !== null) return undefined;
    if (status === undefined) return error && saysSomething(error) ? 0 : undefined;
    if (typeof status === 'string' && status.toLowerCase() === 'error') return 0;
    const isNumeric = typeof status !== 'object' && /^\d{3,9}$/.test(String(status));
    const number = isNumeric ? Number(status) : 0;
    if (number < 400) return undefined;
    return number < 600 ? number : 0;
  },
  isOwnForm(json) {
    const { status, message } = Object(json);
    return (status === 'error' || status === 401) && typeof message === 'string';
  },
  messageOf(json) {
    const { message, error } = isObject(json) ? json : {};
    return message ?? (isObject(error) ? error.message : error);
  },
  statusOf: message => messages.find(([sentence]) => sentence.test(message))?.[1],
  advice: { 401: 'Check the API key, and for client.legacy the team id, in the team settings.' },
};

/** Whether an `error` member means a failure: `true`, or a non-empty string or object. */
function saysSomething(error: NonNullable<unknown>): boolean {
  if (typeof error === 'object') return Object.keys(error).length > 0;
  return error === true || typeof error === 'string';
}

/** Reads a response of the service. */
export const readServiceResponse = (response: HttpResponse, options: ReadOptions): Success | Failure =>
  readResponse(response, options, conventions);
