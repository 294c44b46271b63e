import { type EndpointOf, identifyIsIdempotent, type OperationName } from '../endpoints.ts';
import { Secret } from '../helpers/secret.ts';
import type { ApiPromise } from '../http/call/api-promise.ts';
import { type Effect, isIdempotent } from '../http/call/operation.ts';
import { invalidRequest } from '../http/issues.ts';
import { isDate, isObject, toJsonText } from '../http/json.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { checkOptions } from '../http/options/check-options.ts';
import { anObject, type OptionRules, required } from '../http/options/rules.ts';
import { isStandardSchema, responseParser } from '../http/standard-schema.ts';
import { type EndpointRequest, isReadMethod } from '../operations/endpoint-request.ts';
import type { OperationInputs, OperationResults } from '../operations/index.ts';
import { requestOperation } from '../protocol.ts';
import type { Resources } from '../resources/index.ts';
import { findByEmail, iterate } from '../resources/listings.ts';
import type { HandlerCall, HandlerClient } from './handler-client.ts';

/** Type of the method `request` of a browser client. */
export type RequestMethod = <Output = unknown>(
  request: EndpointRequest<Output>,
  options?: CallOptions,
) => ApiPromise<NoInfer<Output>>;

/** What the table of endpoints says of an operation, by type: a bundle for browsers does not hold the table itself. */
type Row<Name extends OperationName> = Pick<EndpointOf<Name>, keyof EndpointOf<Name> & keyof Effect>;

const create = { kind: 'create' } as const;
const read = { kind: 'read' } as const;
const remove = { kind: 'delete' } as const;

/** Creates every resource, whose methods ask the handler for their operations by name. */
export function makeResources(handler: HandlerClient): Resources {
  const method =
    <Name extends OperationName>(name: Name, row: Row<Name> & Effect) =>
    (input: OperationInputs[Name], options?: CallOptions) =>
      handler.call(() => operationCall(name, row, input), options);
  const contacts = method('contacts.list', read);
  const lists = method('lists.list', read);
  const postTags = method('postTags.list', read);
  const senders = method('senders.list', read);
  return {
    domains: { create: method('domains.create', create) },
    lists: {
      create: method('lists.create', create),
      list: lists,
      all: (filter, options) => iterate('lists.list', [500, 100], lists, filter, options),
      delete: method('lists.delete', remove),
    },
    tags: { create: method('tags.create', create), delete: method('tags.delete', remove) },
    contacts: {
      list: contacts,
      findByEmail: (email, options) => findByEmail(contacts, email, options),
      all: (filter, options) => iterate('contacts.list', [100, 30], contacts, filter, options),
    },
    postTags: { list: options => postTags(undefined, options), get: method('postTags.get', read) },
    postCategories: { create: method('postCategories.create', create) },
    senders: { list: options => senders(undefined, options) },
    templates: { delete: method('templates.delete', remove) },
    campaigns: { delete: method('campaigns.delete', remove) },
    events: { record: method('events.record', { kind: 'write' }) },
    legacy: {
      identify: method('legacy.identify', { kind: 'write', idempotent: identifyIsIdempotent }),
      track: method('legacy.track', { kind: 'write', idempotent: true }),
    },
  };
}

/** Creates the method that asks the handler to call an endpoint. The handler validates the request. */
export const makeRequest =
  (handler: HandlerClient): RequestMethod =>
  <Output>(request: EndpointRequest<Output>, options?: CallOptions) =>
    handler.call(() => endpointCall(request) as HandlerCall<Output>, options);

const operationCall = <Name extends OperationName>(
  name: Name,
  row: Effect,
  input: unknown,
): HandlerCall<OperationResults[Name]> => ({
  name,
  operation: name,
  input: jsonOf(name, withSeconds(input)),
  oncePerCall: !isIdempotent(row, input),
  isDeletion: row.kind === 'delete',
  parse: data => ({ ok: true, value: toResult(name, row, data) as OperationResults[Name], drift: [] }),
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

function toResult(name: OperationName, { kind }: Effect, data: unknown): unknown {
  if (!isObject(data)) return data;
  // A deletion that an earlier attempt has done comes as an empty object.
  if (kind === 'delete') return { status: 'success', message: '', ...data };
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
  const { schema, idempotent, ...input } = request;
  const { parse } = responseParser(schema);
  return {
    name: `${input.method} ${input.path}`,
    operation: requestOperation,
    input: jsonOf(requestOperation, { api: 'rest', ...input }),
    oncePerCall: !isReadMethod(input.method),
    parse: data => parse(data, 'off'),
  };
}
