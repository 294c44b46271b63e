import { aWholeNumber, type OptionRules } from '../../core/options.ts';
import { maxTimerMs } from '../../core/timers.ts';
import type { RecordedRequest, Recorder } from '../request-log.ts';
import { checkMembers, httpStatus, isText, text } from '../rules.ts';
import type { OperationName } from '../service/router.ts';

/** Thrown by a control to respond with a status other than 400. */
export class ControlError extends Error {
  readonly status: 404 | 408;

  constructor(status: 404 | 408, message: string) {
    super(message);
    this.status = status;
  }
}

const anyText = text('a text', isText);
const size = aWholeNumber(1);

/** Query parameters of the controls that have any. */
const queryRules: Readonly<Record<string, OptionRules>> = {
  'GET log': { text: anyText, limit: size },
  'GET records': { search: anyText, limit: size },
  'GET requests': {
    operation: anyText,
    status: httpStatus,
    since: aWholeNumber(0),
    waitFor: size,
    timeoutMs: aWholeNumber(0, maxTimerMs),
  },
};

/** Query of a control, whose numbers are numbers. */
export type ControlQuery = Readonly<Partial<Record<'operation' | 'text' | 'search', string>>> &
  Readonly<Partial<Record<'limit' | 'status' | 'since' | 'waitFor' | 'timeoutMs', number>>>;

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

/** Default time to wait for requests, in milliseconds: as long as many test runners give a test. */
const defaultWaitMs = 5000;

/** Returns the requests that a query selects. With `waitFor`, waits until so many have ended. */
export async function findRequests(
  recorder: Recorder,
  { operation, status, since = 0, waitFor, timeoutMs }: ControlQuery,
  signal: AbortSignal,
): Promise<readonly RecordedRequest[]> {
  if (waitFor === undefined && timeoutMs !== undefined)
    throw new RangeError('timeoutMs needs waitFor, the number of requests to wait for');
  const isSelected = (request: RecordedRequest) =>
    request.number > since &&
    (status === undefined || request.status === status) &&
    (waitFor === undefined || request.durationMs !== undefined);
  const find = () =>
    (operation === undefined ? recorder.log : recorder.log.to(operation as OperationName)).filter(isSelected);
  const isMet = () => find().length >= (waitFor ?? 0);
  const waitMs = timeoutMs ?? defaultWaitMs;
  await until(recorder, isMet, waitMs, signal);
  if (isMet()) return find();
  throw new ControlError(408, `${find().length} of ${waitFor} such requests ended within ${waitMs} ms`);
}

/** Waits until the requests fulfil a condition, a time is over, or a signal aborts. */
function until(recorder: Recorder, isMet: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      stopListening();
      clearTimeout(timer);
      resolve();
    };
    const stopListening = recorder.listen(() => isMet() && end());
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (isMet() || signal.aborted) end();
  });
}
