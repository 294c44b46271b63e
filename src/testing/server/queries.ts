import { aWholeNumber, type OptionRules } from '../../core/option-rules.ts';
import type { RecordedRequest, Recorder } from '../request-log.ts';
import { checkMembers, isText, text } from '../rules.ts';
import type { OperationName } from '../service/router.ts';

/** Thrown by a control if something does not exist, to respond with 404 in place of 400. */
export class NotFound extends Error {}

const anyText = text('a text', isText);
const limit = aWholeNumber(1);

/** Query parameters of the controls that have any. */
const queryRules: Readonly<Record<string, OptionRules>> = {
  'GET records': { search: anyText, limit },
  'GET requests': { operation: anyText, limit },
};

/** Query of a control. */
export interface ControlQuery {
  readonly operation?: string;
  readonly search?: string;
  readonly limit?: number;
}

/** Reads the query of a control. Throws a `RangeError` that names the first unknown or invalid parameter. */
export function readQuery(control: string, params: URLSearchParams): ControlQuery {
  const values = [...params].map(([name, value]) => [
    name,
    name === 'limit' && /^\d+$/.test(value) ? Number(value) : value,
  ]);
  const query = Object.fromEntries(values);
  checkMembers('query parameter', query, queryRules[control] ?? {});
  if (Object.keys(query).length === values.length) return query;
  throw new RangeError('each query parameter can be given only once');
}

/** Returns the requests that a query selects, or the last ones of them. */
export function findRequests(
  { log }: Recorder,
  { operation, limit = Number.POSITIVE_INFINITY }: ControlQuery,
): readonly RecordedRequest[] {
  // `to` checks the name, which comes from a URL.
  const requests = operation === undefined ? log : log.to(operation as OperationName);
  return requests.slice(-limit);
}
