import { Secret } from '../helpers/secret.ts';
import type { ApiPromise } from '../http/call/api-promise.ts';
import { invalidRequest } from '../http/issues.ts';
import { isDate, isObject, toJsonText } from '../http/json.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { checkOptions } from '../http/options/check-options.ts';
import { anObject, type OptionRules, required } from '../http/options/rules.ts';
import { isStandardSchema, responseParser } from '../http/standard-schema.ts';
import { type OperationName, operationNames } from '../operation-names.ts';
import type { EndpointRequest } from '../operations/endpoint-request.ts';
import { requestOperation } from '../protocol.ts';
import type { OperationInputs, Resources } from '../resources/index.ts';
import { findByEmail, iterateContacts, iterateLists } from '../resources/listings.ts';
import type { HandlerCall, HandlerClient } from './handler-client.ts';

/** Type of the method `request` of a browser client. */
export type RequestMethod = <Output = unknown>(
  request: EndpointRequest<Output>,
  options?: CallOptions,
) => ApiPromise<NoInfer<Output>>;

/** Operations without an input: the only argument of their methods is the options. */
const withoutInput: Readonly<Record<WithoutInput, true>> = { 'postTags.list': true, 'senders.list': true };

type WithoutInput = {
  [Name in OperationName]: OperationInputs[Name] extends undefined ? Name : never;
}[OperationName];

/** Creates every resource, whose methods ask the handler for their operations by name. */
export function makeResources(handler: HandlerClient): Resources {
  const resources: Record<string, Record<string, unknown>> = {};
  for (const name of operationNames) {
    const [resource = '', method = ''] = name.split('.');
    resources[resource] ??= {};
    resources[resource][method] = (...given: unknown[]) => {
      const [input, options] = name in withoutInput ? [undefined, ...given] : given;
      return handler.call(() => operationCall(name, input), options as CallOptions | undefined);
    };
  }
  const { contacts, lists } = resources as unknown as Resources;
  Object.assign(contacts, {
    findByEmail: (email, options) => findByEmail(contacts.list, email, options),
    all: (filter, options) => iterateContacts(contacts.list, filter, options),
  } satisfies Partial<Resources['contacts']>);
  Object.assign(lists, {
    all: (filter, options) => iterateLists(lists.list, filter, options),
  } satisfies Partial<Resources['lists']>);
  return resources as unknown as Resources;
}

/** Creates the method that asks the handler to call an endpoint. The handler validates the request. */
export const makeRequest =
  (handler: HandlerClient): RequestMethod =>
  <Output>(request: EndpointRequest<Output>, options?: CallOptions) =>
    handler.call(() => endpointCall(request) as HandlerCall<Output>, options);

const operationCall = (name: OperationName, input: unknown): HandlerCall<unknown> => ({
  name,
  operation: name,
  input: jsonOf(name, withSeconds(input)),
  oncePerCall: !/\.(?:list|get|delete)$/.test(name),
  parse: data => ({ ok: true, value: toResult(name, data), drift: [] }),
});

/** Returns an input with the time of an event in Unix seconds. */
const withSeconds = (input: unknown): unknown =>
  isObject(input) && isDate(input.time) ? { ...input, time: Math.floor(input.time.getTime() / 1000) } : input;

/** Writes an input as JSON. Throws an `InvalidRequestError` if JSON cannot hold it. */
function jsonOf(operation: string, input: unknown): string | undefined {
  const json = toJsonText(input, '');
  if (json.ok) return json.text;
  throw invalidRequest(operation, [json.issue]);
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

const requestRules: OptionRules = {
  request: required(anObject),
  schema: { expected: 'a Standard Schema', isValid: isStandardSchema },
};

/** `schema` and `idempotent` stay in the web page. Throws an `InvalidRequestError` for a request that cannot be sent. */
function endpointCall(request: EndpointRequest): HandlerCall<unknown> {
  checkOptions(requestOperation, { request, schema: request?.schema }, requestRules);
  const { schema, idempotent, ...given } = request;
  const { parse } = responseParser(schema);
  return {
    name: `${given.method} ${given.path}`,
    operation: requestOperation,
    input: jsonOf(requestOperation, { api: 'rest', ...given }),
    oncePerCall: given.method !== 'GET',
    parse: data => parse(data, 'off'),
  };
}
