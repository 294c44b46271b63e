import { isObject, shown } from '../../core/json.ts';
import type { FaultOrder } from '../faults/check.ts';
import type { Faults } from '../faults/faults.ts';
import type { ActiveFault, FaultTarget } from '../faults/kinds.ts';
import type { RecordedRequest, Recorder } from '../request-log.ts';
import type { Reply, Responder } from '../respond.ts';
import { isText } from '../rules.ts';
import type { State } from '../service/collection.ts';
import { recordKinds } from '../service/records.ts';
import { operationNames, type Router } from '../service/router.ts';
import type { ReadRequest, SandboxKeys } from '../service/service.ts';
import { type Snapshot, takeSnapshot } from '../service/state.ts';
import type { Overview, View } from './protocol.ts';
import { ControlError, type ControlQuery, findRequests } from './queries.ts';
import { addRecord, changeRecord, deleteRecord, oneRecord, readKind, recordPage } from './records.ts';
import { detail, maskedRequest, requestPage } from './request-view.ts';

/** Parts of a sandbox that the web page and the controls use. */
export interface SandboxParts extends SandboxKeys {
  readonly maxBodyBytes: number;
  readonly corsOrigins: readonly string[];
  readonly state: State;
  readonly recorder: Recorder;
  readonly router: Router;
  readonly faults: Faults;
  readonly responder: Responder;
  /** Restores the seed, clears the request log, and removes all faults. */
  readonly reset: () => void;
  readonly restore: (snapshot: Snapshot) => void;
  readonly advance: (ms: number) => void;
}

/** Request to a control: `/_sandbox/<name>/<first>/<second>`. */
interface ControlRequest {
  readonly first: string;
  readonly second: string;
  readonly query: ControlQuery;
  readonly body: string;
  /** Aborts when the connection is closed. */
  readonly signal: AbortSignal;
}

/** Returns the JSON response to a request under `/_sandbox`, or a promise of it, or throws. */
type Control = (parts: SandboxParts, request: ControlRequest) => unknown;

/** Interval between updates of a live stream, in milliseconds. */
const updateMs = 100;
/** Delay before the web page reconnects, in milliseconds. */
const reconnectMs = 1000;

/** Maximum duration of a replayed request, in milliseconds. */
const maxReplayMs = 60_000;

/** The controls, by method and name. */
export const controls: Readonly<Record<string, Control>> = {
  'GET view': view,
  'GET log': ({ recorder }, { query }) => requestPage(recorder, query),
  'GET health': () => ({ status: 'ok' }),
  'GET requests': async ({ recorder }, { query, signal }) =>
    (await findRequests(recorder, query, signal)).map(maskedRequest),
  'GET request': (parts, { first }) => detail(parts.recorder, recorded(parts, first)),
  'DELETE requests': ({ recorder }) => recorder.clear() ?? true,
  'POST replay': replay,
  'GET faults': getFaults,
  'POST faults': addFault,
  'DELETE faults': ({ faults }, { first }) => faults.clear(first === '' ? undefined : Number(first)),
  'POST reset': ({ reset }) => reset() ?? true,
  'POST advance': ({ advance }, { body }) => advance(Object(readJson(body)).ms) ?? true,
  'GET snapshot': ({ state }) => takeSnapshot(state),
  'PUT snapshot': ({ restore }, { body }) => restore(readJson(body) as Snapshot) ?? true,
  'GET records': (parts, { first, second, query }) =>
    second === '' ? recordPage(parts, readKind(first), query) : oneRecord(parts, readKind(first), second),
  'POST records': (parts, { first, body }) => addRecord(parts, readKind(first), readJson(body)),
  'PATCH records': (parts, { first, second, body }) =>
    changeRecord(parts, readKind(first), second, readJson(body)),
  'DELETE records': (parts, { first, second }) => deleteRecord(parts, readKind(first), second),
};

function view(parts: SandboxParts): View {
  const { apiKey, legacyApiKey, teamId, router } = parts;
  return {
    ...overview(parts),
    apiKey,
    legacyApiKey,
    teamId,
    operations: operationNames,
    endpoints: router.endpoints,
    kinds: recordKinds,
  };
}

/** Returns a request of the log by its number. */
function recorded({ recorder }: SandboxParts, number: string): RecordedRequest {
  const request = recorder.log.find(each => each.number === Number(number));
  if (request === undefined) throw new ControlError(404, 'this request is no longer in the request log');
  return request;
}

/** Returns the active faults, or one fault, on request as soon as it has applied (`/faults/1/arrived`). */
async function getFaults({ faults }: SandboxParts, { first, second }: ControlRequest): Promise<unknown> {
  if (first === '') return faults.list();
  if (second === 'arrived') await faults.arrival(Number(first));
  const fault = faults.get(Number(first));
  if (fault === undefined)
    throw new ControlError(404, `no fault has the number ${shown(first)} since the last reset`);
  return fault;
}

const exampleFault = '{ "operation": "tags.create", "kind": "fail", "times": 2 }';

function addFault({ faults }: SandboxParts, { body }: ControlRequest): ActiveFault | undefined {
  const json = readJson(body);
  if (!isObject(json) || !isText(json.operation) || !isText(json.kind))
    throw new RangeError(`a fault must be an object with operation and kind, such as ${exampleFault}`);
  const { operation, ...order } = json;
  faults.add(operation as FaultTarget, order as unknown as FaultOrder);
  return faults.list().at(-1);
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new RangeError(`this is not JSON: ${(error as SyntaxError).message}`);
  }
}

/** Replays a request with its original keys. Returns the new request's number without waiting for the response. */
function replay(parts: SandboxParts, { first }: ControlRequest): { number: number } {
  const { recorder, responder } = parts;
  const source = recorder.source(recorded(parts, first)) as ReadRequest;
  const number = recorder.nextNumber;
  // The request log shows the result, even if the connection is dropped.
  void received(responder.reply(source, AbortSignal.timeout(maxReplayMs))).catch(() => {});
  return { number };
}

/** Reads the body of a reply to its end. */
async function received(reply: Promise<Reply>): Promise<void> {
  for await (const _ of (await reply).chunks ?? []);
}

/** Returns everything that changes while the sandbox runs. */
function overview({ state, recorder, faults }: SandboxParts): Overview {
  return {
    counts: Object.fromEntries(Object.entries(state).map(([kind, records]) => [kind, records.size])),
    requests: recorder.log.length,
    faults: faults.list(),
  };
}

/**
 * Streams server-sent events: the overview, whenever a request, a record or a fault may have changed.
 * @returns A function that stops the stream.
 */
export function streamLive(parts: SandboxParts, send: (text: string) => void): () => void {
  let changes = 0;
  const stopListening = parts.recorder.listen(() => {
    changes += 1;
  });
  let sent = '';
  const update = () => {
    const data = JSON.stringify(overview(parts));
    const current = `${changes} ${parts.recorder.revision} ${data}`;
    if (current !== sent) send(`data: ${data}\n\n`);
    sent = current;
  };
  send(`retry: ${reconnectMs}\n\n`);
  update();
  const timer = setInterval(update, updateMs);
  return () => {
    clearInterval(timer);
    stopListening();
  };
}
