import { endpoints, type OperationName } from '../endpoints.ts';
import type { Operation } from '../http/call/operation.ts';

/** Adds details to a row of the table of endpoints. Mark each call as pure, so that bundlers can drop unused operations. */
export function operation<Input, Output>(
  name: OperationName,
  details: Pick<Operation<Input, Output>, 'input' | 'output' | 'notFoundAdvice'>,
): Operation<Input, Output> {
  return { ...endpoints[name], name, ...details };
}
