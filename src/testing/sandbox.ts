import { Faults } from './faults/faults.ts';
import type {
  ActiveFault,
  Failure,
  Fault,
  FaultKind,
  FaultTarget,
  Interruption,
  Latency,
  RateLimit,
} from './faults/kinds.ts';
import { readOptions, type SandboxOptions } from './options.ts';
import { Recorder, type RequestLog } from './request-log.ts';
import { Responder } from './respond.ts';
import { check, object } from './rules.ts';
import type { SandboxParts } from './server/controls.ts';
import type { ListenOptions, SandboxServer } from './server/server.ts';
import {
  type AddedEndpointHandle,
  type EndpointHandler,
  type EndpointOptions,
  endpointName,
  handlerOf,
} from './service/added-endpoint.ts';
import type { State } from './service/collection.ts';
import { Random } from './service/random.ts';
import { Router, routeOf } from './service/router.ts';
import { seedState } from './service/seed.ts';
import { Service } from './service/service.ts';
import { createState, restoreSnapshot, type Snapshot, takeSnapshot } from './service/state.ts';
import { loadState, saveState } from './state-file.ts';

/** Everything that a client needs to call a sandbox: `new EmailMarketingClient(sandbox.clientOptions)`. */
export interface SandboxClientOptions {
  /** Base URL of the REST interface. */
  readonly baseUrl: string;
  /** Base URL of the legacy interface. */
  readonly legacyBaseUrl: string;
  /** Key of REST calls. */
  readonly apiKey: string;
  /** Key of legacy calls. */
  readonly legacyApiKey: string;
  /** Team id of legacy calls. */
  readonly teamId: string;
  /** Responds without a network. */
  readonly fetch: typeof globalThis.fetch;
}

/** The whole service in memory: ways to call it, its records, the requests that it received, and its faults. */
export interface Sandbox {
  /** Key that REST calls must carry. */
  readonly apiKey: string;
  /** Key that legacy calls must carry. */
  readonly legacyApiKey: string;
  /** Team id that legacy calls must carry. */
  readonly teamId: string;
  /** Base URL of the REST interface, if an option gave one. */
  readonly baseUrl: string | undefined;
  /** Base URL of the legacy interface, if an option gave one. */
  readonly legacyBaseUrl: string | undefined;
  /** Options for a client of this sandbox. */
  readonly clientOptions: SandboxClientOptions;
  /** Responds as the platform's `fetch` would, without a network: pass it to the client as `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** Every request that was received, oldest first: an array with `to`, `count`, `last` and `matching`. */
  readonly requests: RequestLog;
  /** Every record of the sandbox, by kind: `state.contacts.add({ email })`, `state.tags.named('vip')`. */
  readonly state: State;
  /** Number that grows when a request, the web page or `reset` may have changed the state, so that a view can follow. */
  readonly revision: number;
  /**
   * Starts an HTTP server on Node, Bun or Deno.
   * @param port Port to listen on; 0, the default, lets the system choose.
   * @param options Address to bind to, and host names to accept.
   */
  listen(port?: number, options?: ListenOptions): Promise<SandboxServer>;
  /**
   * Adds an endpoint that the service does not document, or replaces one: `on('GET', '/contact/{id}', handler)`.
   * It stays after `reset()`. Throws a `RangeError` for a method or a path that cannot be one.
   * @param method HTTP method.
   * @param path Path relative to the interface; parts in braces are parameters.
   * @param handler Returns the response; called once the key and the team id have been checked.
   */
  on(method: string, path: string, handler: EndpointHandler, options?: EndpointOptions): AddedEndpointHandle;
  /** Restores the seed, and clears the request log and the faults. */
  reset(): void;
  /** Copies the state, to restore it later with `restore`. */
  snapshot(): Snapshot;
  /** Restores the state of a snapshot. Throws a `RangeError` for anything but what `snapshot()` returned. */
  restore(snapshot: Snapshot): void;
  /** Writes the state to a JSON file, in one step: a reader sees the old file or the new one. Node, Bun and Deno. */
  save(file: string): Promise<void>;
  /** Replaces the state by that of a JSON file written by `save`. Rejects with a `RangeError` for any other. */
  load(file: string): Promise<void>;
  /** Responds to requests for an operation with an error: `fail('tags.create', { status: 503, times: 2 })`. */
  fail(operation: FaultTarget, failure?: Failure): Fault;
  /** Sends no response to requests for an operation, or half of one, and keeps the connection open. */
  stall(operation: FaultTarget, interruption?: Interruption): Fault;
  /** Cuts the connection of requests for an operation, before the response or half-way through it. */
  drop(operation: FaultTarget, interruption?: Interruption): Fault;
  /** Delays requests for an operation: milliseconds, or `{ ms, jitterMs, times, chance }`. */
  latency(operation: FaultTarget, latency: number | Latency): Fault;
  /** Responds 429 with `Retry-After` to requests beyond a number per period. */
  rateLimit(operation: FaultTarget, limit: RateLimit): Fault;
  /** Returns every fault that is on. */
  faults(): ActiveFault[];
  /** Switches every fault off. */
  clearFaults(): void;
}

