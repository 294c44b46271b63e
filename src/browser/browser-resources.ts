import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { Effect } from '../call/retries.ts';
import type { EndpointOf, OperationName } from '../resources/endpoints.ts';
import type { Resources } from '../resources/index.ts';
import { findByEmail, iterate } from '../resources/listings.ts';
import type { OperationInputs, OperationResults } from '../resources/operation-types.ts';
import { checkRecords, type HandlerCalls, type ResultCheck } from './handler-calls.ts';

/**
 * What the table of endpoints says of an operation, by type: a bundle for browsers does not hold the table itself. What
 * depends on the input is left out, as only the handler knows the input that `authorize` lets through.
 */
type Row<Name extends OperationName> = Pick<EndpointOf<Name>, 'kind'> &
  (EndpointOf<Name> extends { readonly idempotent: true } ? { readonly idempotent: true } : unknown);

type NameWithoutInput = {
  [Name in OperationName]: EndpointOf<Name>['inputIn'] extends 'nothing' ? Name : never;
}[OperationName];

const create = { kind: 'create' } as const;
const read = { kind: 'read' } as const;
const remove = { kind: 'delete' } as const;

/** What all operations have in common for a web page: a POST to the handler, whose address is no path of the service. */
const post = { method: 'POST', path: '' } as const;

/** Returns functions that create methods, which ask the handler for their operations by name. */
const methodsOf = (handler: HandlerCalls) => ({
  method:
    <Name extends OperationName>(name: Name, row: Row<Name> & Effect, check?: ResultCheck) =>
    (input: OperationInputs[Name], options?: CallOptions) =>
      handler.perform({ ...post, ...row, name }, input, options, check) as ApiPromise<OperationResults[Name]>,
  methodWithoutInput:
    <Name extends NameWithoutInput>(name: Name) =>
    (options?: CallOptions) =>
      handler.perform({ ...post, ...read, name }, undefined, options) as ApiPromise<OperationResults[Name]>,
});

/** Creates every resource. */
export function makeResources(handler: HandlerCalls): Resources {
  const { method, methodWithoutInput } = methodsOf(handler);
  const contacts = method('contacts.list', read, checkRecords);
  const lists = method('lists.list', read, checkRecords);
  return {
    domains: { create: method('domains.create', create) },
    lists: {
      create: method('lists.create', create),
      list: method('lists.list', read),
      all: (filter, options) => iterate('lists', [500, 100], lists, filter, options),
      delete: method('lists.delete', remove),
    },
    tags: { create: method('tags.create', create), delete: method('tags.delete', remove) },
    contacts: {
      list: method('contacts.list', read),
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
      identify: method('legacy.identify', { kind: 'write' }),
      track: method('legacy.track', { kind: 'write', idempotent: true }),
    },
  };
}
