import { Exchange } from './exchange.ts';
import * as faults from './faults.ts';
import { asFetchError, readRequest, toResponse } from './fetch.ts';
import { Journal } from './journal.ts';
import { mswHandler } from './msw.ts';
import { decideSilences, defaultApiKey, defaultTeamId, type SandboxOptions } from './options.ts';
import { Random } from './random.ts';
import { fill } from './seed.ts';
import { type ListenOptions, listen, type SandboxServer } from './server.ts';
import { Service } from './service.ts';
import { createState, restoreSnapshot, type Snapshot, type State, takeSnapshot } from './state.ts';

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
  readonly handlers: readonly never[];
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
  const { apiKey = defaultApiKey, teamId = defaultTeamId, seed = {}, now = () => new Date() } = options;
  const { legacyApiKey = apiKey, maxBodyBytes = 2 ** 20, journalLimit = 10_000, randomSeed = 1 } = options;
  const silences = decideSilences(options);
  const bases = readBases(options);
  const random = new Random(randomSeed);
  const chances = new Random(randomSeed);
  const state = createState({ random, now, silences });
  const journal = new Journal();
  const active = new faults.Faults(chances, now);
  const [basePath, legacyBasePath] = [bases.rest.path, bases.legacy.path];
  const service = new Service({
    ...{ apiKey, legacyApiKey, teamId, basePath, legacyBasePath, silences, now },
  });
  const exchange = new Exchange({ service, state, faults: active, journal, journalLimit, now });
  fill(state, seed, random);
  const respond = async (request: Request) => {
    const read = await readRequest(request, maxBodyBytes);
    return toResponse(await exchange.reply(read, request.signal), request.signal);
  };
  return {
    ...{ apiKey, legacyApiKey, teamId, requests: journal, state, ...switches(active) },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return respond(request).catch(error => Promise.reject(asFetchError(error)));
    },
    handlers: [mswHandler(url => owns(bases, url), respond) as never],
    listen: (port = 0, where) =>
      listen((request, signal) => exchange.reply(request, signal), maxBodyBytes, port, where),
    snapshot: () => takeSnapshot(state),
    restore: snapshot => restoreSnapshot(state, snapshot),
    reset() {
      for (const collection of Object.values(state)) collection.clear();
      for (const source of [random, chances]) source.restart();
      fill(state, seed, random);
      journal.length = 0;
      exchange.reset();
      active.clear();
    },
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

interface Base {
  /** Absent: any host. */
  readonly origin: string | undefined;
  readonly path: string;
}

function readBases({ baseUrl, legacyBaseUrl = baseUrl }: SandboxOptions): Record<'rest' | 'legacy', Base> {
  return { rest: readBase(baseUrl), legacy: readBase(legacyBaseUrl) };
}

function readBase(address: string | undefined): Base {
  if (address === undefined) return { origin: undefined, path: '' };
  const { origin, pathname } = new URL(address);
  return { origin, path: pathname.replace(/\/+$/, '') };
}

/** Whether an address is one of the service's, and so for MSW's handlers to answer. */
function owns(bases: Record<'rest' | 'legacy', Base>, { origin, pathname }: URL): boolean {
  return Object.values(bases).some(
    base => (base.origin ?? origin) === origin && pathname.startsWith(`${base.path}/api/v1/`),
  );
}
