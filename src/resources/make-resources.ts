import { type ApiPromise, CallPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { type Contacts, findByEmail } from './contacts.ts';
import type { Resources } from './index.ts';
import { iterate } from './listings.ts';
import type { Lists } from './lists.ts';
import type { OperationInputs, OperationResults } from './operation-types.ts';
import type { OperationName } from './operations.ts';

/** Calls an operation by name, at the service or the handler. */
export type CallOperation = <Name extends OperationName>(
  name: Name,
  input: OperationInputs[Name],
  options: CallOptions | undefined,
) => ApiPromise<OperationResults[Name]>;

/** Makes the resources of a client. Each method calls the operation of its name. */
export function makeResources(call: CallOperation): Resources {
  const lists: Lists = {
    create: (params, options) => call('lists.create', params, options),
    list: (query, options) => call('lists.list', query, options),
    all: (filter, options) => iterate('lists', lists, filter, options),
    delete: (id, options) => call('lists.delete', id, options),
  };
  const contacts: Contacts = {
    list: (query, options) => call('contacts.list', query, options),
    findByEmail: (email, options) => new CallPromise(findByEmail(contacts, email, options)),
    all: (filter, options) => iterate('contacts', contacts, filter, options),
  };
  return {
    domains: {
      create: (params, options) => call('domains.create', params, options),
    },
    lists,
    tags: {
      create: (params, options) => call('tags.create', params, options),
      delete: (id, options) => call('tags.delete', id, options),
    },
    contacts,
    postTags: {
      list: options => call('postTags.list', undefined, options),
      get: (id, options) => call('postTags.get', id, options),
    },
    postCategories: {
      create: (params, options) => call('postCategories.create', params, options),
    },
    senders: {
      list: options => call('senders.list', undefined, options),
    },
    templates: {
      delete: (id, options) => call('templates.delete', id, options),
    },
    campaigns: {
      delete: (id, options) => call('campaigns.delete', id, options),
    },
    events: {
      record: (params, options) => call('events.record', params, options),
    },
    legacy: {
      identify: (params, options) => call('legacy.identify', params, options),
      track: (params, options) => call('legacy.track', params, options),
    },
  };
}
