/**
 * The client, walks, bulk calls and errors.
 *
 * @module email-marketing-client
 */

export { type BulkContext, type BulkOptions, type BulkProgress, type BulkResult, bulk } from './bulk.ts';
export { EmailMarketingClient } from './client.ts';
export { ApiPromise, type SafeResult, type WithResponse } from './core/api-promise.ts';
// Watching and holding back calls
export type {
  AttemptEvent,
  Drift,
  ErrorEvent,
  Hooks,
  Logger,
  LogLevel,
  ResponseEvent,
  RetryEvent,
} from './core/observe.ts';
export type { Validation } from './core/operation.ts';
export type { CallOptions } from './core/options.ts';
export type { ThrottleLimiter, ThrottleLimits } from './core/throttle.ts';
// Errors
export * from './errors.ts';
export type { ApiKey, ClientOptions } from './options.ts';
// Walks and bulk calls
export type { Checkpoint } from './pagination/checkpoint.ts';
export type { LazyIterator } from './pagination/lazy-iterator.ts';
export type { Paginator, PaginatorOptions, PaginatorProgress } from './pagination/paginator.ts';
// Records, and what they are made from
export type { Campaigns } from './resources/campaigns.ts';
export {
  type Contact,
  type ContactSource,
  type Contacts,
  type ContactsFilter,
  type ContactsQuery,
  customField,
} from './resources/contacts.ts';
export type { CreateDomainParams, DnsRecord, Domain, Domains } from './resources/domains.ts';
export type { Events, RecordEventParams } from './resources/events.ts';
export type { Resources } from './resources/index.ts';
export type {
  IdentifyParams,
  IdentifyResult,
  Legacy,
  LegacyContact,
  TrackParams,
  TrackResult,
} from './resources/legacy.ts';
export type { CreateListParams, List, Lists, ListsFilter, ListsQuery } from './resources/lists.ts';
export type { OperationName } from './resources/operations.ts';
export type { CreatePostCategoryParams, PostCategories, PostCategory } from './resources/post-categories.ts';
export type { PostTag, PostTags } from './resources/post-tags.ts';
export type { Sender, Senders } from './resources/senders.ts';
export type { CreateTagParams, Tag, Tags } from './resources/tags.ts';
export type { Templates } from './resources/templates.ts';
export type { Acknowledgement } from './schema/acknowledgement.ts';

// Words for single values
export { type DkimConfig, parseDkimConfig } from './schema/dkim-config.ts';
export type * from './schema/id.ts';
export { decrement, increment } from './schema/numeric.ts';
export type { PageQuery } from './schema/page.ts';
export { Secret } from './schema/secret.ts';
export { epochNanoseconds } from './schema/time.ts';
export { version } from './version.ts';
