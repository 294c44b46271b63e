import type { Issue } from '../errors.ts';
import { Secret } from '../helpers/secret.ts';
import type { ApiPromise } from '../http/call/api-promise.ts';
import { isDate, isObject, type JsonText, toJsonText, typeName } from '../http/json.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { isStandardSchema, responseParser } from '../http/standard-schema.ts';
import { type OperationName, operationNames } from '../operation-names.ts';
import type { ContactsFilter } from '../operations/contacts.ts';
import type { EndpointRequest } from '../operations/endpoint-request.ts';
import type { ListsFilter } from '../operations/lists.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import { requestOperation } from '../protocol.ts';
import type { Resources } from '../resources/index.ts';
import { findByEmail, iterateContacts, iterateLists } from '../resources/listings.ts';
import type { HandlerCall, HandlerClient } from './handler-client.ts';

/** Type of the method `request` of a browser client. */
export type RequestMethod = <Output = unknown>(
  request: EndpointRequest<Output>,
  options?: CallOptions,
) => ApiPromise<NoInfer<Output>>;

/** Creates every resource, whose methods ask the handler for their operations by name. */
export function makeResources(handler: HandlerClient): Resources {
  const resources: Record<string, Record<string, unknown>> = {};
  for (const name of operationNames) {
    const [resource = '', method = ''] = name.split('.');
    resources[resource] ??= {};
    resources[resource][method] = (input: unknown, options?: CallOptions) =>
      handler.call(operationCall(name, input), options);
  }
  const { contacts, lists } = resources as unknown as Resources;
  Object.assign(contacts, {
    findByEmail: (email: string, options?: CallOptions) => findByEmail(contacts.list, email, options),
    all: (filter?: ContactsFilter, options?: PaginatorOptions & CallOptions) =>
      iterateContacts(contacts.list, filter, options),
  });
  Object.assign(lists, {
    all: (filter?: ListsFilter, options?: PaginatorOptions & CallOptions) =>
      iterateLists(lists.list, filter, options),
  });
  return resources as unknown as Resources;
}

/** Creates the method that asks the handler to call an endpoint. The handler validates the request. */
export const makeRequest =
  (handler: HandlerClient): RequestMethod =>
  <Output>(request: EndpointRequest<Output>, options?: CallOptions) =>
    handler.call(endpointCall(request) as HandlerCall<Output>, options);

const operationCall = (name: OperationName, input: unknown): HandlerCall<unknown> => ({
  name,
  operation: name,
  input: jsonOfInput(input),
  oncePerCall: !/\.(?:list|get|delete)$/.test(name),
  parse: data => ({ ok: true, value: toResult(name, data), drift: [] }),
});

/** Writes an input as JSON, and a `Date` as the time of an event in Unix seconds. */
function jsonOfInput(input: unknown): JsonText {
  try {
    if (isObject(input) && isDate(input.time))
      return toJsonText({ ...input, time: Math.floor(input.time.getTime() / 1000) }, '');
  } catch {
    // The second reading reports what cannot be read.
  }
  return toJsonText(input, '');
}

function toResult(name: OperationName, data: unknown): unknown {
  if (!isObject(data)) return data;
  // A deletion that an earlier attempt has done comes as an empty object.
  if (name.endsWith('.delete')) return { status: 'success', message: '', ...data };
  // The private key never reaches a web page.
  return name === 'domains.create' && 'dkimConfig' in data
    ? { ...data, dkimConfig: new Secret('[redacted]') }
    : data;
}

/** `schema` and `idempotent` stay in the web page. Never throws. */
function endpointCall(request: EndpointRequest): HandlerCall<unknown> {
  const call = { name: requestOperation, operation: requestOperation, oncePerCall: true };
  const failed = (issue: Issue) => ({ ...call, input: { ok: false, issue } as const, parse: anyData });
  try {
    const { schema, idempotent, ...given } = request;
    if (schema !== undefined && !isStandardSchema(schema))
      return failed({ path: 'schema', expected: 'a Standard Schema', received: typeName(schema) });
    const input = toJsonText({ api: 'rest', ...given }, '');
    if (!input.ok) return failed(input.issue);
    const { parse } = responseParser(schema);
    const [name, oncePerCall] = [`${given.method} ${given.path}`, given.method !== 'GET'];
    return { ...call, name, oncePerCall, input, parse: data => parse(data, 'off') };
  } catch {
    return failed({ path: '', expected: 'an object that can be read', received: typeName(request) });
  }
}

const anyData: HandlerCall<unknown>['parse'] = value => ({ ok: true, value, drift: [] });
