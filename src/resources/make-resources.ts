import { type ApiPromise, CallPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { type Contacts, findByEmail } from './contacts.ts';
import type { Resources } from './index.ts';
import { createPaginator } from './listings.ts';
import type { Lists } from './lists.ts';
import type { OperationInputs, OperationResults } from './operation-types.ts';
import type { OperationName } from './operations.ts';

/** Calls an operation by name, through the service or the handler. */
export type CallOperation = <Name extends OperationName>(
  name: Name,
  input: OperationInputs[Name],
  options: CallOptions | undefined,
) => ApiPromise<OperationResults[Name]>;

/** Makes the resources of a client. Each method calls the operation of its name. */
export function makeResources(callOperation: CallOperation): Resources {
  const lists: Lists = {
    create: (params, options) => callOperation('lists.create', params, options),
    list: (query, options) => callOperation('lists.list', query, options),
    all: (filter, options) => createPaginator('lists', lists, filter, options),
    delete: (id, options) => callOperation('lists.delete', id, options),
  };
  const contacts: Contacts = {
    list: (query, options) => callOperation('contacts.list', query, options),
    findByEmail: (email, options) => new CallPromise(findByEmail(contacts, email, options)),
    all: (filter, options) => createPaginator('contacts', contacts, filter, options),
  };
  return {
    domains: {
      create: (params, options) => callOperation('domains.create', params, options),
    },
    lists,
    tags: {
      create: (params, options) => callOperation('tags.create', params, options),
      delete: (id, options) => callOperation('tags.delete', id, options),
    },
    contacts,
    postTags: {
      list: options => callOperation('postTags.list', undefined, options),
      get: (id, options) => callOperation('postTags.get', id, options),
    },
    postCategories: {
      create: (params, options) => callOperation('postCategories.create', params, options),
    },
    senders: {
      list: options => callOperation('senders.list', undefined, options),
    },
    templates: {
      delete: (id, options) => callOperation('templates.delete', id, options),
    },
    campaigns: {
      delete: (id, options) => callOperation('campaigns.delete', id, options),
    },
    events: {
      record: (params, options) => callOperation('events.record', params, options),
    },
    legacy: {
      identify: (params, options) => callOperation('legacy.identify', params, options),
      track: (params, options) => callOperation('legacy.track', params, options),
    },
  };
}
