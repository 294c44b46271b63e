import type { RecordedRequest, Recorder } from '../request-log.ts';
import type { RequestDetail, RequestPage, RequestSummary } from './protocol.ts';
import type { ControlQuery } from './queries.ts';

/** Headers that contain secrets. The team id is shown: it is the sandbox's own. */
const secretNames = /^(?:x-team-apikey|api_key|x-api-key|authorization|proxy-authorization|cookie)$/i;

/** Shown instead of a secret. */
const mask = '[redacted]';

/** Masks the secrets in headers or query parameters. */
function masked(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secretNames.test(name) ? mask : value]),
  );
}

/** Masks the secrets of a recorded request. */
export function maskedRequest(request: RecordedRequest): RecordedRequest {
  return { ...request, query: masked(request.query), headers: masked(request.headers) };
}

/** Default number of requests in a page. */
const defaultPageSize = 200;

/** How many earlier requests to search for the one that a request retries. */
const maxRequestsBetween = 50;

/** Returns the number of the failed request that a request retries, if any. */
function retriedNumber(recorder: Recorder, request: RecordedRequest): number | undefined {
  const { log } = recorder;
  const bodyOf = (recorded: RecordedRequest) => recorder.source(recorded)?.body;
  const isRepeated = (earlier: RecordedRequest) =>
    earlier.method === request.method &&
    earlier.path === request.path &&
    bodyOf(earlier) === bodyOf(request) &&
    JSON.stringify(earlier.query) === JSON.stringify(request.query);
  const at = log.lastIndexOf(request);
  for (let index = at - 1; index >= Math.max(0, at - maxRequestsBetween); index--) {
    const earlier = log[index] as RecordedRequest;
    if (isRepeated(earlier)) return isTransient(earlier) ? earlier.number : undefined;
  }
  return undefined;
}

const isTransient = ({ status, durationMs }: RecordedRequest): boolean =>
  status === undefined ? durationMs !== undefined : status === 429 || status >= 500;

const kindsOf = ({ appliedFaults = [] }: RecordedRequest) => appliedFaults.map(({ kind }) => kind);

/** Returns a request as a row of the list. */
function summary(recorder: Recorder, request: RecordedRequest): RequestSummary {
  const { number, time, method, path, query, status, durationMs, error } = request;
  return {
    number,
    time,
    method,
    path,
    query: masked(query),
    status,
    durationMs,
    reason: error?.reason,
    faults: kindsOf(request),
    retryOf: retriedNumber(recorder, request),
  };
}

/** Returns a request with all details. */
export function detail(recorder: Recorder, request: RecordedRequest): RequestDetail {
  const bodyText = recorder.source(request)?.body ?? '';
  return { ...maskedRequest(request), bodyText, retryOf: retriedNumber(recorder, request) };
}

/** Returns the newest requests that contain every word of the query's `text`, newest first. */
export function requestPage(
  recorder: Recorder,
  { text: wanted = '', limit = defaultPageSize }: ControlQuery,
): RequestPage {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const found: RequestSummary[] = [];
  for (const request of recorder.log.toReversed()) {
    const text = words.length === 0 ? '' : textOf(request, recorder.source(request)?.body);
    if (!words.every(word => text.includes(word))) continue;
    if (found.length === limit) return { requests: found, more: true };
    found.push(summary(recorder, request));
  }
  return { requests: found, more: false };
}

/** Returns the searchable text of a request, in lower case and without secrets. */
function textOf(request: RecordedRequest, body = ''): string {
  const { method, path, query, endpoint, operation, error, response, status } = request;
  const result = status === undefined ? 'no response' : `${status} ${Math.floor(status / 100)}xx`;
  const parts = [
    method,
    path,
    Object.values(masked(query)),
    endpoint,
    operation,
    error,
    kindsOf(request),
    result,
  ];
  return `${JSON.stringify(parts)} ${body} ${response?.text ?? ''}`.toLowerCase();
}
