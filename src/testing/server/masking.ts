import type { RecordedRequest } from '../journal.ts';

/** Names of headers and query parameters that hold secrets, in lower case. */
const secretNames = new Set([
  'x-team-apikey',
  'api_key',
  'x-api-key',
  'authorization',
  'proxy-authorization',
  'cookie',
  'team_id',
]);

/** Stands in place of a secret. */
const mask = '[redacted]';

/** Returns headers or query parameters with their secrets masked. */
export function masked(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, secretNames.has(name.toLowerCase()) ? mask : value]),
  );
}

/** Returns a request of the journal with its secrets masked. */
export function maskedRequest(request: RecordedRequest): RecordedRequest {
  return { ...request, query: masked(request.query), headers: masked(request.headers) };
}
