/**
 * Many calls through random faults: `npm run soak`, or `npm run soak -- 3000` for fewer than 100 000. At the end no
 * handle is open, no listener is left, memory has not grown, and the service has acted on each write exactly as often
 * as the client believes.
 */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmailMarketingClient, EmailMarketingError, type Outcome } from '../src/index.ts';
import { closedPort, type Exchange, type Fault, healthy, startFaultServer } from './support/fault-server.ts';
import * as faults from './support/faults.ts';
import { memoryInUse } from './support/memory.ts';
import { seededRandom } from './support/seeded-random.ts';

const count = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const inFlight = 32;
const cancelReason = new Error('cancelled by the soak');
const random = seededRandom(seed);

type Client = EmailMarketingClient;
type Options = { readonly signal: AbortSignal; readonly maxRetries: number };

/** A kind of call. */
interface Kind {
  /** Maximum number of times that the service may act on it; absent for reads. */
  readonly most?: number;
  readonly run: (client: Client, n: number, options: Options) => PromiseLike<unknown>;
}

const identifying = (most: number, fields: object = {}): Kind => ({
  most,
  run: ({ legacy }, n, options) => legacy.identify({ email: `n${n}@x.test`, ...fields }, options),
});

const calls: readonly Kind[] = [
  { most: 1, run: ({ tags }, n, options) => tags.create({ name: `n${n}` }, options) },
  { most: 1, run: ({ domains }, n, options) => domains.create({ name: `n${n}.example.com` }, options) },
  {
    most: 1,
    run: ({ events }, n, options) =>
      events.record({ name: 'e', identifier: `n${n}@x.test`, data: {} }, options),
  },
  identifying(1, { customFields: { points: '++1' } }),
  identifying(1, { newEmail: 'new@x.test' }),
  identifying(3),
  {
    most: 3,
    run: ({ legacy }, n, options) => legacy.track({ email: `n${n}@x.test`, addTags: ['a'] }, options),
  },
  { most: 3, run: ({ lists }, n, options) => lists.delete(`list_${String(n).padStart(22, '0')}`, options) },
  { run: ({ contacts }, _, options) => contacts.list({ limit: 10 }, options) },
];

/** What the client reports of each write, one byte per call. */
const beliefs = ['success', 'not-sent', 'refused', 'unknown', 'done', 'cancelled'] as const;
type Belief = (typeof beliefs)[number];
const believed = new Uint8Array(count);
const kindOf = new Uint8Array(count);

/** Returns how often the service may have acted on a write, by what the client reports. */
function allowed(belief: Belief, most: number): [least: number, most: number] {
  if (belief === 'success' || belief === 'done') return [1, most];
  if (belief === 'not-sent' || belief === 'refused') return [0, 0];
  return [0, most];
}

function beliefOf(error: unknown): Belief {
  if (error === cancelReason) return 'cancelled';
  if (EmailMarketingError.isInstance(error)) return error.outcome satisfies Outcome;
  throw error;
}

async function makeCall(client: Client, n: number, shared: AbortSignal): Promise<void> {
  const kind = Math.floor(random() * calls.length);
  const own = new AbortController();
  const cancels = random() < 0.01;
  const timer = cancels ? setTimeout(() => own.abort(cancelReason), random() * 50) : undefined;
  let belief: Belief = 'success';
  const options = { signal: cancels ? own.signal : shared, maxRetries: random() < 0.1 ? 0 : 2 };
  try {
    await calls[kind]?.run(client, n, options);
  } catch (error) {
    belief = beliefOf(error);
  }
  clearTimeout(timer);
  assert.equal(getEventListeners(own.signal, 'abort').length, 0, "a listener is left on a call's own signal");
  believed[n] = beliefs.indexOf(belief);
  kindOf[n] = kind;
}

/** How often the service acted on each write, whose number is in its name, email or identifier. */
const acted = new Uint8Array(count);

