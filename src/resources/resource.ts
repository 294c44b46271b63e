import { behindProxy } from '../core/deep-proxy.ts';
import type { ApiPromise } from '../http/api-promise.ts';
import type { HttpClient } from '../http/call.ts';
import type { CallOptions } from '../http/call-options.ts';
import type { Operation } from '../http/operation.ts';
import { type Acknowledgement, acknowledgement } from '../schemas/acknowledgement.ts';
import { type Id, type IdKind, inputId } from '../schemas/id.ts';
import { inputSchema } from '../schemas/input-schema.ts';
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

/** HTTP clients by resource. A private member would make the types refuse a fake, and a client of another version. */
const clients = /* @__PURE__ */ new WeakMap<Resource, HttpClient>();

/** Base class of the resources. Performs their operations with an HTTP client. */
export abstract class Resource {
  /** @internal */
  constructor(http: HttpClient) {
    clients.set(this, http);
  }

  /** @internal */
  static perform<Input, Output>(
    resource: Resource,
    operation: Operation<Input, Output>,
    input: Input,
    options: CallOptions | undefined,
  ): ApiPromise<Output> {
    const http = clients.get(resource);
    if (resource instanceof Resource && !http) throw behindProxy('the client');
    if (!http) throw new TypeError(`call it as a method: client.${operation.name}(…)`);
    return http.call(operation, input, options);
  }
}
