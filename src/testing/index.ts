/**
 * The sandbox: the whole service in memory, for tests and for a developer's desk.
 *
 * @module email-marketing-client/testing
 */

export type {
  Failure,
  Fault,
  FaultKind,
  FaultLimits,
  FaultOrder,
  FaultTarget,
  Interruption,
  Latency,
  RateLimit,
} from './faults/faults.ts';
export type { Journal, RecordedRequest, RequestPattern } from './journal.ts';
export type { RefusalKind, SandboxOptions, Silences } from './options.ts';
export { defaultApiKey, defaultTeamId } from './options.ts';
export type { Sandbox } from './sandbox.ts';
export { createSandbox } from './sandbox.ts';
export type { ListenOptions, SandboxServer } from './server/server.ts';
export type { Collection } from './service/collection.ts';
export type * from './service/records.ts';
export type { OperationName } from './service/router.ts';
export type { ContactSeed, Seed } from './service/seed.ts';
export type { Snapshot, State } from './service/state.ts';
