import type { Issue } from '../errors.ts';
import { Secret } from '../helpers/secret.ts';
import type { ApiPromise } from '../http/call/api-promise.ts';
import type { HttpClient } from '../http/call/http-client.ts';
import type { Operation, ResponseSchema } from '../http/call/operation.ts';
import { isObject, type JsonText, toJsonText, typeName } from '../http/json.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { isStandardSchema, responseParser } from '../http/standard-schema.ts';
import { type OperationName, operationNames } from '../operation-names.ts';
import type { ContactsFilter } from '../operations/contacts.ts';
import type { EndpointRequest } from '../operations/endpoint-request.ts';
import type { ListsFilter } from '../operations/lists.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import { callIdHeader, makeCallId, requestOperation } from '../protocol.ts';
import type { Resources } from '../resources/index.ts';
import { findByEmail, iterateContacts, iterateLists } from '../resources/listings.ts';

/** Type of the method `request` of a browser client. */
export type RequestMethod = <Output = unknown>(
  request: EndpointRequest<Output>,
  options?: CallOptions,
) => ApiPromise<NoInfer<Output>>;

/** Creates every resource, whose methods ask the handler at `path` for their operations by name. */
export function makeResources(http: HttpClient, path: string): Resources {
  const resources: Record<string, Record<string, unknown>> = {};
  for (const name of operationNames) {
    const [resource = '', method = ''] = name.split('.');
    resources[resource] ??= {};
    resources[resource][method] = (input: unknown, options?: CallOptions) =>
      http.call(operationCall(name, path, input), undefined, withCallId(options));
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

/** Creates the method that asks the handler at `path` to call an endpoint. The handler validates the request. */
export const makeRequest =
  (http: HttpClient, path: string): RequestMethod =>
  <Output>(request: EndpointRequest<Output>, options?: CallOptions) =>
    http.call(endpointCall(request, path) as Operation<unknown, Output>, undefined, withCallId(options));

/** Adds the id of a call, which all of its attempts carry. */
const withCallId = (options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { ...options.headers, [callIdHeader]: makeCallId() },
});

/** A call as the handler takes it. */
interface Call {
  readonly name: string;
  /** Address of the handler. */
  readonly path: string;
  /** Name that the handler knows. */
  readonly operation: string;
  readonly input: JsonText;
  /** `true` if another call of the same input acts again. Attempts of one call do not, as they carry its id. */
  readonly oncePerCall: boolean;
  readonly output: ResponseSchema<unknown>;
}

/** The handler validates the input. The browser client only checks that JSON holds all of it. */
const toOperation = ({ name, path, operation, input, oncePerCall, output }: Call): Operation<unknown> => ({
  name,
  api: 'proxy',
  method: 'POST',
  path,
  request: { path, query: '', body: bodyOf(operation, input.ok ? input.text : undefined) },
  idempotent: true,
  oncePerCall,
  ...(operation.endsWith('.delete') && { notFoundIsSuccess: true }),
  input: {
    validate: () => (input.ok ? { ok: true, value: undefined } : { ok: false, issues: [input.issue] }),
  },
  output,
});

const bodyOf = (operation: string, input: string | undefined): string =>
  `{"operation":"${operation}"${input === undefined ? '' : `,"input":${input}`}}`;

const operationCall = (name: OperationName, path: string, input: unknown): Operation<unknown> =>
  toOperation({
    name,
    path,
    operation: name,
    input: jsonOfInput(input),
    oncePerCall: !/\.(?:list|get|delete)$/.test(name),
    output: { parse: data => ({ ok: true, value: toResult(name, data), drift: [] }) },
  });

/** Writes an input as JSON, and a `Date` as the time of an event in Unix seconds. */
function jsonOfInput(input: unknown): JsonText {
  try {
    if (isObject(input) && input.time instanceof Date)
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
function endpointCall(request: EndpointRequest, path: string): Operation<unknown> {
  const call = { name: requestOperation, path, operation: requestOperation, oncePerCall: true };
  const failed = (issue: Issue) =>
    toOperation({ ...call, input: { ok: false, issue }, output: responseParser(undefined) });
  try {
    const { schema, idempotent, ...given } = request;
    if (schema !== undefined && !isStandardSchema(schema))
      return failed({ path: 'schema', expected: 'a Standard Schema', received: typeName(schema) });
    const input = toJsonText({ api: 'rest', ...given }, '');
    if (!input.ok) return failed(input.issue);
    const name = `${given.method} ${given.path}`;
    const oncePerCall = given.method !== 'GET';
    return toOperation({ ...call, name, input, oncePerCall, output: responseParser(schema) });
  } catch {
    return failed({ path: '', expected: 'an object that can be read', received: typeName(request) });
  }
}
