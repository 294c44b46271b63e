// Checks that the client uses a dispatcher that a program sets with its own undici if and only if Node's `fetch` does,
// and that a redirect is followed by none.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { listen } from '../support/listen.ts';
import { installed } from './install.ts';
import { printedBy, type RuntimeProgram } from './runtimes.ts';

/** The newest of each major version that a supported Node contains. */
const undicis = ['6.29.1', '7.30.2', '8.12.4'];

interface Seen {
  /** Number of requests through the dispatcher: of `fetch`, then of the client, twice. */
  readonly counted: readonly [fetch: number, ...client: number[]];
  /** Ids of senders, which come from a `MockAgent` or from the server. */
  readonly mocked: readonly [fetch: string, ...client: string[]];
  /** Statuses of a write and a read to an address that redirects, through a dispatcher that follows redirects. */
  readonly redirected: readonly number[];
}

/** Checks on a version of Node that the client and `fetch` use the same dispatchers of each undici. */
export async function checkDispatchers(name: string, program: RuntimeProgram, folder: string): Promise<void> {
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/moved'))
      return response.writeHead(307, { location: url.slice('/moved'.length) }).end();
    const sender = { id: 'server_1', name: '', email: 'a@example.com', isWhitelisted: true };
    return response.setHeader('content-type', 'application/json').end(JSON.stringify([sender]));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  let found = false;
  try {
    for (const undici of undicis)
      for (const when of ['before', 'after']) {
        const home = installed(`undici-${undici.split('.')[0]}`, { undici });
        const args = ['dispatchers-program.mjs', home, url, when];
        const { counted, mocked, redirected }: Seen = await printedBy(program, folder, args);
        found ||= counted[0] === 1 && mocked[0] === 'mock_1';
        const title = `${name}, undici ${undici} set ${when} the first request: ${JSON.stringify({ counted, mocked, redirected })}`;
        assert.deepEqual(counted.slice(1), [counted[0], counted[0]], title);
        assert.deepEqual(mocked.slice(1), [mocked[0], mocked[0]], title);
        assert.deepEqual(redirected, [307, 307], title);
        console.log(title);
      }
    assert.ok(found, `${name}: fetch used no dispatcher`);
  } finally {
    server.close().closeAllConnections();
  }
}
