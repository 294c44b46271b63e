import { isObject, literalOrType } from '../../core/json.ts';
import type { ActiveFault } from '../faults/fault-kinds.ts';
import type { Faults } from '../faults/faults.ts';
import type { RecordedRequest, Recorder } from '../request-log.ts';
import type { Responder } from '../responder.ts';
import { isText } from '../rules.ts';
import type { State } from '../service/collection.ts';
import { recordKinds } from '../service/record-kinds.ts';
import { operationNames, type Router } from '../service/router.ts';
import { type Snapshot, takeSnapshot } from '../service/state.ts';
import type { RequestList, View } from './control-json.ts';
import { type ControlQuery, findRequests, NotFound } from './queries.ts';
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

/** Returns the JSON object to respond with to a request under `/_sandbox`. */
type Control = (parts: SandboxParts, request: ControlRequest) => object;

/** The controls, by method and name. */
export const controls: Readonly<Record<string, Control>> = {
  'GET view': parts => viewOf(parts),
  'GET health': () => ({ status: 'ok' }),
  'GET requests': ({ recorder }, { query }): RequestList => ({
    requests: findRequests(recorder, query).map(masked),
  }),
  'DELETE requests': ({ recorder }) => done(() => recorder.clear()),
  'GET faults': ({ faults }, { first }) =>
    first === '' ? { faults: faults.list() } : findFault(faults, first),
  'POST faults': addFault,
  'DELETE faults': ({ faults }, { first }) =>
    done(() => (first === '' ? faults.clear() : faults.remove(findFault(faults, first).number))),
  'POST reset': ({ reset }) => done(reset),
  'GET snapshot': ({ state }) => takeSnapshot(state),
  'PUT snapshot': ({ restore }, { body }) => done(() => restore(readJson(body) as Partial<Snapshot>)),
  'GET records': (parts, { first, second, query }) =>
    second ? oneRecord(parts, readKind(first), second) : recordPage(parts, readKind(first), query),
  'POST records': (parts, { first, body }) => addRecord(parts, readKind(first), readJson(body)),
  'PATCH records': (parts, { first, second = '', body }) =>
    changeRecord(parts, readKind(first), second, readJson(body)),
  'DELETE records': (parts, { first, second }) => done(() => deleteFrom(parts, readKind(first), second)),
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

/** Returns the fault with this number, also after it has ended. */
function findFault(faults: Faults, number: string): ActiveFault {
  const fault = /^[1-9]\d*$/.test(number) ? faults.get(Number(number)) : undefined;
  if (fault === undefined)
    throw new NotFound(`no fault has the number ${literalOrType(number)} since the last reset`);
  return fault;
}

const exampleFault = '{ "operation": "tags.create", "kind": "fail", "times": 2 }';

function addFault({ faults }: SandboxParts, { body }: ControlRequest): ActiveFault {
  const json = readJson(body);
  const { operation, kind, ...options } = isObject(json) ? json : {};
  if (!isText(operation) || !isText(kind))
    throw new RangeError(`a fault must be an object with operation and kind, such as ${exampleFault}`);
  const { number } = faults.add(operation, { kind, ...options });
  return findFault(faults, String(number));
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new RangeError(`this is not JSON: ${(error as SyntaxError).message}`);
  }
}
