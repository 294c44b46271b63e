import type { Effect } from '../call/call-state.ts';

interface OperationRow extends Effect {
  /** Page sizes to try, largest first, because the service documents two maximums (rule 4.3). */
  readonly pageSizes?: readonly [number, ...number[]];
}

/**
 * Every operation by name, and what it does to the data of the service. Retries, iterating methods, and what a web page
 * receives depend on this table. `client/endpoints.ts` contains the requests.
 */
// biome-ignore format: one row per line
export const operations = {
  'domains.create': { kind: 'create' },
  'lists.create': { kind: 'create' },
  'lists.list': { kind: 'read', pageSizes: [500, 100] },
  'lists.delete': { kind: 'delete' },
  'tags.create': { kind: 'create' },
  'tags.delete': { kind: 'delete' },
  'contacts.list': { kind: 'read', pageSizes: [100, 30] },
  'postTags.list': { kind: 'read' },
  'postTags.get': { kind: 'read' },
  'postCategories.create': { kind: 'create' },
  'senders.list': { kind: 'read' },
  'templates.delete': { kind: 'delete' },
  'campaigns.delete': { kind: 'delete' },
  'events.record': { kind: 'write' },
  // Some inputs are idempotent, see `client/endpoints.ts`. A web page cannot know, because `authorize` may replace its
  // input.
  'legacy.identify': { kind: 'write' },
  'legacy.track': { kind: 'write', idempotent: true },
} as const satisfies Record<string, OperationRow>;

/** Name of an operation: a resource and a method of it. Minor versions add names. */
export type OperationName = keyof typeof operations;

export const operationNames = /* @__PURE__ */ Object.keys(operations) as readonly OperationName[];

/** Resource whose `list` takes a page, so that it also has the method `all`. */
export type ListingResource = {
  [Name in OperationName]: (typeof operations)[Name] extends { readonly pageSizes: unknown } ? Name : never;
}[OperationName] extends `${infer Resource}.list`
  ? Resource
  : never;
