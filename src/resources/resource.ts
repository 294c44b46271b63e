import type { Operation } from '../api/operation.ts';
import type { ServiceCalls } from '../api/service-calls.ts';
import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import { type Id, type IdKind, inputId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/parsing-schemas.ts';
import { endpoints, type OperationName } from './endpoints.ts';

/** Adds details to a row of the table of endpoints. Mark each call as pure, so that bundlers can drop unused operations. */
export function operation<Input, Output>(
  name: OperationName,
  details: Pick<Operation<Input, Output>, 'input' | 'output' | 'notFoundAdvice'>,
): Operation<Input, Output> {
  return { ...endpoints[name], name, ...details };
}

/** Returns the operation that deletes a resource by its id. Mark each call as pure. */
export const deletion = <Kind extends IdKind>(name: OperationName, kind: Kind) =>
  operation<Id<Kind>, Acknowledgement>(name, {
    input: inputSchema(() => inputId(kind)),
    output: acknowledgement,
  });

/**
 * What makes the calls of each resource. It is no member, because a type with a private member accepts only instances of
 * its own class: the plain objects of the browser client, and of a user's test, would be no resources to the compiler. A
 * public member could be printed, and leads to the key.
 */
const callsByResource = /* @__PURE__ */ new WeakMap<Resource, ServiceCalls>();

/** Base class of the resources. Their operations are calls to the service. */
export abstract class Resource {
  /** @internal */
  constructor(calls: ServiceCalls) {
    callsByResource.set(this, calls);
  }

  /** @internal */
  static perform<Input, Output>(
    resource: Resource,
    operation: Operation<Input, Output>,
    input: Input,
    options: CallOptions | undefined,
  ): ApiPromise<Output> {
    const calls = callsByResource.get(resource);
    if (!calls) throw new TypeError(`call it as a method of the client itself: client.${operation.name}(…)`);
    return calls.perform(operation, input, options);
  }
}
