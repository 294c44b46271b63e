import { check, httpStatus } from '../rules.ts';
import { type Call, type Handler, parseBody } from './call.ts';
import type { State } from './collection.ts';
import type { AddedEndpoint } from './router.ts';

/** A request to an endpoint added with `sandbox.on`; its key and team id have been checked. */
export interface EndpointRequest {
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Parameters of the path, decoded: `{ id: '…' }` for `/contact/{id}`. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters, decoded; of a repeated name, the last value. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body parsed as JSON; `undefined` if none was sent. The response to a body that is not JSON is 400. */
  readonly body: unknown;
  /** Every record of the sandbox; you can read and change it. */
  readonly state: State;
  /** Returns the sandbox's time. */
  readonly now: () => Date;
}

/** A response of an endpoint added with `sandbox.on`. */
export interface EndpointResponse {
  /** HTTP status. @defaultValue 200 */
  readonly status?: number | undefined;
  /** Body, written as JSON. @defaultValue no body */
  readonly body?: unknown;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Responds to requests for an endpoint added with `sandbox.on`; the response to one that throws is 500. */
export type EndpointHandler = (request: EndpointRequest) => EndpointResponse | Promise<EndpointResponse>;

/** An endpoint added with `sandbox.on`. */
export interface AddedEndpointHandle {
  /** Name of the endpoint, for `sandbox.fail` and the request log: `GET /contact/{id}`. */
  readonly endpoint: AddedEndpoint;
  /** Removes the endpoint; the service responds as before. */
  remove(): void;
}

/** Options of `sandbox.on`. */
export interface EndpointOptions {
  /** Interface that the path belongs to, which decides on authentication. @defaultValue 'rest' */
  readonly api?: 'rest' | 'legacy' | undefined;
}

const methodPattern = /^[A-Z]+$/;
const pathPattern = /^(?:\/(?:\{\w+\}|[^/{}?#\s]+))+$/;

/** Returns the name of an endpoint; throws a `RangeError` for a method or a path that cannot be one. */
export function endpointName(method: string, path: string): AddedEndpoint {
  const upper = method.toUpperCase();
  if (!methodPattern.test(upper))
    throw new RangeError(`${JSON.stringify(method.slice(0, 50))} is not an HTTP method`);
  if (!pathPattern.test(path))
    throw new RangeError(
      `${JSON.stringify(path.slice(0, 50))} is not a path; write it like /contact/{id}, relative to the interface`,
    );
  return `${upper} ${path as `/${string}`}`;
}

/** Returns the handler of an endpoint that calls a user's. */
export function handlerOf(handler: EndpointHandler): Handler {
  return async call => {
    const { status = 200, body, headers = {} } = await handler(requestOf(call));
    check('status', httpStatus, status);
    const text: unknown = body === undefined ? '' : JSON.stringify(body);
    if (typeof text !== 'string') throw new TypeError('body must be a value that JSON can hold');
    return { status, json: body, text, headers: Object.fromEntries(new Headers(headers)) };
  };
}

function requestOf({ method, params, query, headers, body, state, now }: Call): EndpointRequest {
  return {
    method,
    params,
    query: Object.fromEntries(query),
    headers: Object.fromEntries(headers),
    body: body === '' ? undefined : parseBody(body),
    state,
    now,
  };
}
