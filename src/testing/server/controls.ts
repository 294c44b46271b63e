import type { SandboxContext } from '../context.ts';
import type { ActiveFault, FaultOrder, FaultTarget } from '../faults/kinds.ts';
import { faultPresets } from '../faults/presets.ts';
import { endpoints, operationNames } from '../service/endpoints.ts';
import { recordKinds } from '../service/record-kinds.ts';
import { detail, requestPage } from './journal-view.ts';
import { overview } from './live.ts';
import { maskedRequest } from './masking.ts';
import type { RequestDetail, View } from './protocol.ts';
import {
  addRecord,
  changeRecord,
  deleteRecord,
  MissingRecord,
  oneRecord,
  readKind,
  recordPage,
} from './records.ts';

/** A request to a control, in parts: `/_sandbox/<name>/<first>/<second>`. */
interface ControlRequest {
  readonly first: string;
  readonly second: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** Responds to a request under `/_sandbox` with a value for JSON; throws when it cannot. */
type Control = (context: SandboxContext, request: ControlRequest) => unknown;

/** Longest time that a replayed request may take, in milliseconds. */
const maxReplayMs = 60_000;

/** The controls, by method and name. */
export const controls: Readonly<Record<string, Control>> = {
  'GET view': view,
  'GET log': (context, { query }) => requestPage(context, query),
  'GET requests': ({ journal }, { query }) => {
    const target = query.get('operation');
    return (target === null ? [...journal] : journal.to(target)).map(maskedRequest);
  },
  'GET request': (context, { first }) => openRequest(context, first),
  'DELETE requests': ({ writer }) => writer.clear() ?? true,
  'POST replay': replay,
  'GET faults': ({ faults }) => faults.list(),
  'POST faults': addFault,
  'DELETE faults': ({ faults }, { first }) => faults.clear(first === '' ? undefined : Number(first)),
  'POST reset': ({ reset }) => reset() ?? true,
  'GET records': (context, { first, second, query }) =>
    second === '' ? recordPage(context, readKind(first), query) : oneRecord(context, readKind(first), second),
  'POST records': (context, { first, body }) => addRecord(context, readKind(first), JSON.parse(body)),
  'PATCH records': (context, { first, second, body }) =>
    changeRecord(context, readKind(first), second, JSON.parse(body)),
  'DELETE records': (context, { first, second }) => deleteRecord(context, readKind(first), second),
};

function view(context: SandboxContext): View {
  const { apiKey, legacyApiKey, teamId, router } = context;
  return {
    ...overview(context),
    ...{ apiKey, legacyApiKey, teamId },
    operations: operationNames,
    endpoints: [...endpoints, ...router.endpoints.filter(name => !endpoints.some(known => known === name))],
    kinds: recordKinds,
    presets: faultPresets,
  };
}

function openRequest(context: SandboxContext, number: string): RequestDetail {
  const request = context.journal.find(recorded => recorded.number === Number(number));
  if (request === undefined) throw new MissingRecord('the request is not in the journal any more');
  return detail(context, request);
}

function addFault({ faults }: SandboxContext, { body }: ControlRequest): ActiveFault | undefined {
  const { operation, ...order } = JSON.parse(body) as { operation: FaultTarget } & FaultOrder;
  faults.add(operation, order as FaultOrder);
  return faults.list().at(-1);
}

/** Sends a recorded request again, with the keys it had; returns the number of the new one at once. */
function replay(
  { journal, writer, dispatcher }: SandboxContext,
  { first }: ControlRequest,
): { number: number } {
  const recorded = journal.find(({ number }) => number === Number(first));
  const source = recorded && writer.source(recorded);
  if (source === undefined) throw new MissingRecord('the request is not in the journal any more');
  const number = writer.nextNumber;
  // The journal holds how it ended, a dropped connection too.
  dispatcher.reply(source, AbortSignal.timeout(maxReplayMs)).catch(() => {});
  return { number };
}
