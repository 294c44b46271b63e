import type { EmailMarketingClient } from '../client.ts';
import type { Issue } from '../errors.ts';
import type { Operation } from '../http/operation.ts';
import { operations } from '../operations/index.ts';
import { type OperationName, operationNames } from '../protocol.ts';

const names: ReadonlySet<string> = new Set(operationNames);

/** Says that the library knows an operation of this name. */
export const isOperation = (name: string): name is OperationName => names.has(name);

/** Returns the issues of an input; none where it is valid. */
export function inputIssues(name: OperationName, input: unknown): readonly Issue[] {
  const checked = operations[name].input?.validate(input);
  return checked?.ok === false ? checked.issues : [];
}

/** Says that the operation takes an input. */
export const takesInput = (name: OperationName): boolean => operations[name].input !== undefined;

/** Says that the operation only reads. */
export const isRead = (name: OperationName): boolean => operations[name].method === 'GET';

/** Says that performing the operation twice with this input is the same as performing it once. */
export function isIdempotent(name: OperationName, input: unknown): boolean {
  const { idempotent }: Operation = operations[name];
  return typeof idempotent === 'function' ? idempotent(input as never) : idempotent;
}

/** Performs an operation with an input that is valid. */
export const perform = async (
  client: EmailMarketingClient,
  name: OperationName,
  input: unknown,
): Promise<unknown> => client.perform(operations[name], input);
