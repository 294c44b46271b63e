import type { ApiPromise } from './core/api-promise.ts';
import type { CallOptions } from './core/options.ts';
import type { OperationName } from './resources/operations.ts';

/** Calls an operation by its name with whatever input came: it is checked as that of any call. */
export type CallByName = (
  name: OperationName,
  input: unknown,
  options?: CallOptions | undefined,
) => ApiPromise<unknown>;
