/**
 * Sends calls of every operation through nginx, HAProxy and Apache, on each Node, and counts behind them what acted: nothing acts
 * twice unless it is idempotent, nothing that acted is reported as not sent or refused, nothing that did not act is reported
 * as a success, and no call exceeds its limits. `npm run test:all -- gateways`; `npx node test/gateways/run.ts HAProxy 26` runs some.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeBinary } from '../runtimes/install.ts';
import { freePort } from '../support/listen.ts';
import { Backend, rounds, type Seen } from './backend.ts';
import { callOf, kinds, maxRequests, totalTimeoutMs } from './calls.ts';
import { certificate, Gateway, type GatewayName, gateways } from './gateways.ts';

const execute = promisify(execFile);

const nodes = ['22', '24', '26'] as const;

interface Run {
  readonly node: (typeof nodes)[number];
  readonly gateway: GatewayName;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
  /** What sends the requests: Node's dispatcher, `fetch`, or a browser client to a handler behind the gateway. */
  readonly sender: 'default' | 'fetch' | 'browser client';
}

interface Result {
  readonly number: number;
  readonly ms: number;
  readonly outcome: string;
  readonly message?: string;
  readonly requests: number;
}

/** Only the dispatcher of Node 26 speaks HTTP/2. */
const ofEachNode: readonly Run[] = (Object.keys(gateways) as GatewayName[]).flatMap(gateway => [
  ...nodes.map(node => ({ node, gateway, protocol: 'HTTP/1.1', sender: 'default' }) as const),
  { node: '26', gateway, protocol: 'HTTP/2', sender: 'default' },
]);

/** HAProxy resets streams with REFUSED_STREAM, after which undici 8 sends a request again if it can. */
const withHaproxy = { gateway: 'HAProxy', protocol: 'HTTP/2' } as const;
const ofEachSender: readonly Run[] = [
  { ...withHaproxy, node: '26', sender: 'fetch' },
  { node: '22', gateway: 'nginx', protocol: 'HTTP/1.1', sender: 'browser client' },
  { node: '22', gateway: 'Apache', protocol: 'HTTP/1.1', sender: 'browser client' },
  { ...withHaproxy, node: '26', sender: 'browser client' },
];

const count = kinds * rounds;

/** Milliseconds by which a call may exceed its limit, as this machine does other work as well. */
const toleranceMs = 3_000;

/** Returns what is wrong with a result. */
function mistakeOf(
  { outcome, ms, number, requests }: Result,
  seen: Seen | undefined,
  gateway: Run['gateway'],
): string | undefined {
  const { acted = 0, arrived = 0, method } = seen ?? {};
  if (acted > 1 && !callOf(number).idempotent) return `acted ${acted} times`;
  // nginx resends a DELETE, as HTTP allows. The service then does not find what the first request has deleted.
  const byNginx = gateway === 'nginx' && method === 'DELETE' && arrived > 1;
  // undici 8 silently resends reads over HTTP/2, and the gateway can reject the second with 429.
  const isSentAgain = byNginx || method === 'GET';
  if (acted > 0 && ['not-sent', 'refused'].includes(outcome) && !isSentAgain) return 'acted';
  if (acted === 0 && ['ok', 'done'].includes(outcome)) return 'did not act';
  if (requests > maxRequests) return `was sent ${requests} times`;
  if (ms > totalTimeoutMs + toleranceMs) return `took ${Math.round(ms)} ms`;
  return undefined;
}

/** Returns what is wrong with the calls of a run, and what it has not shown. Prints how its calls ended. */
function findingsOf({ gateway, protocol }: Run, title: string, results: readonly Result[], backend: Backend) {
  const mistakes = results.flatMap(result => {
    const seen = backend.seen.get(result.number);
    const mistake = mistakeOf(result, seen, gateway);
    if (!mistake) return [];
    const { outcome, message, number, requests } = result;
    return `${callOf(number).title}, ${seen?.failure}: ${outcome}, but ${mistake} (${requests} attempts, ${seen?.arrived} arrived: ${message})`;
  });
  const counts = ['ok', 'unknown', 'refused', 'not-sent', 'done'].map(
    outcome => [outcome, results.filter(result => result.outcome === outcome).length] as const,
  );
  console.log(`${title}: ${counts.map(([outcome, number]) => `${number} ${outcome}`).join(', ')}`);
  const gaps = counts.slice(0, 3).flatMap(([outcome, number]) => (number ? [] : [`no call was ${outcome}`]));
  const isEmptyDeletion = ({ number, outcome }: Result) => {
    const { failure, method, arrived } = backend.seen.get(number) ?? {};
    return failure === 'empty after acting' && method === 'DELETE' && arrived === 1 && outcome === 'ok';
  };
  // Over HTTP/2, a gateway can omit the header that marks an empty response, which then looks like one that was cut.
  if (protocol === 'HTTP/1.1' && !results.some(isEmptyDeletion))
    gaps.push('no deletion with an empty response was ok at once');
  if (results.length !== count) mistakes.push(`${results.length} results of ${count} calls`);
  const used = [...backend.protocols].join();
  if (used.replace('2.0', '2') !== protocol) mistakes.push(`requests came by ${used}`);
  return { mistakes, gaps };
}

