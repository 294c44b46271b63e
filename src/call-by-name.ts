import type { ApiPromise } from './core/api-promise.ts';
import type { CallOptions } from './core/options.ts';
import type { OperationName } from './resources/index.ts';

/** The member of a client that calls an operation by its name; the same in every copy of this package. */
export const callByName: unique symbol = Symbol.for('email-marketing-client.call');

/** Calls an operation by its name with whatever input came: it is checked as that of any call. */
export type CallByName = (
  name: OperationName,
  input: unknown,
  options?: CallOptions | undefined,
) => ApiPromise<unknown>;
