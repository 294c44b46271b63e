import type { HttpClient } from '../http/call/http-client.ts';
import type { Operation } from '../http/call/operation.ts';
import type { CallOptions } from '../http/call-options.ts';
import { type OperationName, operationNames } from '../operation-names.ts';
import { contactPageSizes, listPageSizes } from '../pagination/page-sizes.ts';
import { Paginator, type PaginatorOptions } from '../pagination/paginator.ts';
import { callIdHeader, makeCallId } from '../protocol.ts';
import type { Contact, ContactsFilter } from '../resources/contacts.ts';
import type { Resources } from '../resources/index.ts';
import type { List, ListsFilter } from '../resources/lists.ts';
import { readRecord } from './read-record.ts';
import { toWireCall } from './wire-call.ts';

/** Creates every resource, whose methods ask the handler at `path` for their operations by name. */
export function makeResources(http: HttpClient, path: string): Resources {
  const resources: Record<string, Record<string, unknown>> = {};
  for (const name of operationNames) {
    const [resource = '', method = ''] = name.split('.');
    resources[resource] ??= {};
    resources[resource][method] = (input: unknown, options?: CallOptions) =>
      http.call(askFor(name, path), input, withCallId(options));
  }
  const { contacts, lists } = resources as unknown as Resources;
  Object.assign(contacts, {
    all: (filter?: ContactsFilter, options?: PaginatorOptions & CallOptions) =>
      new Paginator<Contact>(
        {
          operation: 'contacts.list',
          filter,
          pageSizes: contactPageSizes,
          load: (page, own) => contacts.list({ ...filter, ...page }, own),
        },
        options,
      ),
  });
  Object.assign(lists, {
    all: (filter?: ListsFilter, options?: PaginatorOptions & CallOptions) =>
      new Paginator<List>(
        {
          operation: 'lists.list',
          filter,
          pageSizes: listPageSizes,
          load: (page, own) => lists.list({ ...filter, ...page }, own),
        },
        options,
      ),
  });
  return resources as unknown as Resources;
}

/** Adds the id of a call, which all of its attempts carry. */
export const withCallId = (options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { ...options.headers, [callIdHeader]: makeCallId() },
});

/** The operation as the handler takes it. It can be retried, as the handler performs each call once. */
const askFor = (name: OperationName, path: string): Operation<unknown, unknown> => ({
  name,
  api: 'proxy',
  method: 'POST',
  path,
  idempotent: true,
  oncePerCall: !/\.(?:list|get|delete)$/.test(name),
  ...(name.endsWith('.delete') && { notFoundIsSuccess: true }),
  input: { validate: input => toWireCall(name, input) },
  output: { parse: json => readRecord(name, json) },
});
