import { type IdentifyParams, repeatOfIdentify } from '../resources/legacy.ts';
import type { OperationName } from '../resources/operations.ts';

/**
 * Whether a call may be made again when the service may already have acted on it: what each operation says of itself,
 * told without the schemas that stand beside it. A test holds the two together.
 */
export function repeatOf(operation: OperationName, input: unknown): 'always' | 'never' {
  if (operation === 'legacy.identify') return repeatOfIdentify((input ?? {}) as IdentifyParams);
  return /\.(create|record)$/.test(operation) ? 'never' : 'always';
}

/** Whether a repeat that is answered "not found" has succeeded: the first one did it. */
export const goneIsDone = (operation: OperationName): boolean => operation.endsWith('.delete');
