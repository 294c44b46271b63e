// Responds to the client with random bytes.
import { createServer, type Socket } from 'node:net';
import { after } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  bulk,
  EmailMarketingClient,
  EmailMarketingError,
  type SafeResult,
  type WithResponse,
} from '../../src/index.ts';
import { shown } from '../client/shown.ts';
import { listen } from '../support/listen.ts';
import { fuzz } from './fuzz.ts';

const key = 'canary/key+of=the"fuzz';

/** Time limit of an attempt, in milliseconds. */
const timeout = 100;
/** Milliseconds after which a call counts as hanging. */
const hanging = 20_000;

const bodies = [
  '[{"id":"sender_1","email":"s@example.com"}]',
  '[{"id":"contact_1","email":"a@example.com","lists":null,"customFields":{"field_1":7}}]',
  '{"id":"tag_1","name":"n","created":"","updated":""}',
  '{"id":"domain_1","created":1766394250613907001,"dkimConfig":"secret"}',
  '{"status":"200","message":"ok","data":{"id":"contact_1"}}',
  `{"status":"error","message":"no ${key}"}`,
  '{"status":"1e999"}',
  '[]',
  'null',
  '',
  '<html><title>Bad gateway</title>',
];
const headerLines = [
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
  'Content-Encoding: gzip',
  'Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip',
  'Content-Encoding: br',
  'Content-Encoding: ,',
  'Content-Length: 0',
  'Content-Length: 99999999999999999999',
  'Location: //[',
  'Retry-After: 0',
  `Retry-After: ${'9'.repeat(400)}`,
  `X-Echo: ${key}`,
  `${key.replaceAll(/[^a-z]/g, '')}: 1`,
  ': x',
  ':',
  ' folded',
  'X-Latin: \xe9\xff',
  'Set-Cookie: a=1',
  'Connection: close',
  'Upgrade: websocket',
  'Trailer: X',
];
const statusLines = [
  ...[200, 201, 204, 205, 206, 299, 302, 304, 400, 401, 404, 409, 429, 500, 503, 599, 600, 999],
  ...[100, 101, 103, 199, 0],
].map(status => `HTTP/1.1 ${status} Some Text`);

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** A response of parts that are valid by themselves, with or without a Content-Length. */
const composed = fc
  .record({
    early: fc.constantFrom('', '', '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
    status: fc.constantFrom('HTTP/1.1 200 OK', ...statusLines, 'HTTP/1.0 200', 'HTTP/2 200', 'ICY 200'),
    headers: fc.array(fc.constantFrom(...headerLines), { maxLength: 4 }),
    body: fc.constantFrom(...bodies),
    encode: fc.constantFrom(latin1, latin1, gzipSync),
    stated: fc.boolean(),
  })
  .map(({ early, status, headers, body, encode, stated }) => {
    const bytes = encode(Buffer.from(body) as never);
    const length = stated ? [`Content-Length: ${bytes.length}`] : [];
    const head = `${early}${[status, ...headers, ...length].join('\r\n')}\r\n\r\n`;
    return Buffer.concat([latin1(head), bytes]);
  });

/** A change that replaces, inserts or removes some bytes. */
const mutation = fc.record({ at: fc.nat(), removed: fc.nat(3), inserted: fc.uint8Array({ maxLength: 3 }) });

const mutated = fc.tuple(composed, fc.array(mutation, { maxLength: 4 })).map(([bytes, mutations]) =>
  mutations.reduce((current, { at, removed, inserted }) => {
    const index = at % (current.length + 1);
    return Buffer.concat([current.subarray(0, index), inserted, current.subarray(index + removed)]);
  }, bytes),
);

const input = fc.record({
  bytes: fc.oneof({ weight: 9, arbitrary: mutated }, fc.uint8Array({ maxLength: 300 }).map(Buffer.from)),
  /** Number of bytes in a chunk, so that chunks end in every place. */
  chunkLength: fc.constantFrom(1, 7, 100_000),
  ends: fc.constantFrom('end', 'end', 'end', 'end', 'end', 'destroy', 'destroy', 'stay'),
});

type Reply = typeof input extends fc.Arbitrary<infer T> ? T : never;

/** Sends the reply when anything arrives on a connection. */
async function respond(socket: Socket, { bytes, chunkLength, ends }: Reply): Promise<void> {
  for (let at = 0; at < bytes.length && socket.writable; at += chunkLength) {
    socket.write(bytes.subarray(at, at + chunkLength));
    if (chunkLength < bytes.length) await new Promise(setImmediate);
  }
  if (ends === 'end') socket.end();
  if (ends === 'destroy') socket.destroy();
}

/** Throws unless a call failed with an error of the library that shows no key. */
function checkError(error: unknown): void {
  if (!EmailMarketingError.isInstance(error)) throw new Error('a foreign error', { cause: error });
  if (shown(error).includes(key)) throw new Error('the key is shown');
}

type Await = (client: EmailMarketingClient) => Promise<void>;

const caught = async (call: () => PromiseLike<unknown>): Promise<void> => {
  try {
    await call();
  } catch (error) {
    checkError(error);
  }
};

function checkSafe(result: SafeResult<unknown>): void {
  if (!result.ok) checkError(result.error);
  else checkResponse(result);
}

function checkResponse({ response }: WithResponse<unknown>): void {
  if (shown([...response.headers]).includes(key)) throw new Error('the key is shown in a header');
}

/** Every way to await a call, over operations that read their responses differently. */
const ways: readonly Await[] = [
  client => caught(() => client.domains.create({ name: 'example.com' })),
  client => caught(() => client.tags.create({ name: 'n' }).withResponse().then(checkResponse)),
  async client => checkSafe(await client.legacy.identify({ email: 'a@example.com' }).safe()),
  async client => checkSafe(await client.senders.list().safe()),
  client =>
    caught(async () => {
      for await (const _ of client.contacts.all());
    }),
  client => caught(() => client.lists.all().toArray({ max: 100 })),
  async client => {
    for await (const result of bulk(['contact_0000000000000000000000', 'x'], identifier =>
      client.events.record({ name: 'n', identifier, data: {} }),
    ))
      if (!result.ok) checkError(result.error);
  },
];

/** Maximum number of content encodings that Node's `fetch` decodes. */
const maxEncodings = 5;

/**
 * Returns `true` if this response can end the process by Node's own `fetch`: it sets no error listener on a body with too
 * many content encodings, so that an early end of the connection throws. See `test/client/script-end.long.test.ts`.
 */
function crashesFetch({ bytes }: Reply): boolean {
  const values = bytes.toString('latin1').matchAll(/content-encoding:(.*)/gi);
  const encodings = [...values].flatMap(([, value = '']) => value.split(','));
  return encodings.length > maxEncodings;
}

let reply: Reply = { bytes: Buffer.from(''), chunkLength: 1, ends: 'end' };
const sockets = new Set<Socket>();
const server = createServer(socket => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.on('error', () => {});
  socket.on('data', () => void respond(socket, reply));
});
after(() => {
  server.close();
  for (const socket of sockets) socket.destroy();
});
const baseUrl = `http://127.0.0.1:${await listen(server)}`;
const common = { baseUrl, apiKey: key, teamId: 'team', timeout, maxRetries: 0, logLevel: 'off' } as const;
const clients = [
  new EmailMarketingClient(common),
  new EmailMarketingClient({ ...common, fetch: (url, init) => fetch(url, init) }),
  new EmailMarketingClient({ ...common, maxResponseBytes: 40, fetch: (url, init) => fetch(url, init) }),
];
const rejections: unknown[] = [];
const keep = (error: unknown) => rejections.push(error);
process.on('unhandledRejection', keep).on('uncaughtException', keep);

const property = fc.asyncProperty(input, async given => {
  reply = given;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hangs = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('a call hangs')), hanging);
  });
  const called = crashesFetch(given) ? clients.slice(0, 1) : clients;
  const calls = called.flatMap(client => ways.map(way => way(client)));
  await Promise.race([Promise.all(calls), hangs]).finally(() => clearTimeout(timer));
  await new Promise(setImmediate);
  const [cause] = rejections.splice(0);
  if (cause !== undefined) throw new Error('unhandled', { cause });
});

fuzz('raw HTTP responses, over every way to await a call', property);
