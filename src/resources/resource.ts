import type { ApiPromise } from '../http/call/api-promise.ts';
import type { HttpClient } from '../http/call/http-client.ts';
import type { Operation } from '../http/call/operation.ts';
import type { CallOptions } from '../http/options/call-options.ts';

/** Base class of the resources. Performs their operations with an HTTP client. */
export abstract class Resource {
  readonly #http: HttpClient;

  /** @internal */
  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** @internal */
  static perform<Input, Output>(
    resource: Resource,
    operation: Operation<Input, Output>,
    input: Input,
    options: CallOptions | undefined,
  ): ApiPromise<Output> {
    if (!(resource instanceof Resource))
      throw new TypeError(`call it as a method: client.${operation.name}(…)`);
    return resource.#http.call(operation, input, options);
  }
}
