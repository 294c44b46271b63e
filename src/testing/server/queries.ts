import { aWholeNumber, type OptionRules } from '../../core/option-rules.ts';
import type { RecordedRequest, Recorder } from '../request-log.ts';
import { checkMembers, httpStatus, isText, text } from '../rules.ts';
import type { OperationName } from '../service/router.ts';

/** Thrown by a control if something does not exist, to respond with 404 in place of 400. */
export class NotFound extends Error {}

const anyText = text('a text', isText);
const size = aWholeNumber(1);

/** Query parameters of the controls that have any. */
const queryRules: Readonly<Record<string, OptionRules>> = {
  'GET records': { search: anyText, limit: size },
  'GET requests': {
    operation: anyText,
    status: httpStatus,
    since: aWholeNumber(0),
    limit: size,
  },
};

/** Query of a control, whose numbers are numbers. */
export type ControlQuery = Readonly<Partial<Record<'operation' | 'search', string>>> &
  Readonly<Partial<Record<'limit' | 'status' | 'since', number>>>;

/** Reads the query of a control. Throws a `RangeError` that names the first unknown or invalid parameter. */
export function readQuery(control: string, params: URLSearchParams): ControlQuery {
  const rules = queryRules[control] ?? {};
  const isNumber = (name: string, value: string) =>
    /^\d+$/.test(value) && Object.hasOwn(rules, name) && rules[name]?.isValid(value) !== true;
  const values = [...params].map(([name, value]) => [name, isNumber(name, value) ? Number(value) : value]);
  const query = Object.fromEntries(values);
  checkMembers('query parameter', query, rules);
  if (Object.keys(query).length === values.length) return query;
  throw new RangeError('a query parameter is given twice');
}

/** Returns the requests that a query selects, or the last ones of them. */
export function findRequests(
  recorder: Recorder,
  { operation, status, since = 0, limit = Number.POSITIVE_INFINITY }: ControlQuery,
): readonly RecordedRequest[] {
  const requests = operation === undefined ? recorder.log : recorder.log.to(operation as OperationName);
  return requests
    .filter(request => request.number > since && (status === undefined || request.status === status))
    .slice(-limit);
}
