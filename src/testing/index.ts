/**
 * The sandbox: the whole service in memory, for tests and for a developer's desk.
 *
 * @module email-marketing-client/testing
 */

export type { Collection } from './collection.ts';
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
} from './faults.ts';
export type { Journal, RecordedRequest, RequestPattern } from './journal.ts';
export type { RefusalKind, SandboxOptions, Silences } from './options.ts';
export { defaultApiKey, defaultTeamId } from './options.ts';
export type * from './records.ts';
export type { OperationName } from './router.ts';
export type { Sandbox } from './sandbox.ts';
export { createSandbox } from './sandbox.ts';
export type { ContactSeed, Seed } from './seed.ts';
export type { ListenOptions, SandboxServer } from './server.ts';
export type { Snapshot, State } from './state.ts';
