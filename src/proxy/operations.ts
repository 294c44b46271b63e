import type { EmailMarketingClient } from '../client.ts';
import type { Issue } from '../errors.ts';
import type { Operation } from '../http/operation.ts';
import { type OperationName, operationNames } from '../operation-names.ts';
import { operations } from '../operations/index.ts';
import { requestOperation, type WireEndpointRequest } from '../protocol.ts';
import type { CalledOperation } from './calls.ts';
import { type AllowedEndpoints, allowedEndpoint, endpointIssues, isIdempotentEndpoint } from './endpoints.ts';

const names: ReadonlySet<string> = new Set(operationNames);

/** Returns `true` if the library knows an operation of this name. */
export const isOperation = (name: string): name is OperationName => names.has(name);

/** Returns the issues of an input; none where it is valid. */
export function inputIssues(name: CalledOperation, input: unknown): readonly Issue[] {
  if (name === requestOperation) return endpointIssues(input);
  const checked = operations[name].input?.validate(input);
  return checked?.ok === false ? checked.issues : [];
}

/** Returns `true` if the operation takes an input. */
export const takesInput = (name: CalledOperation): boolean =>
  name === requestOperation || operations[name].input !== undefined;

/** Returns `true` if the operation only reads. */
export const isRead = (name: OperationName): boolean => operations[name].method === 'GET';

/** Returns `true` if performing the operation twice with this input is the same as performing it once. */
export function isIdempotent(name: CalledOperation, input: unknown, endpoints: AllowedEndpoints): boolean {
  if (name === requestOperation) {
    const endpoint = allowedEndpoint(endpoints, input);
    return endpoint !== undefined && isIdempotentEndpoint(endpoint);
  }
  const { idempotent }: Operation = operations[name];
  return typeof idempotent === 'function' ? idempotent(input as never) : idempotent;
}

/** Performs an operation with an input that is valid. */
export async function perform(
  client: EmailMarketingClient,
  name: CalledOperation,
  input: unknown,
  idempotent: boolean,
): Promise<unknown> {
  if (name === requestOperation) return client.request({ ...(input as WireEndpointRequest), idempotent });
  return client.perform(operations[name], input);
}
