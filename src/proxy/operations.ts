import type { EmailMarketingClient } from '../client.ts';
import type { Issue } from '../errors.ts';
import { type OperationName, operations } from '../resources/operations.ts';

/** Says that the library knows an operation of this name. */
export const isOperation = (name: string): name is OperationName => Object.hasOwn(operations(), name);

/** Returns the names of all operations. */
export const operationNames = (): readonly string[] => Object.keys(operations());

/** Returns the issues of an input; none where it is valid. */
export function inputIssues(name: OperationName, input: unknown): readonly Issue[] {
  const checked = operations()[name].input?.(input);
  return checked?.ok === false ? checked.issues : [];
}

/** Says that the operation takes an input. */
export const takesInput = (name: OperationName): boolean => operations()[name].input !== undefined;

/** Says that the operation only reads. */
export const isRead = (name: OperationName): boolean => operations()[name].method === 'GET';

/** Says that performing the operation twice with this input is the same as performing it once. */
export function isIdempotent(name: OperationName, input: unknown): boolean {
  const { repeat } = operations()[name];
  const when = typeof repeat === 'function' ? repeat(input as Readonly<Record<string, unknown>>) : repeat;
  return when === 'always';
}

/** Performs an operation with an input that is valid. */
export const perform = async (
  client: EmailMarketingClient,
  name: OperationName,
  input: unknown,
): Promise<unknown> => client.callByName(name, input);
