import { isDate, isObject, toJsonText } from '../../core/json.ts';
import type { Secret } from '../../helpers/secret.ts';
import type { HttpClient } from '../../http/call.ts';
import type { CallOptions } from '../../http/call-options.ts';
import type { Effect, InputResult, Operation } from '../../http/operation.ts';
import { type EndpointOf, identifyIsIdempotent, type OperationName } from '../../resources/endpoints.ts';
import type { Resources } from '../../resources/index.ts';
import { findByEmail, iterate } from '../../resources/listings.ts';
import type { OperationInputs, OperationResults } from '../../resources/operations.ts';

/** What the table of endpoints says of an operation, by type: a bundle for browsers does not hold the table itself. */
type Row<Name extends OperationName> = Pick<EndpointOf<Name>, keyof EndpointOf<Name> & keyof Effect>;

type NameWithoutInput = {
  [Name in OperationName]: EndpointOf<Name>['inputIn'] extends 'nothing' ? Name : never;
}[OperationName];

const create = { kind: 'create' } as const;
const read = { kind: 'read' } as const;
const remove = { kind: 'delete' } as const;

/** Returns functions that create methods, which ask the handler for their operations by name. */
const methodsOf = (http: HttpClient) => ({
  method: <Name extends OperationName>(name: Name, row: Row<Name> & Effect) => {
    const operation = handlerOperation(name, row);
    return (input: OperationInputs[Name], options?: CallOptions) => http.call(operation, input, options);
  },
  methodWithoutInput: <Name extends NameWithoutInput>(name: Name) => {
    const { input: _, ...operation } = handlerOperation(name, read);
    return (options?: CallOptions, mistake?: undefined) => http.call(operation, mistake, options);
  },
});

/** Creates every resource. */
export function makeResources(http: HttpClient): Resources {
  const { method, methodWithoutInput } = methodsOf(http);
  const contacts = method('contacts.list', read);
  const lists = method('lists.list', read);
  return {
    domains: { create: method('domains.create', create) },
    lists: {
      create: method('lists.create', create),
      list: lists,
      all: (filter, options) => iterate('lists', [500, 100], lists, filter, options),
      delete: method('lists.delete', remove),
    },
    tags: { create: method('tags.create', create), delete: method('tags.delete', remove) },
    contacts: {
      list: contacts,
      findByEmail: (email, options) => findByEmail(contacts, email, options),
      all: (filter, options) => iterate('contacts', [100, 30], contacts, filter, options),
    },
    postTags: { list: methodWithoutInput('postTags.list'), get: method('postTags.get', read) },
    postCategories: { create: method('postCategories.create', create) },
    senders: { list: methodWithoutInput('senders.list') },
    templates: { delete: method('templates.delete', remove) },
    campaigns: { delete: method('campaigns.delete', remove) },
    events: { record: method('events.record', { kind: 'write' }) },
    legacy: {
      identify: method('legacy.identify', { kind: 'write', idempotent: identifyIsIdempotent }),
      track: method('legacy.track', { kind: 'write', idempotent: true }),
    },
  };
}

/** What all operations have in common for a web page: a POST to the handler, whose address is no path of the service. */
const post = { api: 'handler', method: 'POST', path: '' } as const;

const handlerOperation = <Name extends OperationName>(
  name: Name,
  row: Effect,
): Operation<OperationInputs[Name], OperationResults[Name]> => ({
  ...post,
  ...row,
  name,
  input: { validateInput: input => validateJson(withSeconds(input)) },
  output: {
    parseResponse: data => ({ ok: true, value: toResult(name, data) as OperationResults[Name], drift: [] }),
  },
});

/** Returns an input with the time of an event in Unix seconds. */
const withSeconds = (input: unknown): unknown =>
  isObject(input) && isDate(input.time) ? { ...input, time: Math.floor(input.time.getTime() / 1000) } : input;

/** Passes JSON-serializable values. The handler validates the fields. */
function validateJson(value: unknown): InputResult {
  const json = toJsonText(value, '');
  return json.ok ? { ok: true, value } : { ok: false, issues: [json.issue] };
}

/** Stands for the private key, which never reaches a web page: there is nothing to hide. */
class Redacted implements Secret {
  reveal(): string {
    return '[redacted]';
  }

  toString(): string {
    return this.reveal();
  }

  toJSON(): string {
    return this.reveal();
  }
}

/** Returns a result as the method of the full client has it, but without the private key. */
function toResult(name: OperationName, data: unknown): unknown {
  return name === 'domains.create' && isObject(data) && 'dkimConfig' in data
    ? { ...data, dkimConfig: new Redacted() }
    : data;
}