/** Lets events happen while calls are made, at equal distances. Returns a function that ends this. */
function during(backend: Backend, events: readonly (() => unknown)[]): () => Promise<void> {
  let begun = 0;
  let happening = Promise.resolve();
  const timer = setInterval(() => {
    const latest = Math.max(0, ...backend.seen.keys());
    if (latest / count < (begun + 1) / (events.length + 1)) return;
    const event = events[begun++];
    happening = happening.then(async () => void (await event?.()));
  }, 20);
  return () => {
    clearInterval(timer);
    return happening;
  };
}

const titleOf = ({ node, gateway, protocol, sender }: Run) =>
  `Node ${node}, ${gateway}, ${protocol}, ${sender}`;

/**
 * Makes the calls of a run, and returns its findings. The gateway is either reloaded or restarted: after both, undici 8 can
 * send nothing more over HTTP/2.
 */
async function make(run: Run, restarts: boolean) {
  const { node, gateway: name, protocol, sender } = run;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const backend = new Backend();
  const port = await freePort();
  const backendPort = await backend.listen();
  const handlerPort = await freePort();
  const target = sender === 'browser client' ? handlerPort : backendPort;
  const gateway = new Gateway(name, { folder, port, backend: target, protocol });
  await gateway.start();
  const end = during(backend, [
    () => (restarts ? gateway.restart() : gateway.reload()),
    () => backend.die(),
    () => gateway.shutDownSessions(),
  ]);
  try {
    const args = [programFile, `https://127.0.0.1:${port}`, sender, String(count)];
    const places = { BACKEND: `http://127.0.0.1:${backendPort}`, HANDLER_PORT: String(handlerPort) };
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate(folder), ...places };
    const { stdout } = await execute(nodeBinary(node), args, { env, maxBuffer: maxOutputBytes });
    return findingsOf(run, titleOf(run), JSON.parse(stdout), backend);
  } catch (error) {
    const { signal } = error as { readonly signal?: NodeJS.Signals | null };
    return signal
      ? { mistakes: [], gaps: [`Node ended with ${signal}: ${error}`] }
      : { mistakes: [String(error)], gaps: [] };
  } finally {
    await end();
    await gateway.stop();
    backend.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Times that a run is made until it shows everything. Where a connection ends, undici 8 may send nothing more over HTTP/2 for
 * good, and Node 24 may end itself: `std::bad_alloc`.
 */
const maxTries = 4;

/** Returns the mistakes of a run in all tries, and what the run has not shown in any of them. */
async function check(run: Run, restarts: boolean): Promise<readonly string[]> {
  const mistakes: string[] = [];
  for (let left = maxTries; left > 0; left--) {
    const { mistakes: found, gaps } = await make(run, restarts);
    mistakes.push(...found, ...(left === 1 ? gaps : []));
    for (const gap of gaps) console.log(`${titleOf(run)}: ${gap}`);
    if (gaps.length === 0) break;
  }
  return mistakes.map(mistake => `${titleOf(run)}: ${mistake}`);
}

const maxOutputBytes = 10_000_000;
const programFile = join(import.meta.dirname, 'program.ts');

const words = process.argv.slice(2);
const runs = [...ofEachNode, ...ofEachSender].filter(run => {
  const values: readonly string[] = Object.values(run);
  return words.every(word => values.includes(word));
});

/** Runs at the same time: most of their time, they wait. */
const parallel = 3;
const mistakes: string[] = [];
const takeTurns = async () => {
  for (let run = runs.shift(); run; run = runs.shift())
    mistakes.push(...(await check(run, runs.length % 4 < 2)));
};
await Promise.all(Array.from({ length: parallel }, takeTurns));
for (const mistake of mistakes) console.log(mistake);
if (mistakes.length > 0) process.exitCode = 1;
