import type { HttpMethod } from '../http/operation.ts';
import type { OperationName } from '../operation-names.ts';
import type { OperationResults } from '../operations/index.ts';
import type { ProxyCall } from './calls.ts';
import type { DedupeStore } from './result-memory.ts';

/**
 * Decision of `authorize` about a call: `true` allows it as it is, `{ input }` allows it with this input in place of the
 * page's, anything else refuses it. `visitor` names whoever sent the request, so that another visitor cannot use the
 * same call id; without it, the input and the headers `Origin`, `Authorization` and `Cookie` stand for the visitor.
 */
export type Decision =
  | boolean
  | undefined
  | { readonly input: unknown; readonly visitor?: string | undefined };

/** Decides if a call may be made by the sender of the request. */
export type Authorize = (request: Request, call: ProxyCall) => Decision | Promise<Decision>;

/** Functions that return the part of a result that a page may see, by operation. They may be asynchronous. */
export type ProxyOutput = {
  readonly [Name in keyof OperationResults]?:
    | ((result: OperationResults[Name], request: Request) => unknown)
    | undefined;
};

/**
 * Endpoint that pages may call with `client.request`. The page chooses the parameters, the query and the body, and
 * nothing validates them: `authorize` must check them.
 */
export interface AllowedEndpoint {
  /**
   * Interface that the endpoint belongs to.
   * @defaultValue 'rest'
   */
  readonly api?: 'rest' | 'legacy' | undefined;
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Path as pages give it, with its parameters in braces: `/contact/{id}`. */
  readonly path: string;
  /**
   * `true` if a second request changes nothing, so that the call is retried after an unknown outcome.
   * @defaultValue `true` for GET and HEAD, otherwise `false`
   */
  readonly idempotent?: boolean | undefined;
  /**
   * Returns the part of a result that a page may see. It may be asynchronous.
   * @defaultValue of GET and HEAD the whole result, of other methods `status` and `message`
   */
  readonly output?: ((result: unknown, request: Request) => unknown) | undefined;
}

/** Options of the memory of call ids, by which a call that arrives twice is performed once. */
export interface DedupeOptions {
  /**
   * Time for which a result is remembered, in milliseconds.
   * @defaultValue 600 000
   */
  readonly ttl?: number | undefined;
  /**
   * Number of results that are remembered; the oldest is forgotten first. Not used with `store`.
   * @defaultValue 10 000
   */
  readonly max?: number | undefined;
  /**
   * Size of all remembered results together, in characters of JSON. Not used with `store`.
   * @defaultValue 10 000 000
   */
  readonly maxLength?: number | undefined;
  /**
   * Store that several servers share.
   * @defaultValue the memory of this process
   */
  readonly store?: DedupeStore | undefined;
}

/** Options of {@link createProxyHandler}. Everything is denied by default. */
export interface ProxyOptions {
  /**
   * Operations that a page may call, such as `legacy.identify`, and endpoints that it may call by `client.request`.
   * Pagination such as `contacts.all` needs `contacts.list`.
   * @defaultValue none
   */
  readonly allow?: readonly (OperationName | AllowedEndpoint)[] | undefined;
  /**
   * Called for each request, after its input was validated. It may refuse the call, or replace the input, so that a
   * visitor can identify nobody else. `'public'` lets everyone make every allowed call with any input.
   */
  readonly authorize: Authorize | 'public';
  /**
   * Part of a result that a page may see, by operation: `{ 'contacts.list': contacts => contacts.map(({ id }) => ({ id })) }`.
   * @defaultValue of a read the whole result, with fields that the library does not know; of a creation `id` and `name`;
   * of every other write `status` and `message`
   */
  readonly output?: ProxyOutput | undefined;
  /**
   * Sends to pages the text of every error and the issues of a response, which hold text of the service and details of
   * the server's network and configuration. By default a page gets an error's class, `outcome`, HTTP status,
   * `retryAfter`, and the issues of its own input.
   * @defaultValue false
   */
  readonly exposeErrorDetails?: boolean | undefined;
  /**
   * Origins other than the handler's own whose pages may call, such as `https://www.example.com`.
   * @defaultValue none: pages of the same origin alone
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Host names that requests may be addressed to, without a port, such as `www.example.com`. Protects a server that can
   * be reached from a private network against DNS rebinding.
   * @defaultValue every host
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Memory of call ids, by which a call that arrives twice is performed once. */
  readonly dedupe?: DedupeOptions | undefined;
  /**
   * Largest request body that is read, in bytes.
   * @defaultValue 65 536
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Time in which the request's body must arrive, in milliseconds; `Infinity` for no limit.
   * @defaultValue 10 000
   */
  readonly bodyTimeout?: number | undefined;
  /**
   * Time for each call of `authorize`, `output`, and the functions of `dedupe.store`, in milliseconds; `Infinity` for no
   * limit. A call beyond it is a failure.
   * @defaultValue 10 000
   */
  readonly callbackTimeout?: number | undefined;
  /**
   * Called with the failures of the server's own functions and configuration, of which a page gets no details: whatever
   * `authorize`, `output` or `dedupe.store` throws. Errors that it throws are dropped.
   * @defaultValue `console.error`
   */
  readonly onError?: ((error: unknown, operation: string) => unknown) | undefined;
}
