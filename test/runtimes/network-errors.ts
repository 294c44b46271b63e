// Checks the outcome of each network failure on Node, Bun, Deno and workerd: `npm run test:all -- network-errors`.
import assert from 'node:assert/strict';
import { closedPort, type Fault, startFaultServer, unresolvedName } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { makeProject } from './project.ts';
import { printedBy, programs, runInWorkerd } from './runtimes.ts';

interface Result {
  readonly fault: string;
  readonly call: 'write' | 'listing';
  readonly name: string;
  readonly outcome: string;
  readonly attempts: number;
  readonly reason?: string;
}

const injected: Readonly<Record<string, Fault>> = {
  'reset before the response': faults.resetBeforeResponse,
  'closed before the response': faults.closedBeforeResponse,
  'reset in mid-body': faults.resetInBody,
  'closed in mid-body': faults.closedInBody,
  'no HTTP': faults.notHttp,
  'stalled after the head': faults.stallsAfterHead,
  'no final response': ({ socket }) =>
    void socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
};

/** Faults whose codes mean that nothing was sent, so that both calls are retried. workerd reports no codes. */
const neverSent = ['refused connection', 'unresolved name'];

const noTls = 'TLS spoken to a server without it';

function isNeverSent(runtime: string, { fault, call }: Result): boolean {
  if (runtime === 'workerd') return false;
  // Node and Bun block no port, and find that no server listens there.
  if (fault === 'blocked port') return runtime !== 'Deno';
  // Bun reports it by whether it read the body, which a listing does not have.
  if (fault === noTls) return runtime !== 'Bun' || call === 'write';
  return neverSent.includes(fault);
}

/** Returns `true` for a failure that Node recognizes as permanent: it is not retried. */
const isLasting = (runtime: string, fault: string): boolean => runtime.startsWith('Node') && fault === noTls;

/** Deno and workerd return a 101 as a response; the others throw an error. */
const isResponse = (runtime: string, fault: string) =>
  fault === 'no final response' && ['Deno', 'workerd'].includes(runtime);

function nameOf(runtime: string, fault: string): string {
  if (isResponse(runtime, fault)) return 'ApiError';
  return fault.startsWith('stalled') ? 'TimeoutError' : 'ConnectionError';
}

function check(runtime: string, results: readonly Result[]): void {
  for (const result of results) {
    const { fault, call, name, outcome, attempts, reason } = result;
    const isKnown = isNeverSent(runtime, result);
    const isRetried = isKnown || (call === 'listing' && !isResponse(runtime, fault));
    const expected = {
      name: nameOf(runtime, fault),
      outcome: isKnown ? 'not-sent' : 'unknown',
      attempts: isRetried && !isLasting(runtime, fault) ? 3 : 1,
    };
    assert.deepEqual({ name, outcome, attempts }, expected, `${runtime}: ${call}, ${fault} (${reason})`);
  }
  console.log(`${runtime}: ${results.length} calls, each as expected`);
}

const folder = makeProject('network-errors');
const servers = await Promise.all(
  Object.entries(injected).map(async ([name, fault]) => {
    const server = await startFaultServer();
    server.otherwise(fault);
    return { name, server };
  }),
);
const healthy = await startFaultServer();
const addresses = JSON.stringify([
  ['refused connection', closedPort],
  ['unresolved name', unresolvedName],
  ['TLS spoken to a server without it', healthy.url.replace('http:', 'https:')],
  // `fetch` blocks ports of other protocols: this one is of X11.
  ['blocked port', 'http://127.0.0.1:6000'],
  ...servers.map(({ name, server }) => [name, server.url]),
]);
try {
  // At the same time: each waits for time limits most of the time.
  await Promise.all([
    ...Object.entries(programs).map(async ([name, program]) =>
      check(name, await printedBy(program, folder, ['program.mjs', 'probe', addresses])),
    ),
    runInWorkerd(folder, 'probe', addresses).then(results => check('workerd', results as Result[])),
  ]);
} finally {
  await Promise.all([healthy, ...servers.map(({ server }) => server)].map(server => server.close()));
}
