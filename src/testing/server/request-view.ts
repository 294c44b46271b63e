import type { RecordedRequest, Recorder } from '../request-log.ts';
import type { RequestDetail, RequestPage, RequestSummary } from './protocol.ts';

/** Headers that contain secrets, in lower case. The team id is shown: it is the sandbox's own. */
const secretNames = new Set([
  'x-team-apikey',
  'api_key',
  'x-api-key',
  'authorization',
  'proxy-authorization',
  'cookie',
]);

/** Shown instead of a secret. */
const mask = '[redacted]';

/** Masks the secrets in headers or query parameters. */
function masked(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secretNames.has(name.toLowerCase()) ? mask : value]),
  );
}

/** Masks the secrets of a recorded request. */
export function maskedRequest(recorder: Recorder, request: RecordedRequest): RecordedRequest {
  const body = writable(request.body, recorder.source(request)?.body);
  return { ...request, query: masked(request.query), headers: masked(request.headers), body };
}

/** Returns the body, or its text if it is nested too deeply to be written as JSON. */
function writable(body: unknown, text: string | undefined): unknown {
  try {
    // With a replacer, this uses more stack than writing the response later, so whatever passes here is safe.
    JSON.stringify(body, (_, value) => value);
    return body;
  } catch {
    return text;
  }
}

/** Default number of requests in a page. */
const defaultPageSize = 200;
/** Maximum number of requests in a page. */
const maxPageSize = 1000;

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

/** Returns a request as a row of the list. */
export function summary(recorder: Recorder, request: RecordedRequest): RequestSummary {
  const { number, time, method, path, query, status, durationMs, error, fault } = request;
  return {
    number,
    time,
    method,
    path,
    query: masked(query),
    status,
    durationMs,
    reason: error?.reason,
    fault,
    retryOf: retriedNumber(recorder, request),
  };
}

/** Returns a request with all details. */
export function detail(recorder: Recorder, request: RecordedRequest): RequestDetail {
  return { ...maskedRequest(recorder, request), bodyText: recorder.source(request)?.body ?? '' };
}

/** Returns a page of the requests that match the query's filter and are older than `before`, newest first. */
export function requestPage(recorder: Recorder, query: URLSearchParams): RequestPage {
  const { log } = recorder;
  const limit = Math.min(Number(query.get('limit') ?? defaultPageSize) || defaultPageSize, maxPageSize);
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  const matches = requestFilter(recorder, query);
  const found: RequestSummary[] = [];
  for (let index = log.length - 1; index >= 0; index--) {
    const request = log[index] as RecordedRequest;
    if (request.number >= before || !matches(request)) continue;
    if (found.length === limit) return { requests: found, more: true };
    found.push(summary(recorder, request));
  }
  return { requests: found, more: false };
}

/** Creates a filter from `method`, `path`, `status` and `text` of a query. */
export function requestFilter(
  recorder: Recorder,
  query: URLSearchParams,
): (request: RecordedRequest) => boolean {
  const value = (name: string) => query.get(name)?.trim().toLowerCase() ?? '';
  const [method, path, status, text] = [value('method'), value('path'), value('status'), value('text')];
  return request =>
    (method === '' || request.method.toLowerCase() === method) &&
    (path === '' || request.path.toLowerCase().includes(path)) &&
    (status === '' || hasStatus(request, status)) &&
    (text === '' || textOf(request, recorder.source(request)?.body).includes(text));
}

/** Whether a status matches `404`, a class such as `4xx`, or `none`. */
function hasStatus({ status }: RecordedRequest, wanted: string): boolean {
  if (wanted === 'none') return status === undefined;
  return status !== undefined && (`${status}` === wanted || `${Math.floor(status / 100)}xx` === wanted);
}

/** Returns the searchable text of a request, in lower case and without secrets. */
function textOf(request: RecordedRequest, body = ''): string {
  const { method, path, query, endpoint, operation, error, fault, response, status } = request;
  const parts = [method, path, Object.values(masked(query)), endpoint, operation, error, fault, status];
  return `${JSON.stringify(parts)} ${body} ${response?.text ?? ''}`.toLowerCase();
}
