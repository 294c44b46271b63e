import { createEngine, owns } from './context.ts';
import type * as faults from './faults/faults.ts';
import { readRequest, rejectAsFetch, toResponse } from './fetch.ts';
import type { Journal } from './journal.ts';
import { mswHandler } from './msw.ts';
import type { SandboxOptions } from './options.ts';
import { type ListenOptions, listen, type SandboxServer } from './server/server.ts';
import { siteResponder } from './server/site.ts';
import { restoreSnapshot, type Snapshot, type State, takeSnapshot } from './service/state.ts';

/** The whole service in memory: three ways in, what it holds, what it was asked, and how it goes wrong. */
export interface Sandbox {
  /** The key that REST calls must carry. */
  readonly apiKey: string;
  /** The key that legacy calls must carry. */
  readonly legacyApiKey: string;
  /** The team id that legacy calls must carry. */
  readonly teamId: string;
  /** Answers as the platform's `fetch` would, without a network: pass it to the client as `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Request handlers for MSW 2 and 3: `setupServer(...sandbox.handlers)`. Their type fits every version of MSW, and none
   * is imported.
   */
  readonly handlers: never[];
  /** Every request that came, oldest first. */
  readonly requests: Journal;
  /** Everything the sandbox holds. */
  readonly state: State;
  /**
   * Serves over HTTP on Node, Bun and Deno.
   * @param port 0, the default, lets the system choose.
   */
  listen(port?: number, options?: ListenOptions): Promise<SandboxServer>;
  /** Puts everything back to the seed: state, ids, journal and faults. */
  reset(): void;
  /** Copies the state, to go back to it with `restore`. */
  snapshot(): Snapshot;
  /** Puts the state back to what it was at `snapshot`. */
  restore(snapshot: Snapshot): void;
  /** Answers requests for an operation with an error: `fail('POST /tag', { status: 503, retryAfter: 2, times: 2 })`. */
  fail(operation: faults.FaultTarget, failure?: faults.Failure): faults.Fault;
  /** Leaves requests for an operation without an answer, or with half of one. */
  stall(operation: faults.FaultTarget, interruption?: faults.Interruption): faults.Fault;
  /** Cuts the connection of requests for an operation, before the answer or within it. */
  drop(operation: faults.FaultTarget, interruption?: faults.Interruption): faults.Fault;
  /** Makes requests for an operation wait: milliseconds, or `{ ms, jitterMs, times, chance }`. */
  latency(operation: faults.FaultTarget, latency: number | faults.Latency): faults.Fault;
  /** Refuses requests beyond a number in a time with 429 and `Retry-After`. */
  rateLimit(operation: faults.FaultTarget, limit: faults.RateLimit): faults.Fault;
  /** Every fault that is on. */
  faults(): ReturnType<faults.Faults['list']>;
  /** Switches every fault off. */
  clearFaults(): void;
}

/**
 * Makes a sandbox: the service of the specification, in memory, for tests and for a developer's desk.
 *
 * ```ts
 * const sandbox = createSandbox({ seed: { contacts: 1000 } });
 * const client = new EmailMarketingClient({
 *   baseUrl: 'https://sandbox.test', apiKey: sandbox.apiKey, teamId: sandbox.teamId, fetch: sandbox.fetch,
 * });
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const engine = createEngine(options);
  const { apiKey, legacyApiKey, teamId, state, journal } = engine;
  const respond = async (request: Request) => {
    const read = await readRequest(request, engine.maxBodyBytes);
    return toResponse(await engine.exchange.reply(read, request.signal), request.signal);
  };
  return {
    ...{ apiKey, legacyApiKey, teamId, state, requests: journal, reset: engine.reset },
    ...switches(engine.faults),
    fetch: async (input, init) => respond(new Request(input, init)).catch(rejectAsFetch),
    handlers: [mswHandler(url => owns(engine.bases, url), respond) as never],
    listen: (port, where) => listen(siteResponder(engine), engine.maxBodyBytes, port, where),
    snapshot: () => takeSnapshot(state),
    restore: snapshot => restoreSnapshot(state, snapshot),
  };
}

/** The calls that switch faults on and off. */
function switches(active: faults.Faults) {
  return {
    fail: (operation, failure) => active.add(operation, { ...failure, kind: 'fail' }),
    stall: (operation, interruption) => active.add(operation, { ...interruption, kind: 'stall' }),
    drop: (operation, interruption) => active.add(operation, { ...interruption, kind: 'drop' }),
    latency: (operation, latency) =>
      active.add(operation, {
        ...(typeof latency === 'number' ? { ms: latency } : latency),
        kind: 'latency',
      }),
    rateLimit: (operation, limit) => active.add(operation, { ...limit, kind: 'rateLimit' }),
    faults: () => active.list(),
    clearFaults: () => void active.clear(),
  } satisfies Partial<Sandbox>;
}
