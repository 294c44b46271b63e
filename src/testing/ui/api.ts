import type { ActiveFault } from '../faults/kinds.ts';
import type { RecordPage, RecordView, RequestDetail, RequestPage, View } from '../server/protocol.ts';
import { say } from './dom.ts';

/** Thrown if the server responds with an error. The page shows the message. */
class ServerError extends Error {}

async function call<T>(method: string, path: string, body?: string): Promise<T> {
  const init = body === undefined ? { method } : { method, body };
  const response = await fetch(`/_sandbox/${path}`, init);
  const json = await response.json();
  if (!response.ok) throw new ServerError(json.message);
  return json;
}

/** Requests to the controls. Bodies are JSON text: the server says what is wrong with it. */
export const api = {
  view: () => call<View>('GET', 'view'),
  log: (query: URLSearchParams) => call<RequestPage>('GET', `log?${query}`),
  request: (number: string) => call<RequestDetail>('GET', `request/${encodeURIComponent(number)}`),
  clearRequests: () => call<boolean>('DELETE', 'requests'),
  replay: (number: number) => call<{ readonly number: number }>('POST', `replay/${number}`),
  reset: () => call<boolean>('POST', 'reset'),
  addFault: (fault: string) => call<ActiveFault>('POST', 'faults', fault),
  removeFault: (number: number) => call<boolean>('DELETE', `faults/${number}`),
  clearFaults: () => call<boolean>('DELETE', 'faults'),
  records: (kind: string, query: URLSearchParams) => call<RecordPage>('GET', `records/${kind}?${query}`),
  record: (kind: string, id: string) => call<RecordPage>('GET', `records/${kind}/${encodeURIComponent(id)}`),
  addRecord: (kind: string, fields: string) => call<RecordView>('POST', `records/${kind}`, fields),
  changeRecord: (kind: string, id: string, fields: string) =>
    call<RecordView>('PATCH', `records/${kind}/${id}`, fields),
  deleteRecord: (kind: string, id: string) => call<boolean>('DELETE', `records/${kind}/${id}`),
};

/** Runs an action, and shows the error if it fails. Resolves to `true` if it succeeded. */
export async function attempt(
  action: () => Promise<unknown>,
  showError = (message: string) => say(message, 'bad'),
): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    showError(error instanceof ServerError ? error.message : 'The sandbox is not responding.');
    return false;
  }
}