/** Faults with their weights, and the probability that the service has acted. */
const faultTable: readonly { weight: number; acts: number; fault: Fault }[] = [
  { weight: 900, acts: 1, fault: healthy },
  { weight: 10, acts: 0.5, fault: faults.resetBeforeResponse },
  { weight: 10, acts: 0.5, fault: faults.closedBeforeResponse },
  { weight: 10, acts: 1, fault: faults.resetInBody },
  { weight: 10, acts: 1, fault: faults.closedInBody },
  { weight: 2, acts: 0.5, fault: faults.neverResponds },
  { weight: 2, acts: 1, fault: faults.stallsAfterHead },
  { weight: 2, acts: 1, fault: faults.stallsInBody },
  { weight: 2, acts: 1, fault: faults.drips(200) },
  { weight: 10, acts: 0, fault: faults.tooManyRequests() },
  { weight: 5, acts: 0, fault: faults.tooManyRequests('0') },
  { weight: 5, acts: 0.5, fault: faults.unavailable('0') },
  { weight: 10, acts: 0.5, fault: faults.status(500) },
  { weight: 10, acts: 0.5, fault: faults.badGatewayPage },
  { weight: 4, acts: 1, fault: faults.notJson },
  { weight: 4, acts: 1, fault: faults.cutShortJson },
  { weight: 4, acts: 0, fault: faults.status(422) },
];
const total = faultTable.reduce((sum, { weight }) => sum + weight, 0);

function drawFault() {
  let left = random() * total;
  for (const drawn of faultTable) {
    left -= drawn.weight;
    if (left < 0) return drawn;
  }
  return faultTable[0];
}

/** Returns the number of a write; `undefined` for reads. */
function numberOf({ request: { method, path, query, body } }: Exchange): number | undefined {
  if (method === 'GET') return undefined;
  const text = method === 'DELETE' ? path.slice(-22) : (new URLSearchParams(query).get('email') ?? body);
  const digits = /\d+/.exec(text)?.[0];
  return Number(digits);
}

const server = await startFaultServer();
server.otherwise(exchange => {
  server.received.length = 0;
  const number = numberOf(exchange);
  const drawn = drawFault();
  if (drawn === undefined) return;
  if (number !== undefined && random() < drawn.acts) acted[number] = (acted[number] ?? 0) + 1;
  drawn.fault(exchange);
});

const options = {
  baseUrl: server.url,
  apiKey: 'key',
  teamId: 'team',
  timeout: 1_000,
  logLevel: 'off',
  throttle: { concurrency: inFlight / 2 },
} as const;
/** One sends through Node's dispatcher, the other through a `fetch` whose connections are sometimes refused. */
const clients = [
  new EmailMarketingClient(options),
  new EmailMarketingClient({
    ...options,
    fetch: (input, init) => fetch(random() < 0.02 ? input.replace(server.url, closedPort) : input, init),
  }),
];
const shared = new AbortController();

let next = 0;
/** Megabytes in use, ten times during the calls and at their end. */
const used: number[] = [];
async function worker(): Promise<void> {
  while (next < count) {
    const n = next++;
    if (n > 0 && n % Math.ceil(count / 10) === 0) used.push(memoryInUse() / 1e6);
    await makeCall(clients[n % clients.length] as Client, n, shared.signal);
  }
}
console.log(`${count} calls, ${inFlight} at once, seed ${seed}`);
const started = performance.now();
await Promise.all(Array.from({ length: inFlight * 2 }, worker));
used.push(memoryInUse() / 1e6);
console.log(
  `${Math.round((performance.now() - started) / 1000)} s; memory in MB: ${used.map(mb => mb.toFixed(1)).join(' ')}`,
);

const tally = new Map<string, number>();
for (let n = 0; n < count; n += 1) {
  const belief = beliefs[believed[n] ?? 0] ?? 'success';
  const { most } = calls[kindOf[n] ?? 0] ?? {};
  tally.set(belief, (tally.get(belief) ?? 0) + 1);
  if (most === undefined) continue;
  const times = acted[n] ?? 0;
  const [least, atMost] = allowed(belief, most);
  assert.ok(times >= least && times <= atMost, `call ${n}: reported ${belief}, acted on ${times} times`);
}
console.log(
  `reported, each as the service acted: ${[...tally].map(([name, n]) => `${name} ${n}`).join(', ')}`,
);

assert.deepEqual(getEventListeners(shared.signal, 'abort'), [], 'listeners are left on the shared signal');
const [, early = 0] = used;
const late = used.at(-1) ?? 0;
assert.ok(late - early < 5, `memory grew from ${early} MB to ${late} MB`);

await server.close();
await sleep(100);
const open = process.getActiveResourcesInfo().filter(name => !/^(TTYWrap|PipeWrap)$/.test(name));
assert.deepEqual(open, [], 'handles are open');
console.log('no listener, no open handle, no growth of memory');
