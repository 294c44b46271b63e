import type { CallEndpoint, CallRequest } from '../call/call-state.ts';
import type { Validation } from '../schemas/derived-schemas.ts';
import type { InputSchema, ResponseResult } from '../schemas/parsing-schemas.ts';

/** HTTP methods that a request can have. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';

/** How the service is asked for one operation, and what its response is: plain data. */
export interface Endpoint<Input = never, Output = unknown> extends CallEndpoint {
  /** Interface that the endpoint belongs to. */
  readonly api: 'rest' | 'legacy';
  readonly method: HttpMethod;
  /** Path below the interface's own. `{identifier}` is replaced by the input, which then is the identifier itself. */
  readonly path: string;
  /** Where the input goes: into the path as `{identifier}`, the query, or the body. */
  readonly inputIn?: 'nothing' | 'id' | 'query' | 'body';
  /** Fields of an input in the body that travel in the query. */
  readonly query?: readonly string[];
  /**
   * Encodes the request of `client.request`, which makes an endpoint for one call. Such an endpoint has no input. Throws the
   * error of a request that is not valid.
   */
  readonly request?: () => EncodedRequest;
  /** Sentence about what to do if the service does not find what the input names. */
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

/** An operation and its input as HTTP carries them, without base URL, key and the headers of the options. */
export type EncodedRequest = Pick<CallRequest, 'path' | 'query' | 'body'>;
