import type * as kinds from './faults/fault-kinds.ts';
import { Faults } from './faults/faults.ts';
import { Recorder, type RequestLog } from './request-log.ts';
import { Responder } from './responder.ts';
import { readOptions, type SandboxOptions } from './sandbox-options.ts';
import type { ListenOptions, SandboxServer } from './server/server.ts';
import { serveSandbox } from './server/site.ts';
import {
  type AddedEndpointHandle,
  type EndpointHandler,
  type EndpointOptions,
  endpointName,
  handlerOf,
} from './service/added-endpoint.ts';
import type { State } from './service/collection.ts';
import { Random } from './service/random.ts';
import { type AddedEndpoint, addedRoute, Router } from './service/router.ts';
import { type SandboxKeys, Service } from './service/sandbox-service.ts';
import { seedState } from './service/seed.ts';
import { createState, restoreSnapshot, type Snapshot, takeSnapshot } from './service/state.ts';

/** Options that connect a client to a sandbox: `new EmailMarketingClient(sandbox.clientOptions)`. */
export interface SandboxClientOptions extends SandboxKeys {
  /** Base URL of both interfaces. No request is sent there. */
  readonly baseUrl: string;
  /** Name of the search parameter of `GET /contact`: the sandbox's own. */
  readonly contactSearchParameter: string;
  /** Responds without a network. */
  readonly fetch: typeof globalThis.fetch;
  /** Lets tests run in a browser or jsdom: the key is valid only in the sandbox. */
  readonly dangerouslyAllowBrowser: true;
}

/** Simulates the whole service in memory. Call it, inspect its records and requests, and inject faults. */
export interface Sandbox extends SandboxKeys {
  /** Options that connect a client to this sandbox. */
  readonly clientOptions: SandboxClientOptions;
  /** Replacement for `fetch` that responds from memory. */
  readonly fetch: typeof globalThis.fetch;
  /** Every request that was received, oldest first: an array that also has `to`, `count`, `last` and `matching`. */
  readonly requests: RequestLog;
  /** The records, by kind: `state.contacts.add({ email })`, `state.tags.named('vip')`. */
  readonly state: State;
  /**
   * Starts an HTTP server on Node, Bun or Deno.
   * @param port Port to listen on; 0, the default, lets the system choose.
   * @param options Address to bind to, and accepted host names.
   */
  listen(port?: number, options?: ListenOptions): Promise<SandboxServer>;
  /**
   * Adds an endpoint that the service does not document, or replaces one: `on('GET /contact/{id}', handler)`.
   * `reset()` does not remove it. Throws a `RangeError` if the endpoint is invalid.
   * @param endpoint HTTP method, and path relative to the interface, with parameters in braces.
   * @param handler Returns the response. Called only if the API key (and team id) is valid.
   */
  on(endpoint: AddedEndpoint, handler: EndpointHandler, options?: EndpointOptions): AddedEndpointHandle;
  /**
   * Restores the option `seed` or `snapshot`, clears the request log, and removes all faults. Running requests
   * and unfinished responses lose their connection and have no further effect.
   */
  reset(): void;
  /** Copies the state, for `restore`. The copy can be written as JSON. */
  snapshot(): Snapshot;
  /**
   * Replaces all records with a snapshot's. Kinds missing from it become empty. Throws a `RangeError` that names the first
   * unknown kind or invalid record; then nothing changes.
   */
  restore(snapshot: Partial<Snapshot>): void;
  /** Makes requests to an operation fail: `fail('tags.create', { status: 503, times: 2 })`. */
  fail(operation: kinds.FaultTarget, failure?: kinds.Failure): kinds.Fault;
  /** Makes requests to an operation hang: sends no response, or half of one, and keeps the connection open. */
  stall(operation: kinds.FaultTarget, interruption?: kinds.Interruption): kinds.Fault;
  /** Cuts the connection of requests to an operation, before the response or halfway through it. */
  drop(operation: kinds.FaultTarget, interruption?: kinds.Interruption): kinds.Fault;
  /** Delays requests to an operation by a number of milliseconds, or by `{ ms, times }`. */
  latency(operation: kinds.FaultTarget, delay: number | kinds.Latency): kinds.Fault;
  /** Keeps requests to an operation until `release()`: `const held = sandbox.hold('contacts.list')`. */
  hold(operation: kinds.FaultTarget, limits?: kinds.FaultLimits): kinds.Hold;
  /** Returns the active faults. */
  faults(): kinds.ActiveFault[];
  /** Removes all faults. */
  clearFaults(): void;
}

/**
 * Creates a sandbox, which simulates the whole service in memory for tests and development. Throws a `RangeError` if an
 * option is unknown or invalid.
 *
 * ```ts
 * const sandbox = createSandbox({ seed: { contacts: 1000 } });
 * const client = new EmailMarketingClient(sandbox.clientOptions);
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const settings = readOptions(options);
  const { apiKey, legacyApiKey, teamId, now, ambiguities } = settings;
  const { seed = {}, snapshot, onResponse } = options;
  const random = new Random();
  const context = { random, now };
  const state = createState(context);
  const router = new Router();
  const faults = new Faults(() => router.endpoints);
  const recorder = new Recorder(settings.maxLoggedRequests, () => router.endpoints);
  const service = new Service(settings, router, state);
  const responder = new Responder({ service, faults, recorder, now, onResponse });
  const reset = () => {
    responder.end();
    for (const collection of Object.values(state)) collection.replace([]);
    random.replay(() =>
      snapshot ? restoreSnapshot(state, snapshot, context) : seedState(state, seed, random),
    );
    recorder.reset();
    faults.reset();
  };
  const restore = (snapshot: Partial<Snapshot>) => restoreSnapshot(state, snapshot, context);
  reset();
  const keys = { apiKey, legacyApiKey, teamId };
  const fetch: Sandbox['fetch'] = async (...call) => responder.fetch(...call);
  return {
    ...keys,
    fetch,
    state,
    requests: recorder.log,
    clientOptions: {
      ...keys,
      baseUrl: 'https://sandbox.test',
      contactSearchParameter: ambiguities.contactSearchParameter,
      fetch,
      dangerouslyAllowBrowser: true,
    },
    ...faultControls(faults),
    on: (...endpoint) => addEndpoint(router, ...endpoint),
    listen: (port, where) =>
      serveSandbox({ state, recorder, router, faults, responder, reset, restore }, port, where),
    reset,
    snapshot: () => takeSnapshot(state),
    restore,
  };
}

function addEndpoint(router: Router, ...[name, handler, { api = 'rest' } = {}]: Parameters<Sandbox['on']>) {
  const endpoint = endpointName(name);
  const route = addedRoute(api, endpoint, handlerOf(handler));
  return { endpoint, remove: router.add(route) };
}

/** Creates the methods that add and remove faults. */
function faultControls(active: Faults) {
  const add =
    (kind: kinds.FaultKind) =>
    (operation: kinds.FaultTarget, options: object = {}) =>
      active.add(operation, { ...options, kind });
  return {
    fail: add('fail'),
    stall: add('stall'),
    drop: add('drop'),
    hold: add('hold'),
    latency: (operation: kinds.FaultTarget, options: number | kinds.Latency) =>
      add('latency')(operation, typeof options === 'object' ? options : { ms: options }),
    faults: () => active.list(),
    clearFaults: () => active.clear(),
  } satisfies Partial<Sandbox>;
}
