import type { OperationInputs } from '../operations/index.ts';

/** Call that a page asks for. A comparison of `operation` narrows the type of `input`. */
export type ProxyCall = {
  readonly [Name in keyof OperationInputs]: {
    readonly operation: Name;
    /** Valid input of the operation. */
    readonly input: OperationInputs[Name];
  };
}[keyof OperationInputs];
