import { Secret } from '../helpers/secret.ts';
import type { ResponseResult } from '../http/call/operation.ts';
import { isObject, typeName } from '../http/json.ts';

/** Reads the result that the handler responds with. Its server has validated it already. */
export function readRecord(operation: string, json: unknown): ResponseResult<unknown> {
  // What a deletion comes to that an attempt with a lost response has done.
  if (operation.endsWith('.delete') && isObject(json) && Object.keys(json).length === 0)
    return { ok: true, value: { status: 'success', message: '' }, drift: [] };
  if (!isObject(json) || !('data' in json))
    return {
      ok: false,
      issues: [{ path: '', expected: 'a response of createProxyHandler', received: typeName(json) }],
    };
  const { data } = json;
  // The private key never reaches a page.
  if (operation === 'domains.create' && isObject(data) && 'dkimConfig' in data)
    data.dkimConfig = new Secret('[redacted]');
  return { ok: true, value: data, drift: [] };
}
