/**
 * The sandbox: the whole service in memory, for tests and development; and results for mocked methods.
 *
 * @module email-marketing-client/testing
 */

export type {
  ActiveFault,
  Failure,
  Fault,
  FaultKind,
  FaultLimits,
  FaultScope,
  FaultTarget,
  Hold,
  Interruption,
  Latency,
  RateLimit,
  ReceivedRequest,
} from './faults/kinds.ts';
export { rejectsWith, resolvesTo } from './mocked-calls.ts';
export type { SandboxOptions } from './options.ts';
export {
  type RecordedRequest,
  type RecordedResponse,
  RequestLog,
  type RequestPattern,
} from './request-log.ts';
export type { Sandbox, SandboxClientOptions } from './sandbox.ts';
export { createSandbox } from './sandbox.ts';
export type { ListenOptions, SandboxServer } from './server/server.ts';
export type {
  AddedEndpointHandle,
  AddedEndpointRequest,
  EndpointHandler,
  EndpointOptions,
  EndpointResponse,
} from './service/added-endpoint.ts';
export type { Ambiguities } from './service/ambiguities.ts';
export { Collection, type State } from './service/collection.ts';
export type { ErrorKind, ErrorReason } from './service/error-response.ts';
export type {
  CampaignRecord,
  ContactRecord,
  CustomFieldRecord,
  DomainRecord,
  EventRecord,
  ListRecord,
  NamedRecord,
  SenderRecord,
  TagChangeRecord,
  TemplateRecord,
} from './service/records.ts';
export type { AddedEndpoint, Endpoint, OperationName } from './service/router.ts';
export type { ContactSeed, Seed } from './service/seed.ts';
export type { SandboxKeys } from './service/service.ts';
export type { Snapshot } from './service/state.ts';
