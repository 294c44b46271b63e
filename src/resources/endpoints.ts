import type { Operation } from '../api/operation.ts';
import type { Effect } from '../call/retries.ts';
import { changesByAmount } from '../helpers/increment.ts';

interface EndpointRow extends Effect, Pick<Operation, 'api' | 'method' | 'path' | 'query'> {
  readonly inputIn: NonNullable<Operation['inputIn']>;
  /** Page sizes, largest first: the next is used if the service rejects one, as it documents two maximums (rule 4.3). */
  readonly pageSizes?: readonly [number, ...number[]];
}

/** Every operation, by name. Names, retries, methods that iterate, and what a web page sees follow from this table. */
// biome-ignore format: one row per line
export const endpoints = {
  'domains.create': { api: 'rest', method: 'POST', path: '/domain', inputIn: 'body', kind: 'create' },
  'lists.create': { api: 'rest', method: 'POST', path: '/list', inputIn: 'body', kind: 'create' },
  'lists.list': { api: 'rest', method: 'GET', path: '/list', inputIn: 'query', kind: 'read', pageSizes: [500, 100] },
  'lists.delete': { api: 'rest', method: 'DELETE', path: '/list/{identifier}', inputIn: 'id', kind: 'delete' },
  'tags.create': { api: 'rest', method: 'POST', path: '/tag', inputIn: 'body', kind: 'create' },
  'tags.delete': { api: 'rest', method: 'DELETE', path: '/tag/{identifier}', inputIn: 'id', kind: 'delete' },
  'contacts.list': { api: 'rest', method: 'GET', path: '/contact', inputIn: 'query', kind: 'read', pageSizes: [100, 30] },
  'postTags.list': { api: 'rest', method: 'GET', path: '/post/tag', inputIn: 'nothing', kind: 'read' },
  'postTags.get': { api: 'rest', method: 'GET', path: '/post/tag/{identifier}', inputIn: 'id', kind: 'read' },
  'postCategories.create': { api: 'rest', method: 'POST', path: '/post/category', inputIn: 'body', kind: 'create' },
  'senders.list': { api: 'rest', method: 'GET', path: '/sender', inputIn: 'nothing', kind: 'read' },
  'templates.delete': { api: 'rest', method: 'DELETE', path: '/template/email/{identifier}', inputIn: 'id', kind: 'delete' },
  'campaigns.delete': { api: 'rest', method: 'DELETE', path: '/campaign/{identifier}', inputIn: 'id', kind: 'delete' },
  'events.record': { api: 'rest', method: 'POST', path: '/events/custom', inputIn: 'body', kind: 'write' },
  'legacy.identify': { api: 'legacy', method: 'POST', path: '/contact/identify', inputIn: 'body', kind: 'write', idempotent: identifyIsIdempotent },
  'legacy.track': { api: 'legacy', method: 'POST', path: '/contact/track', inputIn: 'body', query: ['email'], kind: 'write', idempotent: true },
} as const satisfies Record<string, EndpointRow>;

/** Name of an operation: a resource and a method of it. Minor versions add names. */
export type OperationName = keyof typeof endpoints;

export const operationNames = /* @__PURE__ */ Object.keys(endpoints) as readonly OperationName[];

/** Resource whose `list` takes a page: it has the method `all` too. */
export type ListingResource = {
  [Name in OperationName]: (typeof endpoints)[Name] extends { readonly pageSizes: unknown } ? Name : never;
}[OperationName] extends `${infer Resource}.list`
  ? Resource
  : never;

/** A row of the table, by the name of its operation. */
export type EndpointOf<Name extends OperationName> = (typeof endpoints)[Name];

/** A `++` or `--` would count twice, and with `newEmail` a second call would create a contact under the old address. */
export function identifyIsIdempotent(input: unknown): boolean {
  const { newEmail, customFields } = Object(input);
  const isAmount = (value: unknown) => typeof value === 'string' && changesByAmount.test(value);
  return !newEmail && !Object.values(customFields ?? {}).some(isAmount);
}
