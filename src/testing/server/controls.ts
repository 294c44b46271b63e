import { isObject, literalOrType } from '../../core/json.ts';
import { aWholeNumber, type OptionRules } from '../../core/option-rules.ts';
import type { ActiveFault } from '../faults/fault-kinds.ts';
import type { Faults } from '../faults/faults.ts';
import type { RecordedRequest, Recorder } from '../request-log.ts';
import type { Responder } from '../responder.ts';
import { aText, checkMembers, isText } from '../rules.ts';
import type { State } from '../service/collection.ts';
import { ErrorResponse } from '../service/error-response.ts';
import { recordKinds } from '../service/record-kinds.ts';
import { type OperationName, operationNames, type Router } from '../service/router.ts';
import { type Snapshot, takeSnapshot } from '../service/state.ts';
import type { ControlQuery, RequestList, View } from './control-json.ts';
import { addRecord, changeRecord, deleteFrom, oneRecord, readKind, recordPage } from './record-controls.ts';

/** Parts of a sandbox that the web page and the controls use. */
export interface SandboxParts {
  readonly state: State;
  readonly recorder: Recorder;
  readonly router: Router;
  readonly faults: Faults;
  readonly responder: Responder;
  /** Restores the seed, clears the request log, and removes all faults. */
  readonly reset: () => void;
  readonly restore: (snapshot: Partial<Snapshot>) => void;
}

/** Request to a control: `/_sandbox/<name>/<first>/<second>`. */
interface ControlRequest {
  readonly first: string;
  /** Absent for `/_sandbox/<name>/<first>`, empty for `/_sandbox/<name>/<first>/`. */
  readonly second: string | undefined;
  readonly query: ControlQuery;
  readonly body: string;
}

/** Query parameters of the controls that have any. */
const queryRules: Readonly<Record<string, OptionRules>> = {
  'GET records': { search: aText, limit: aWholeNumber(1) },
  'GET requests': { operation: aText, limit: aWholeNumber(1) },
};

/** Reads the query of a control. Throws a `RangeError` that names the first unknown or invalid parameter. */
export function readQuery(control: string, params: URLSearchParams): ControlQuery {
  const values = [...params].map(([name, value]) => [
    name,
    name === 'limit' && /^\d+$/.test(value) ? Number(value) : value,
  ]);
  const query = Object.fromEntries(values);
  const { [control]: rules } = queryRules;
  if (rules !== undefined) checkMembers('query parameter', query, rules);
  return query;
}

/** Returns the JSON object to respond with to a request under `/_sandbox`. */
type Control = (parts: SandboxParts, request: ControlRequest) => object;

/** The controls, by method and name. */
export const controls: Readonly<Record<string, Control>> = {
  'GET view': parts => viewOf(parts),
  'GET health': () => ({ status: 'ok' }),
  'GET requests': ({ recorder: { log } }, { query: { operation, limit = log.length } }): RequestList => {
    // `to` checks the name, which comes from a URL.
    const requests = operation === undefined ? log : log.to(operation as OperationName);
    return { requests: requests.slice(-limit).map(masked) };
  },
  'DELETE requests': ({ recorder }) => done(() => recorder.clear()),
  'GET faults': ({ faults }, { first }) =>
    first === '' ? { faults: faults.list() } : findFault(faults, first),
  'POST faults': addFault,
  'DELETE faults': ({ faults }, { first }) =>
    done(() => (first === '' ? faults.clear() : faults.remove(findFault(faults, first).number))),
  'POST reset': ({ reset }) => done(reset),
  'GET snapshot': ({ state }) => takeSnapshot(state),
  'PUT snapshot': ({ restore }, { body }) => done(() => restore(readJson(body) as Partial<Snapshot>)),
  'GET records': ({ state }, { first, second, query }) =>
    second ? oneRecord(state, readKind(first), second) : recordPage(state, readKind(first), query),
  'POST records': ({ state }, { first, body }) => addRecord(state, readKind(first), readJson(body)),
  'PATCH records': ({ state }, { first, second = '', body }) =>
    changeRecord(state, readKind(first), second, readJson(body)),
  'DELETE records': ({ state }, { first, second }) => done(() => deleteFrom(state, readKind(first), second)),
};

/** Performs an action, and returns an empty object to respond with. */
function done(action: () => void): object {
  action();
  return {};
}

const viewOf = ({ state, recorder, faults, router }: SandboxParts): View => ({
  revision: recorder.revision,
  counts: Object.fromEntries(Object.entries(state).map(([kind, records]) => [kind, records.size])),
  requests: recorder.log.length,
  faults: faults.list(),
  endpoints: router.endpoints,
  operations: operationNames,
  kinds: recordKinds,
});

/** Headers that contain secrets. */
const secretNames = /^(?:x-team-apikey|api_key|x-api-key|authorization|proxy-authorization|cookie)$/;

/** Masks the secrets of a recorded request. */
function masked(request: RecordedRequest): RecordedRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    secretNames.test(name) ? '[redacted]' : value,
  ]);
  return { ...request, headers: Object.fromEntries(headers) };
}

/** Returns the fault with this number, even after it has ended. */
function findFault(faults: Faults, number: string): ActiveFault {
  const fault = /^[1-9]\d*$/.test(number) ? faults.get(Number(number)) : undefined;
  if (fault === undefined)
    throw new ErrorResponse('unknown', {
      message: `No fault has the number ${literalOrType(number)} since the last reset.`,
    });
  return fault;
}

const exampleFault = '{ "operation": "tags.create", "kind": "fail", "times": 2 }';

function addFault({ faults }: SandboxParts, { body }: ControlRequest): ActiveFault {
  const json = readJson(body);
  const { operation, kind, ...options } = isObject(json) ? json : {};
  if (!isText(operation) || !isText(kind))
    throw new RangeError(`A fault must be an object with operation and kind, such as ${exampleFault}.`);
  const { number } = faults.add(operation, { kind, ...options });
  return findFault(faults, String(number));
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new RangeError(`The body is not JSON: ${(error as SyntaxError).message}.`);
  }
}
