import { endpoints, type OperationName } from '../endpoints.ts';
import type { Operation } from '../http/call/operation.ts';

/** What an operation adds to its row in the table of endpoints. */
type Details<Input, Output> = Pick<Operation<Input, Output>, 'input' | 'output' | 'notFoundAdvice'>;

/** Creates an operation. Mark each call as pure, so that bundlers can drop unused operations. */
export function operation<Input, Output>(
  name: OperationName,
  details: Details<Input, Output>,
): Operation<Input, Output> {
  return { ...endpoints[name], name, ...details };
}