/** Base URL of `clientOptions` if no option gives one; no request is sent there. */
const unnamedBaseUrl = 'https://sandbox.test';

/**
 * Creates a sandbox: the whole service in memory, for tests and for development. Throws a `RangeError` for an option that
 * does not exist or cannot have its value.
 *
 * ```ts
 * const sandbox = createSandbox({ seed: { contacts: 1000 } });
 * const client = new EmailMarketingClient(sandbox.clientOptions);
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const parts = createParts(options);
  const { apiKey, legacyApiKey, teamId, state, recorder, router, responder, reset } = parts;
  const { baseUrl, legacyBaseUrl } = options;
  const fetch: Sandbox['fetch'] = async (input, init) =>
    responder.fetch(new Request(input, init), parts.maxBodyBytes);
  const base = baseUrl ?? unnamedBaseUrl;
  const keys = { apiKey, legacyApiKey, teamId };
  return {
    ...{ ...keys, baseUrl, legacyBaseUrl, fetch, state, requests: recorder.log, reset },
    clientOptions: { ...keys, baseUrl: base, legacyBaseUrl: legacyBaseUrl ?? base, fetch },
    get revision() {
      return recorder.revision;
    },
    ...faultControls(parts.faults),
    on: (method, path, handler, { api = 'rest' } = {}) => {
      const endpoint = endpointName(method, path);
      return { endpoint, remove: router.add(routeOf(api, endpoint, handlerOf(handler))) };
    },
    // Loaded when it is needed: tests and web pages that only call `fetch` do not need the server and its page.
    listen: async (port, where) => (await import('./server/site.ts')).serveSandbox(parts, port, where),
    snapshot: () => takeSnapshot(state),
    restore: snapshot => restoreSnapshot(state, snapshot),
    save: file => saveState(state, file),
    load: file => loadState(state, file),
  };
}

/** Creates the parts that the options describe, with the records of the seed. */
function createParts(options: SandboxOptions): SandboxParts {
  const settings = readOptions(options);
  const { seed = {}, baseUrl, legacyBaseUrl = baseUrl, onResponse } = options;
  const { randomSeed, now, ambiguities } = settings;
  const [random, chances] = [new Random(randomSeed), new Random(randomSeed)];
  const state = createState({ random, now, ambiguities });
  const router = new Router();
  const recorder = new Recorder(settings.maxLogBytes, () => router.endpoints);
  const faults = new Faults(chances, now, () => router.endpoints);
  const paths = { rest: pathOf(baseUrl), legacy: pathOf(legacyBaseUrl) };
  const service = new Service({ ...settings, paths }, router, state);
  const responder = new Responder({ service, faults, recorder, now, onResponse });
  const reset = () => {
    for (const collection of Object.values(state)) collection.clear();
    for (const numbers of [random, chances]) numbers.restart();
    seedState(state, seed, random);
    recorder.reset();
    faults.clear();
  };
  reset();
  return { ...settings, state, recorder, router, faults, responder, reset };
}

/** Returns the path of a base URL, without a slash at the end; mostly empty. */
function pathOf(baseUrl: string | undefined): string {
  return baseUrl === undefined ? '' : new URL(baseUrl).pathname.replace(/\/$/, '');
}

/** Returns a fault to switch on; throws a `RangeError` for options that are no object, whose members would be lost. */
function orderOf<Options extends object>(kind: FaultKind, options?: Options) {
  check(kind, object, options ?? {});
  return { ...options, kind };
}

/** Returns the methods that switch faults on and off. */
function faultControls(active: Faults) {
  return {
    fail: (operation, failure) => active.add(operation, orderOf('fail', failure)),
    stall: (operation, interruption) => active.add(operation, orderOf('stall', interruption)),
    drop: (operation, interruption) => active.add(operation, orderOf('drop', interruption)),
    latency: (operation, latency) =>
      active.add(operation, orderOf('latency', typeof latency === 'number' ? { ms: latency } : latency)),
    rateLimit: (operation, limit) => active.add(operation, orderOf('rateLimit', limit)),
    faults: () => active.list(),
    clearFaults: () => void active.clear(),
  } satisfies Partial<Sandbox>;
}
