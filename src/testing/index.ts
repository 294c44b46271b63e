/**
 * The sandbox, which simulates the service in memory for tests and development, and results for mocked methods.
 *
 * @module email-marketing-client/testing
 */

export type { Sandbox, SandboxClientOptions } from './create-sandbox.ts';
export { createSandbox } from './create-sandbox.ts';
export type {
  ActiveFault,
  Failure,
  Fault,
  FaultKind,
  FaultLimits,
  FaultTarget,
  Hold,
  Interruption,
  Latency,
  ReceivedRequest,
} from './faults/fault-kinds.ts';
export { rejectsWith, resolvesTo } from './mocked-calls.ts';
export type {
  RecordedRequest,
  RecordedResponse,
  RequestLog,
  RequestPattern,
} from './request-log.ts';
export type { SandboxOptions } from './sandbox-options.ts';
export type { ListenOptions, SandboxServer } from './server/server.ts';
export type {
  AddedEndpointHandle,
  AddedEndpointRequest,
  EndpointHandler,
  EndpointOptions,
  EndpointResponse,
} from './service/added-endpoint.ts';
export type { Ambiguities } from './service/ambiguities.ts';
export type { Collection, State } from './service/collection.ts';
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
} from './service/record-kinds.ts';
export type { AddedEndpoint, Endpoint } from './service/router.ts';
export type { SandboxKeys } from './service/sandbox-service.ts';
export type { ContactSeed, Seed } from './service/seed.ts';
export type { Snapshot } from './service/state.ts';
