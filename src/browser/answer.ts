import { readAnswer } from '../core/answer.ts';
import type { CallResult } from '../core/api-promise.ts';
import { invalidAnswer } from '../core/fault.ts';
import type { HttpAnswer } from '../core/http.ts';
import { isObject, typeName } from '../core/json.ts';
import { Redactor } from '../http/redact.ts';
import type { WireError } from '../protocol.ts';
import type { OperationName } from '../resources/operations.ts';
import { Secret } from '../schema/secret.ts';
import { isWireError, revivedFault } from './revive.ts';

/** What a call of the page ends with. */
export type ProxiedResult = CallResult<unknown>;

/** Reads what the proxy answers; throws a `Fault` for its errors, and for the answer of anything in between. */
export function readProxied(operation: OperationName, answer: HttpAnswer): ProxiedResult {
  const told = answer.status >= 300 && wireError(answer.text);
  if (told) throw revivedFault(told);
  const json = readAnswer(answer, JSON.parse, new Redactor());
  if (!isObject(json) || !('data' in json))
    throw invalidAnswer('done', answer.status, [
      { path: '', expected: 'an answer of createProxyHandler', received: typeName(json) },
    ]);
  const { data } = json;
  if (operation === 'domains.create' && isObject(data) && 'dkimConfig' in data)
    data.dkimConfig = new Secret('[redacted]');
  return { data, answer: { status: answer.status, headers: () => answer.headers } };
}

/** The error that an answer's text tells of, if it comes from the proxy. */
function wireError(text: string): WireError | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) && isWireError(json.error) ? json.error : undefined;
  } catch {
    return undefined;
  }
}

/** What a deletion comes to that was done by an attempt whose answer was lost. */
export const acknowledged = (): ProxiedResult => ({
  data: { status: 'success', message: '' },
  answer: { status: 200, headers: () => new Headers() },
});
