// Checks on each runtime that a write acts once, and that none whose request has arrived is `'not-sent'`, however its
// connection ends: cut at any byte, closed by a service that has acted, or broken by bytes that are not TLS.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from '../support/listen.ts';
import { openssl, skipsWithout } from '../support/programs.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { installed } from './install.ts';
import type { RuntimeProgram } from './runtimes.ts';

/** Calls of one process. */
const calls = 400;

/** Time after which a process that hangs is ended, in milliseconds. */
const watchdogMs = 30_000;

/** Ways to reach the service. A proxy gets CONNECT. */
const ways = ['http', 'https', 'https through a proxy', 'HTTP/2', 'HTTP/2 through a proxy'] as const;
type Way = (typeof ways)[number];

/** Maximum number of bytes before a connection is cut. With TLS, the handshake counts. */
const maxBytes = (way: Way) => (way === 'http' ? 1_200 : 4_000);

/**
 * Starts a service that counts the requests of each write that have arrived whole. Instead of responding, it closes every
 * third HTTP/1.1 connection that has served a request before.
 */
function makeService(way: Way, { key, cert }: Certificate) {
  const arrived = new Map<string, number>();
  const served = new WeakSet<Socket>();
  let reused = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    let length = 0;
    for await (const chunk of request) length += chunk.length;
    if (length !== Number(request.headers['content-length'] ?? length)) return;
    const call = String(request.url?.split('/').at(-1));
    // undici 8 over HTTP/2 and Deno send reads again, and the second can fail to connect.
    if (request.method !== 'GET') arrived.set(call, (arrived.get(call) ?? 0) + 1);
    const isReused = request.httpVersion === '1.1' && served.has(request.socket);
    if (isReused && ++reused % 3 === 0) return void request.socket.destroy();
    served.add(request.socket);
    response.setHeader('content-type', 'application/json');
    response.end('{"id":"thing_1"}');
  };
  // A request that is cut ends in an error.
  const listener = (request: unknown, response: unknown) =>
    void respond(request as IncomingMessage, response as ServerResponse).catch(() => {});
  const secure = { key, cert, allowHTTP1: false };
  const servers = {
    http: () => createHttpServer(listener),
    https: () => createHttpsServer(secure, listener),
    'HTTP/2': () => createSecureServer(secure, listener).on('sessionError', () => {}),
  };
  const [protocol] = way.split(' through') as [keyof typeof servers];
  const server: Server = servers[protocol]().on('tlsClientError', () => {});
  return { arrived, server };
}

/** Ways to end a connection: FIN, RST, plain text from a gateway, a TLS record that cannot be decrypted, and silence. */
const cuts: readonly ((socket: Socket) => void)[] = [
  socket => void socket.end(),
  socket => void socket.resetAndDestroy(),
  socket => void socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'),
  socket => void socket.end(Buffer.from([0x17, 3, 3, 0, 32, ...Buffer.alloc(32, 7)])),
  socket => void socket.pause(),
];

/**
 * Connects a client with the service. Cuts a third of the connections after some bytes of the client, and a third after some
 * bytes of the service. A connection that the service closes is cut, too.
 */
function pipeAndCut(client: Socket, upstream: Socket, way: Way, random: () => number): void {
  // All calls share a session of HTTP/2: each is cut, by FIN or RST. After the others, undici sends nothing more.
  const isShared = way.startsWith('HTTP/2');
  const cut = cuts[Math.floor(random() * (isShared ? 2 : 5))];
  const from = [client, upstream][Math.floor(random() * (isShared ? 2 : 3))];
  let left = Math.floor(random() * maxBytes(way));
  for (const [source, target] of [
    [client, upstream],
    [upstream, client],
  ] as const)
    source
      .on('data', chunk => {
        if (source !== from) return void (target.writable && target.write(chunk));
        if (left > 0 && target.writable) target.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) cut?.(client);
      })
      .on('error', () => {});
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.writable && cut?.(client));
}

