/**
 * Client of the email marketing service, with pagination, bulk operations and errors.
 *
 * @module email-marketing-client
 */

// Pagination and bulk operations
export {
  type BulkCall,
  type BulkContext,
  type BulkOptions,
  type BulkProgress,
  type BulkResult,
  type BulkResults,
  type BulkSource,
  bulk,
} from './bulk.ts';
// Calls
export type { ApiPromise, SafeResult, WithResponse } from './call/api-promise.ts';
export type { CallHeaders, CallOptions } from './call/call-options.ts';
// Logging and tracing
export type {
  CallAttemptEvent,
  CallErrorEvent,
  CallRetryEvent,
  CallSuccessEvent,
  Drift,
  Hooks,
} from './call/hooks.ts';
export type { LogFields, Logger, LogLevel } from './call/log.ts';
export type { ThrottleLimiter, ThrottleLimits } from './call/throttle-limits.ts';
// Client
export { EmailMarketingClient } from './client/client.ts';
export type { ClientOptions, DefaultOptions } from './client/client-options.ts';
export type { ApiKey, KeyRequest } from './client/credentials.ts';
export type { HttpMethod } from './client/endpoint.ts';
export type { EndpointRequest } from './client/endpoint-request.ts';
export type { StandardSchema } from './client/standard-schema.ts';
// Errors
export type * from './error-details.ts';
export * from './errors.ts';
// Helpers for single values
export { customField } from './helpers/custom-field.ts';
export { type DkimConfig, parseDkimConfig } from './helpers/dkim-config.ts';
export { epochNanoseconds } from './helpers/epoch-nanoseconds.ts';
export { decrement, increment } from './helpers/increment.ts';
export { Secret } from './helpers/secret.ts';
export type { Paginator } from './pagination/paginator.ts';
export type { PaginatorOptions, PaginatorProgress, ToArrayOptions } from './pagination/paginator-options.ts';
// Resources, their records and inputs
export type { AccountTypes, CustomFieldValues, TagName } from './resources/account-types.ts';
export type { Campaigns } from './resources/campaigns.ts';
export type {
  Contact,
  ContactSource,
  Contacts,
  ContactsFilter,
  ContactsQuery,
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
export type { OperationInputs, OperationResults } from './resources/operation-types.ts';
export type { OperationName } from './resources/operations.ts';
export type { CreatePostCategoryParams, PostCategories, PostCategory } from './resources/post-categories.ts';
export type { PostTag, PostTags } from './resources/post-tags.ts';
export type { Sender, Senders } from './resources/senders.ts';
export type { CreateTagParams, Tag, Tags } from './resources/tags.ts';
export type { Templates } from './resources/templates.ts';
export type { Acknowledgement } from './schemas/acknowledgement.ts';
export type {
  CampaignId,
  ContactId,
  DomainId,
  ListId,
  PostCategoryId,
  PostTagId,
  SenderId,
  TagId,
  TemplateId,
} from './schemas/id.ts';
export type { Validation } from './schemas/lenient-parser.ts';
export type { FetchFunction, FetchInit, FetchResponse } from './transport/fetch.ts';
