import type { OperationInputs } from '../operations/index.ts';
import type { requestOperation, WireEndpointRequest } from '../protocol.ts';

/** Call that a page asks for. A comparison of `operation` narrows the type of `input`. */
export type ProxyCall =
  | {
      readonly [Name in keyof OperationInputs]: {
        readonly operation: Name;
        /** Valid input of the operation. */
        readonly input: OperationInputs[Name];
      };
    }[keyof OperationInputs]
  | {
      readonly operation: typeof requestOperation;
      /** Endpoint among those of `allow`, and what to send there. */
      readonly input: WireEndpointRequest;
    };

/** Name of an operation, or `request`. */
export type CalledOperation = ProxyCall['operation'];
