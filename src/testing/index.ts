/**
 * The sandbox: the whole service in memory, for tests and for development.
 *
 * @module email-marketing-client/testing
 */

export type {
  ActiveFault,
  Failure,
  Fault,
  FaultKind,
  FaultLimits,
  FaultOrder,
  FaultTarget,
  Interruption,
  Latency,
  RateLimit,
} from './faults/kinds.ts';
export {
  Journal,
  type RecordedRequest,
  type RecordedResponse,
  type RequestPattern,
  type StableRequest,
} from './journal.ts';
export type { SandboxOptions } from './options.ts';
export { defaultApiKey, defaultTeamId } from './options.ts';
export type { Sandbox, SandboxClientOptions } from './sandbox.ts';
export { createSandbox } from './sandbox.ts';
export type { ListenOptions, SandboxServer } from './server/server.ts';
export type {
  AddedEndpointHandle,
  EndpointHandler,
  EndpointOptions,
  EndpointRequest,
  EndpointResponse,
} from './service/added-endpoint.ts';
export type { Ambiguities } from './service/ambiguities.ts';
export { Collection } from './service/collection.ts';
export type { AddedEndpoint, Endpoint, OperationName } from './service/endpoints.ts';
export type * from './service/records.ts';
export type { RefusalKind, RefusalReason } from './service/refusal.ts';
export type { ContactSeed, Seed } from './service/seed.ts';
export type { Snapshot, State } from './service/state.ts';