/** Starts what the client connects to: it passes connections on to the service, or cuts them. */
function makeRelay(way: Way, port: number, random: () => number): Server {
  const pass = (client: Socket) => pipeAndCut(client, connect(port, '127.0.0.1'), way, random);
  if (!way.includes('proxy')) return createServer(pass);
  const proxy = createHttpServer().on('connect', (_, client: Socket) => {
    client.on('error', () => {});
    const fate = random();
    if (fate < 0.1) return void client.destroy();
    if (fate < 0.3)
      return void client.end(`HTTP/1.1 ${[403, 407, 502][Math.floor(fate * 15) % 3]} No\r\n\r\n`);
    client.write('HTTP/1.1 200 Connected\r\n\r\n');
    return pass(client);
  });
  return proxy;
}

/** Versions of undici whose `ProxyAgent` Node takes as its dispatcher. Bun and Deno read the environment. */
const undicis: Readonly<Record<string, string>> = {
  'Node 22.12': '6.29.1',
  'Node 24': '7.30.2',
  'Node 26': '8.12.4',
};

/** Makes the calls of one process. Returns their outcomes by the last segment of their paths. */
async function outcomesOf(
  name: string,
  { command, args }: RuntimeProgram,
  folder: string,
  url: string,
  proxy: string,
  env: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const undici = undicis[name];
  const home = proxy && undici ? installed(`undici-${undici.split('.')[0]}`, { undici }) : '';
  const program = [...args, 'cut-connections-program.mjs', url, String(calls), home, proxy];
  const variables = { ...process.env, ...env, ...(proxy && { HTTPS_PROXY: proxy }) };
  const printed = await new Promise<string>(resolve => {
    const options = { cwd: folder, env: variables, timeout: watchdogMs, killSignal: 'SIGKILL' } as const;
    execFile(command(), program, options, (error, stdout) => {
      if (error?.killed) console.log(`${name}: a process hung, and was ended`);
      else assert.ifError(error);
      resolve(stdout);
    });
  });
  const lines = printed.split('\n').slice(0, -1);
  return new Map(lines.map(line => line.split(' ') as [string, string]));
}

/** Checks one way on a runtime. */
async function checkWay(
  way: Way,
  name: string,
  program: RuntimeProgram,
  folder: string,
  certificate: Certificate,
) {
  const { arrived, server } = makeService(way, certificate);
  const relay = makeRelay(way, await listen(server), seededRandom(ways.indexOf(way)));
  const port = await listen(relay);
  const sockets = new Set<Socket>();
  relay.on('connection', socket => sockets.add(socket));
  const isProxied = way.includes('proxy');
  const [scheme, target] = [way === 'http' ? 'http' : 'https', isProxied ? 'localhost' : `localhost:${port}`];
  const proxy = isProxied ? `http://127.0.0.1:${port}` : '';
  const outcomes = await outcomesOf(name, program, folder, `${scheme}://${target}`, proxy, certificate.env);
  relay.close();
  server.close();
  for (const socket of sockets) socket.destroy();
  const wrong = [...outcomes].filter(([id, outcome]) => outcome === 'not-sent' && arrived.has(id));
  const twice = [...arrived].filter(([, times]) => times > 1);
  const count = (outcome: string) => [...outcomes.values()].filter(each => each === outcome).length;
  const title = `${name}, ${way}: ${count('ok')} calls succeeded, ${count('unknown')} are unknown, ${count('not-sent')} not sent`;
  assert.deepEqual(wrong, [], `${title}: writes that arrived are reported as not sent`);
  assert.deepEqual(twice, [], `${title}: writes that arrived twice`);
  assert.ok(count('ok') > 0 && count('unknown') > 0, title);
  // Without TLS and a proxy, a request leaves as soon as there is a connection.
  assert.ok(way === 'http' || count('not-sent') > 0, title);
  console.log(title);
}

/** Checks all ways that a runtime has. Only the newest Node speaks HTTP/2. */
export async function checkCutConnections(
  name: string,
  program: RuntimeProgram,
  folder: string,
): Promise<void> {
  if (skipsWithout(openssl)) return;
  const certificate = makeCertificate();
  try {
    for (const way of ways)
      if (!way.startsWith('HTTP/2') || name === 'Node 26')
        await checkWay(way, name, program, folder, certificate);
  } finally {
    certificate.remove();
  }
}
