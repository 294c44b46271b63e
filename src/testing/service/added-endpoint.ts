import { literalOrType } from '../../core/json.ts';
import { checkMembers, httpStatus } from '../rules.ts';
import type { State } from './collection.ts';
import type { AddedEndpoint } from './router.ts';
import { parseBody, queryOf, type RequestHandler, type ServiceRequest } from './service-request.ts';

/** Request to an endpoint added with `sandbox.on`; already authenticated. */
export interface AddedEndpointRequest {
  /** HTTP method, in upper case. */
  readonly method: string;
  /** Decoded path parameters: `{ id: '…' }` for `/contact/{id}`. */
  readonly params: Readonly<Record<string, string>>;
  /** Decoded query parameters; if a name is repeated, its first value. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON body; `undefined` if there is none. A body that is not JSON gets 400 without a call of your handler. */
  readonly body: unknown;
  /** The sandbox's records, which you can read and change. */
  readonly state: State;
  /** Returns the current time of the sandbox. */
  readonly now: () => Date;
}

/** Response of an endpoint added with `sandbox.on`. */
export interface EndpointResponse {
  /** HTTP status. @defaultValue 200 */
  readonly status?: number | undefined;
  /** Body, sent as JSON. @defaultValue no body */
  readonly body?: unknown;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Handles requests to an endpoint added with `sandbox.on`. If it returns `undefined`, the service responds; if it throws,
 * the response is 500.
 */
export type EndpointHandler = (
  request: AddedEndpointRequest,
) => EndpointResponse | undefined | Promise<EndpointResponse | undefined>;

/** Endpoint added with `sandbox.on`. */
export interface AddedEndpointHandle {
  /** Name of the endpoint, for `sandbox.fail` and the request log: `GET /contact/{id}`. */
  readonly endpoint: AddedEndpoint;
  /** Removes the endpoint; an endpoint of the service that it replaced works again. */
  remove(): void;
}

/** Options of `sandbox.on`. */
export interface EndpointOptions {
  /** Interface of the endpoint; decides its base path and authentication. @defaultValue 'rest' */
  readonly api?: 'rest' | 'legacy' | undefined;
}

const endpointPattern = /^([a-z]+) ((?!\/api\/v1\/)(?:\/(?:\{\w+\}|[^/{}?#\s]+))+)$/i;

/** Returns the name of an endpoint, with its method in upper case. Throws a `RangeError` if it is invalid. */
export function endpointName(endpoint: string): AddedEndpoint {
  const [, method, path] = endpointPattern.exec(endpoint) ?? [];
  if (method === undefined)
    throw new RangeError(
      `${literalOrType(endpoint)} is not an endpoint. Write its method and its path relative to the interface, such as GET /contact/{id}.`,
    );
  return `${method.toUpperCase()} ${path as `/${string}`}`;
}

/** Wraps a handler added with `sandbox.on`. */
export function handlerOf(handler: EndpointHandler): RequestHandler {
  return async call => {
    const response = await handler(requestOf(call));
    if (response === undefined) return undefined;
    const { status = 200, body, headers = {} } = response;
    checkMembers('member', { status }, { status: httpStatus });
    const text = JSON.stringify(body) ?? '';
    return { status, json: body, text, headers: Object.fromEntries(new Headers(headers)) };
  };
}

function requestOf(call: ServiceRequest): AddedEndpointRequest {
  const { method, params, query, headers, body, state, now } = call;
  return {
    method,
    params,
    query: queryOf(query),
    headers: Object.fromEntries(headers),
    body: body === '' ? undefined : parseBody(body),
    state,
    now,
  };
}
