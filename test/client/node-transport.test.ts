// The transport of Node, which sends through undici's dispatcher as Node's own `fetch` does. `response-bodies.test.ts` tests
// what it shares with every `fetch`.
import { deflateSync, gzipSync } from 'node:zlib';
import { Agent, type Dispatcher, interceptors, MockAgent } from 'undici';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import { type Fault, type FaultServer, startFaultServer } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { errorOf, replaceDispatcher, runProgram, useDispatcher } from './support.ts';

let server: FaultServer;

beforeEach(async () => {
  server = await startFaultServer();
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

const client = (options: ConstructorParameters<typeof EmailMarketingClient>[0] = {}) =>
  new EmailMarketingClient({ baseUrl: server.url, apiKey: 'key', maxRetries: 0, ...options });

/** Whether each request came from Node's `fetch`, which adds its own header. */
const sentByFetch = () => server.received.map(({ headers }) => headers.has('sec-fetch-mode'));

const encoded =
  (coding: string, encode: (bytes: Buffer) => Buffer): Fault =>
  ({ response, normal }) => {
    response.setHeader('content-encoding', coding);
    response.end(encode(Buffer.from(normal)));
  };

describe('the transport on Node', () => {
  test('sends through a replaced global `fetch`, and through the dispatcher once it is restored', async () => {
    const made = client();
    const real = globalThis.fetch;
    const patched = vi.fn((...input: Parameters<typeof fetch>) => real(...input));
    vi.stubGlobal('fetch', patched);
    await made.senders.list();
    vi.unstubAllGlobals();
    await made.senders.list();
    expect(patched).toHaveBeenCalledOnce();
    expect(sentByFetch()).toEqual([true, false]);
  });

  test('says in the message why a replaced global `fetch` failed without a code, and hides the key', async () => {
    const blocked = new Error(`Cross-Origin Request Blocked: https://example.com/?key=key-of-the-team`);
    vi.stubGlobal('fetch', () => Promise.reject(blocked));
    const { message, cause } = await errorOf(client({ apiKey: 'key-of-the-team' }).senders.list());
    expect(message).toContain('(Cross-Origin Request Blocked: https://example.com/?key=[redacted])');
    expect(cause).toMatchObject({ message: expect.stringContaining('Cross-Origin Request Blocked') });
  });

  test.each(['1', '2'])('sends through a dispatcher in place %s only if `fetch` does', async place => {
    await client().senders.list();
    let calls = 0;
    replaceDispatcher(() => {
      calls += 1;
      throw new Error('used');
    }, place);
    const used = async (send: () => Promise<unknown>) => {
      calls = 0;
      await send().catch(() => {});
      return calls;
    };
    expect(await used(() => client().senders.list())).toBe(await used(() => fetch(server.url)));
  });
});

describe('a request on Node', () => {
  // undici 8 sends a text, a Buffer or no body again over HTTP/2, unseen, after a stream was reset.
  test('has a body that undici cannot send again, unless the request is a read', async () => {
    const bodies: Dispatcher.DispatchOptions['body'][] = [];
    server.otherwise(({ response, request }) => response.end(request.method === 'GET' ? '[]' : '{"id":"1"}'));
    replaceDispatcher((dispatch, ...input) => {
      bodies.push((input[0] as Dispatcher.DispatchOptions).body);
      return dispatch(...input);
    });
    const made = client({ teamId: 'team' });
    await made.tags.create({ name: 'Käufer' });
    await made.legacy.identify({ email: 'a@x.test', customFields: { points: '++5' } });
    await made.request({ method: 'POST', path: '/domain/verify' });
    await made.tags.delete('a1'.repeat(11));
    await made.legacy.identify({ email: 'a@x.test' });
    await made.senders.list();
    expect(bodies.pop()).toBeNull();
    expect(bodies).toHaveLength(5);
    for (const body of bodies) {
      expect(Buffer.isBuffer(body)).toBe(false);
      expect(() => [...(body as Iterable<unknown>)]).toThrow('sent before');
    }
    expect(server.received.map(({ body }) => body)).toEqual([
      '{"name":"Käufer"}',
      '{"email":"a@x.test","customFields":{"points":"++5"}}',
      '',
      '',
      '{"email":"a@x.test"}',
      '',
    ]);
  });

  // A tool that replaces `fetch` can retry a request that was sent before.
  test('that writes is never reported as not sent if it used a replaced `fetch`', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    vi.stubGlobal('fetch', () => Promise.reject(refused));
    await expect(client().tags.create({ name: 'vip' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      outcome: 'unknown',
      retryable: false,
    });
    await expect(client().senders.list()).rejects.toMatchObject({ outcome: 'not-sent' });
  });

  test.each([301, 307])('is not sent on after a %i if the dispatcher redirects', async status => {
    const other = await startFaultServer();
    onTestFinished(() => other.close());
    useDispatcher(new Agent().compose(interceptors.redirect({ maxRedirections: 3 })));
    server.otherwise(faults.status(status, { location: `${other.url}/api/v1/rest/tag` }, ''));
    for (const call of [() => client().tags.create({ name: 'vip' }), () => client().senders.list()])
      await expect(call()).rejects.toMatchObject({ name: 'ApiError', response: { status } });
    expect(other.received).toEqual([]);
    expect(server.received).toHaveLength(2);
  });

  test('shows its body to a `MockAgent`, which compares text', async () => {
    const agent = new MockAgent();
    useDispatcher(agent);
    agent.disableNetConnect();
    agent
      .get(server.url)
      .intercept({ method: 'POST', path: '/api/v1/rest/tag', body: '{"name":"vip"}' })
      .reply(200, { id: 'tag_1', name: 'vip' });
    expect(await client().tags.create({ name: 'vip' })).toMatchObject({ id: 'tag_1' });
  });

  test('is never sent if it is aborted before it has a connection', async () => {
    await client().senders.list();
    const controller = new AbortController();
    replaceDispatcher((dispatch, ...input) => {
      const isFree = dispatch(...input);
      controller.abort('enough');
      return isFree;
    });
    const other = client({ baseUrl: server.url.replace('127.0.0.1', 'localhost') });
    const { signal } = controller;
    await expect(other.tags.create({ name: 'n' }, { signal })).rejects.toBe('enough');
    await other.senders.list();
    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });
});

describe('a response on Node', () => {
  test('is decoded from gzip, whose name may have capitals', async () => {
    server.next(encoded('GZIP', gzipSync));
    const [sender] = await client().senders.list();
    expect(sender?.email).toBe('ann@example.com');
  });

  test('has every header, even repeated ones, but none of an early hint', async () => {
    server.next(({ response, normal }) => {
      response.writeEarlyHints({ link: '</early>; rel=preload' });
      response.writeHead(201, { 'Set-Cookie': ['a=1', 'b=2'], 'X-Name': 'Grün' }).end(normal);
    });
    const { response } = await client().senders.list().withResponse();
    expect(response.status).toBe(201);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('x-name')).toBe('Grün');
    expect(response.headers.has('link')).toBe(false);
  });
});

type Controller = Dispatcher.DispatchController;
type Headers = Record<string, string | string[]>;

/** Responds to every request as undici 8 reports a response over HTTP/2. */
function respondOverHttp2(status: number, body = '', headers: Headers = {}): void {
  replaceDispatcher((_nodes, _options, given) => {
    const handler = given as Required<Dispatcher.DispatchHandler>;
    const controller = { rawHeaders: headers } as unknown as Controller;
    handler.onRequestStart(controller, {});
    handler.onResponseStart(controller, status, headers, '');
    if (body) handler.onResponseData(controller, Buffer.from(body));
    handler.onResponseEnd(controller, {});
    return true;
  });
}

const tagId = 'tag_A1b2C3d4E5f6G7h8I9j0K1';
const cutOff = { error: { name: 'ConnectionError', outcome: 'unknown' } };

describe('a response over HTTP/2', () => {
  // undici 8 reports the end of the body when the stream is reset after the head.
  test('that is empty counts as cut off unless a header says it is: undici reports a reset stream alike', async () => {
    await client().senders.list();
    respondOverHttp2(200, '', { 'content-type': 'application/json' });
    const made = client({ maxRetries: 0 });
    const record = () => made.events.record({ name: 'e', identifier: 'a@x.test' });
    const verify = () => made.request({ method: 'POST', path: '/domain/verify' });
    for (const call of [record, verify, () => made.senders.list(), () => made.tags.create({ name: 'n' })])
      expect(await call().safe()).toMatchObject(cutOff);
    respondOverHttp2(200, '', { 'content-length': '0' });
    expect(await record()).toMatchObject({ status: 'success' });
    expect(await verify()).toEqual({});
    respondOverHttp2(204, '');
    expect(await record()).toMatchObject({ status: 'success' });
  });

  test('that is the start of JSON counts as cut off', async () => {
    await client().senders.list();
    respondOverHttp2(200, '{"status":"succ');
    expect(await client().tags.delete(tagId).safe()).toMatchObject(cutOff);
  });

  test('of an error, that is too large to read, has its status', async () => {
    await client().senders.list();
    respondOverHttp2(400, `{"status":"error","message":"${'m'.repeat(70_000)}"}`);
    expect(await client().tags.create({ name: 'n' }).safe()).toMatchObject({
      error: { name: 'BadRequestError', response: { status: 400 }, outcome: 'refused' },
    });
  });
});

test('a response over HTTP/1.1 that states no end is complete if it is complete JSON', async () => {
  server.otherwise(({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\n\r\n{"status":"success","message":"deleted"}');
  });
  expect(await client().tags.delete(tagId)).toMatchObject({ message: 'deleted' });
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['has no bytes', () => Buffer.alloc(0)],
  ['is cut short', bytes => gzipSync(bytes).subarray(0, 20)],
])('a compressed response whose body %s is a failed connection', async (_, encode) => {
  server.next(encoded('gzip', encode));
  await expect(client().tags.create({ name: 'n' })).rejects.toMatchObject({
    name: 'ConnectionError',
    outcome: 'unknown',
  });
});

describe('the content encoding of a response on Node', () => {
  test('is requested as gzip or br, which every Node decodes', async () => {
    await client().senders.list();
    expect(server.received[0]?.headers.get('accept-encoding')).toBe('gzip');
  });

  test.each(['deflate', 'x-gzip', 'zstd'])('is named if it was not asked for: %s', async encoding => {
    server.otherwise(encoded(encoding, deflateSync));
    await expect(client().senders.list()).rejects.toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'unknown',
      message: expect.stringContaining(`expected JSON, got a body encoded as ${encoding}`),
    });
  });
});

test('if a proxy from the environment is not running, nothing was sent, and its password is not shown', async () => {
  const program =
    "const { error } = await client.tags.create({ name: 'vip' }).safe(); console.log(JSON.stringify(error));";
  const { output } = await runProgram("{ baseUrl: 'https://api.example.test', maxRetries: 0 }", program, {
    env: { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: 'http://user:pass@127.0.0.1:9' },
  });
  expect(JSON.parse(output)).toMatchObject({
    name: 'ConnectionError',
    outcome: 'not-sent',
    message: expect.stringContaining('could not connect to api.example.test (ECONNREFUSED)'),
  });
  expect(output).not.toContain('pass@');
});
