import type { CallEndpoint, CallRequest } from '../call/call-state.ts';
import type { Validation } from '../schemas/lenient-parser.ts';
import type { InputSchema, ResponseResult } from '../schemas/operation-schemas.ts';

/** HTTP methods that a request can have. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

/** Request and response of one operation, as plain data. */
export interface Endpoint<Input = never, Output = unknown> extends CallEndpoint {
  /** API that the endpoint belongs to. */
  readonly api: 'rest' | 'legacy';
  readonly method: HttpMethod;
  /** Path relative to the API. `{identifier}` is replaced by the input, which is then an id. */
  readonly path: string;
  /** Where the input goes: into the path as `{identifier}`, the query, or the body. */
  readonly inputIn?: 'nothing' | 'id' | 'query' | 'body';
  /** Fields that are sent in the query although the input is sent in the body. */
  readonly query?: readonly string[];
  /**
   * Encodes the request of `client.request`. Throws if it is invalid. Only an endpoint of `client.request` has this
   * function: it is made for one call, and takes no input.
   */
  readonly custom?: () => EncodedRequest;
  /** What to do if the service responds "not found". */
  readonly notFoundAdvice?: string;
  /** Absent for operations without an input. */
  readonly input?: Pick<InputSchema<Input>, 'validateInput' | 'accepts'>;
  readonly output: {
    parseResponse(
      json: unknown,
      validation: Validation,
      input?: unknown,
    ): ResponseResult<Output> | Promise<ResponseResult<Output>>;
  };
}

/** Path, query and body of a request, without base URL, key and headers. */
export type EncodedRequest = Pick<CallRequest, 'path' | 'query' | 'body'>;
