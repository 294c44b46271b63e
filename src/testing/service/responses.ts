import type { Call } from './call.ts';
import type { ServiceResponse } from './refusal.ts';

export function created(call: Call, json: unknown): ServiceResponse {
  return { status: call.ambiguities.createdStatus, json };
}

export function listing(call: Call, records: readonly unknown[]): ServiceResponse {
  const none = records.length === 0 && call.ambiguities.emptyListing === 'null';
  return { status: call.ambiguities.successStatus, json: none ? null : records };
}

export function deleted(call: Call, kind: string): ServiceResponse {
  return acknowledged(call, `${kind} was deleted`);
}

export function acknowledged(call: Call, message: string): ServiceResponse {
  return { status: call.ambiguities.successStatus, json: { status: 'success', message } };
}
