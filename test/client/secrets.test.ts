// No secret appears in what the library reports (errors, events, log lines and drift), in the objects that users get from a client,
// or in the error of an input that contains a key by mistake.
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ApiError, bulk, type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler, toNodeListener } from '../../src/proxy/index.ts';
import { row } from '../endpoints.ts';
import { eventually } from '../support/eventually.ts';
import type { Exchange } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { endless, lasting, passing } from './failures.ts';
import { shown } from './shown.ts';
import { connect, failureOf } from './support.ts';

/** With characters that JSON, URLs and HTML escape. The healthy response with a domain holds a private key as well. */
const secrets = {
  apiKey: 'CANARY/rest+key==1',
  legacyApiKey: 'CANARY/legacy+key==2',
  teamId: 'CANARY team/3',
};
/** The start of each secret. */
const canary = /CANARY/;

/** Everything the library reported to anyone during a test. */
let reported: unknown[] = [];
const report = (...values: unknown[]) => void reported.push(...values);

beforeEach(() => {
  reported = [];
  vi.spyOn(Math, 'random').mockReturnValue(0);
  for (const method of ['error', 'warn', 'info', 'debug', 'log'] as const)
    vi.spyOn(console, method).mockImplementation(report);
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const value of new Set(reported)) expect(shown(value)).not.toMatch(canary);
});

const watched: ClientOptions = {
  ...secrets,
  timeout: 10_000,
  logLevel: 'debug',
  logger: { warn: report, info: report, debug: report },
  hooks: { onRequest: report, onSuccess: report, onRetry: report, onError: report, onCancel: report },
  onDrift: report,
};

/** Calls an operation of each interface, one with a private key in its response and one that is retried. */
async function makeCalls(client: EmailMarketingClient): Promise<void> {
  for (const { call } of [row('domains.create'), row('legacy.track')]) {
    const result = await call(client).safe();
    if (!result.ok) report(result.error);
    else report(result, [...result.response.headers]);
  }
  expect(reported.length).toBeGreaterThan(2);
  report(client, client.legacy, client.domains);
}

/** A success with a domain holds its private key. */
const success = {
  name: 'a success',
  fault: (exchange: Exchange) => faults.status(200, {}, exchange.normal)(exchange),
};

test.each([...passing, ...endless, ...lasting, success])('shows no secret after $name', async ({ fault }) => {
  const { server, client } = await connect({ ...watched, timeout: 50 });
  server.otherwise(fault);
  await makeCalls(client);
});

test('shows no secret that a function of the user throws', async () => {
  const fails = () => Promise.reject(new RangeError(`${secrets.apiKey} and ${secrets.legacyApiKey} failed`));
  for (const options of [{ headers: fails }, { throttle: { acquire: fails } }]) {
    const { client } = await connect({ ...watched, ...options });
    const error = await failureOf(client.senders.list());
    report(error);
    const cause = { name: 'RangeError', message: '[redacted] and [redacted] failed' };
    expect(error).toMatchObject({ code: 'FUNCTION_FAILED', outcome: 'not-sent', cause });
  }
});

describe('a response', () => {
  test('shows no secret that the service sends back in the headers of a success', async () => {
    const { server, client } = await connect(watched);
    server.otherwise(exchange => {
      const { headers, query } = exchange.request;
      const all = [...headers.values(), ...new URLSearchParams(query).values()];
      const shownHeaders = { 'x-echo': JSON.stringify(all), 'x-url': all.map(encodeURIComponent).join() };
      faults.status(200, shownHeaders, exchange.normal)(exchange);
    });
    await makeCalls(client);
  });

  test.each([200, 302, 400, 401, 404, 429, 500])(
    'shows no secret that the service sends back with status %i',
    async code => {
      const { server, client } = await connect(watched);
      server.otherwise(faults.echo(code));
      await makeCalls(client);
    },
  );

  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

  test.each<[string, (text: string) => string]>([
    ['with every character escaped', text => `"${[...text].map(escaped).join('')}"`],
    ['as the name of a member', text => `{${JSON.stringify(text)}:7}`],
  ])('shows no secret that the service sends back %s', async (_, spell) => {
    const { server, client } = await connect(watched);
    const all = Object.values(secrets).map(spell).join(',');
    server.otherwise(
      faults.status(400, {}, `{"status":"error","message":"no","seen":[${all}],"deep":{"a":[${all}]}}`),
    );
    await makeCalls(client);
  });

  test('shows no secret that the service sends back as a field name of a record', async () => {
    const { server, client } = await connect(watched);
    const customFields = Object.fromEntries(Object.values(secrets).map(secret => [secret, 7]));
    const contact = { id: 'contact_1', email: 'a@x.test', customFields, lists: 7 };
    server.otherwise(faults.status(200, {}, JSON.stringify([contact])));
    expect(await client.contacts.list()).toHaveLength(1);
    const strict = new EmailMarketingClient({ ...watched, baseUrl: server.url, validation: 'strict' });
    report(await failureOf(strict.contacts.list()));
    expect(reported.length).toBeGreaterThan(1);
  });
});

describe('an error from a `fetch`', () => {
  const everything = (url: unknown, init: unknown) => `${url} ${inspect(init)} ${Object.values(secrets)}`;
  test.each<[string, (text: string) => unknown]>([
    ['an error with a cause', text => new TypeError('fetch failed', { cause: new Error(text) })],
    ['an error with members', text => Object.assign(new Error('x'), { request: text, code: 'ECONNRESET' })],
    ['a string', text => text],
    ['an abort error', text => new DOMException(text, 'AbortError')],
  ])('shows no secret that is thrown as %s', async (_, make) => {
    const { client } = await connect({
      ...watched,
      fetch: (url, init) => Promise.reject(make(everything(url, init))),
    });
    await makeCalls(client);
  });

  test('is the cause of the error, with its code, and without keys', async () => {
    const thrown = Object.assign(new Error('rest-key-1234 is not set'), { code: 'E rest-key-1234' });
    const { client } = await connect({ fetch: () => Promise.reject(thrown), apiKey: 'rest-key-1234' });
    expect(await failureOf(client.tags.create({ name: 'vip' }))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      cause: { message: '[redacted] is not set', code: 'E [redacted]' },
    });
  });

  test('shows no secret that is thrown while the body is read', async () => {
    const { client } = await connect({
      ...watched,
      fetch: async (url, init) =>
        new Response(
          new ReadableStream({ pull: controller => controller.error(new Error(everything(url, init))) }),
        ),
    });
    await makeCalls(client);
  });
});

test.each<[string, Record<string, string>]>([
  ['a token', { Authorization: 'Bearer CANARY-token-1' }],
  ['cookies', { cookie: 'session=CANARY-session; other=CANARY-other' }],
  ['a token of a proxy', { 'x-proxy-token': 'CANARY-token-2' }],
  ['several words', { 'x-gateway-key': 'CANARY-correct CANARY-horse CANARY-staple' }],
])('shows no credentials of the option headers: %s', async (_, headers) => {
  const id = { 'x-request-id': 'request-4711' };
  const { server, client } = await connect({ ...watched, headers: { ...headers, ...id } });
  server.otherwise(({ request, response }) => {
    const given = Object.keys(headers).map(name => String(request.headers.get(name)));
    // A token is secret without its scheme, too.
    const tokens = given.map(value => value.slice(value.indexOf(' ') + 1));
    response.writeHead(400).end(faults.errorBody(`got ${given}, with ${tokens}, for ${id['x-request-id']}`));
  });
  const result = await client.senders.list().safe();
  report(result);
  expect(result).toMatchObject({ error: { message: expect.stringContaining(', for request-4711.') } });
  const own = await connect(watched);
  own.server.otherwise(faults.echo(400));
  report(await own.client.senders.list({ headers }).safe());
  expect(reported.length).toBeGreaterThan(1);
});

describe('a failed response', () => {
  test('shows no part of a key at the place where the body is cut', async () => {
    const apiKey = 'CANARY-0123456789-0123456789-0123456789';
    const { server, client } = await connect({ apiKey, maxRetries: 0 });
    for (let offset = 0; offset <= apiKey.length; offset += 1) {
      server.next(faults.status(400, {}, `${'x'.repeat(63_990 - offset)}${apiKey}${'y'.repeat(1_000)}`));
      const error = (await failureOf(client.senders.list())) as ApiError;
      expect(String(error.body)).toMatch(/^x+(?:\[redacted\]y*)?$/);
    }
  });

  test.each([
    ['a message', (text: string) => JSON.stringify({ status: 'error', message: 'x'.repeat(480) + text })],
    [
      'a field',
      (text: string) => JSON.stringify([{ id: 's', email: 'a@x.test', [text]: 1, lists: { [text]: {} } }]),
    ],
  ])('shows no part of a long key that it holds in %s', async (_, body) => {
    const apiKey = Array.from({ length: 40 }, (__, index) => `CANARY${index}`).join('');
    const { server, client } = await connect({ ...watched, apiKey, maxRetries: 0 });
    for (let length = 0; length < 20; length += 1) {
      const text = body(`${'x'.repeat(length)}${apiKey}`);
      server.next(faults.status(200, {}, text), faults.status(400, {}, text));
      for (const offset of [0, 1]) {
        const result = await client.contacts.list({ offset }).safe();
        // The data of a success is the user's.
        if (!result.ok) report(result.error);
      }
    }
  });

  test.each([
    '{"status":"error","message":"no","domain":{"dkimConfig":"CANARY"}}',
    '{"status":"error","message":"CANARY","domain":{"dkimConfi\\u0067":"CANARY"}}',
    '{"status":"error","message":"CANARY","config":"{\\"PrivKey\\":\\"CANARY\\"}"}',
    '-----BEGIN RSA PRIVATE KEY-----\nCANARY\n-----END RSA PRIVATE KEY-----',
    `{"message":"-----BEGIN RSA PRIVATE KEY----- CANARY","x":${'['.repeat(150)}${']'.repeat(150)}}`,
    `{"status":"error","dkimConfig":{"PrivKey":"${'CANARY'.repeat(20_000)}"}}`,
  ])('shows none of its text if it names a private key: %s', async body => {
    const { server, client } = await connect({ ...watched, maxRetries: 0 });
    server.otherwise(faults.status(500, {}, body));
    const result = await client.domains.create({ name: 'a.test' }).safe();
    report(result);
    expect(result).toMatchObject({
      error: { name: 'ServerError', message: expect.stringContaining('private key'), body: '[redacted]' },
    });
  });
});

test('shows no key of a call that waits while 200 others use other keys', async () => {
  let count = 0;
  let respond = (_: Response) => {};
  const waits = new Promise<Response>(resolve => (respond = resolve));
  const fetch = vi.fn(async () => new Response('[]')).mockImplementationOnce(() => waits);
  const apiKey = () => `CANARY-key-${++count}`;
  const { client } = await connect({ ...watched, fetch, apiKey, maxRetries: 0 });
  const waiting = failureOf(client.senders.list());
  await eventually(() => expect(fetch).toHaveBeenCalledOnce());
  for (let index = 0; index < 200; index++) await client.senders.list();
  const body = JSON.stringify({ status: 'error', message: 'wrong key CANARY-key-1' });
  respond(new Response(body, { status: 400, headers: { 'x-key': 'CANARY-key-1' } }));
  const error = (await waiting) as ApiError;
  expect(error.message).toContain('wrong key [redacted]');
  report(error, [...error.response.headers]);
});

const limits = { concurrency: 1, requestsPerSecond: 1_000, maxQueue: 1 };

const connected = (options: ClientOptions = {}) => connect({ ...secrets, throttle: limits, ...options });

/** Objects that users get from a client. */
const holders: Readonly<Record<string, (client: EmailMarketingClient) => unknown>> = {
  'the client': client => client,
  'a client of withOptions': client => client.withOptions({ timeout: 5, headers: { 'x-app': 'a' } }),
  'an iterator of pages': client => client.lists.all().pages(),
  'a bulk': client => bulk([1], () => client.senders.list()),
  'a proxy handler': client => createProxyHandler(client, { allow: ['tags.create'], authorize: 'public' }),
  'a Node listener': client =>
    toNodeListener(createProxyHandler(client, { allow: ['tags.create'], authorize: 'public' })),
};

describe('printing, inspecting and serializing', () => {
  test.each(Object.entries(holders))('shows no key that %s holds', async (_, hold) => {
    const { client } = await connected();
    const held = hold(client);
    expect(shown(held)).not.toMatch(canary);
  });

  test('shows no key of calls in flight, or waiting for or rejected by the rate limiter', async () => {
    const { server, client } = await connected({ maxRetries: 0 });
    server.otherwise(faults.neverResponds);
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const calls = [
      client.senders.list(options),
      client.senders.list(options),
      client.legacy.track({ email: 'a@x.test', addTags: ['a'] }, options),
    ];
    const promises = calls.flatMap(call => [call, call.safe(), call.withResponse().catch(() => {})]);
    const ended = Promise.all(calls.map(failureOf));
    await eventually(() => expect(server.received).toHaveLength(1));
    for (const held of [...promises, controller, client]) expect(shown(held)).not.toMatch(canary);
    controller.abort();
    const errors = await ended;
    expect(errors[2]).toMatchObject({ outcome: 'not-sent', attempts: [] });
    for (const held of [...promises, ...errors]) expect(shown(held)).not.toMatch(canary);
  });

  test('shows no key in the arguments of a limiter, a logger, a hook and a function for the key', async () => {
    const passed: unknown[] = [];
    const keep = (...values: unknown[]) => void passed.push(...values);
    const { server, client } = await connected({
      throttle: { acquire: async (...values: unknown[]) => keep(...values) },
      logger: { warn: keep, info: keep, debug: keep },
      logLevel: 'debug',
      hooks: { onRequest: keep, onSuccess: keep, onRetry: keep, onError: keep, onCancel: keep },
      apiKey: (...values: unknown[]) => {
        keep(...values);
        return secrets.apiKey;
      },
    });
    server.next(faults.echo(503), faults.echo(500));
    await client.senders.list().safe();
    await client.legacy.track({ email: 'a@x.test', addTags: ['a'] }).safe();
    expect(passed.length).toBeGreaterThan(5);
    for (const value of passed) expect(shown(value)).not.toMatch(canary);
  });
});

/** Longer than any text that an issue shows, and recognizable in every part. */
const longKey = Array.from({ length: 80 }, (_, index) => `CANARY${index}`).join('');

test.each<ClientOptions>([
  { [longKey]: 1 },
  { headers: { [longKey]: 1 as never } },
  { headers: { [`${longKey}:`]: 'x' } },
])('shows no key that was passed as the name of an option or header: %o', async options => {
  const { server, client } = await connect({ apiKey: longKey });
  for (const use of [
    async () => new EmailMarketingClient({ baseUrl: server.url, apiKey: longKey, ...options }),
    async () => client.withOptions(options),
    () => client.tags.create({ name: 'a' }, options),
  ]) {
    const error = await failureOf(use());
    expect(error).toMatchObject({ name: expect.stringMatching(/^(?:Configuration|InvalidRequest)Error$/) });
    expect(shown(error)).not.toMatch(canary);
  }
});

test.each<[string, (client: EmailMarketingClient, text: string) => PromiseLike<unknown>]>([
  ['an id', (client, text) => client.tags.delete(text)],
  [
    'an item of a list',
    (client, text) => client.legacy.identify({ email: 'a@x.test', addTags: [text] } as never),
  ],
  ['an unknown field', (client, text) => client.tags.create({ name: 'n', [text]: 1 } as never)],
  [
    'a custom field',
    (client, text) => client.legacy.identify({ email: 'a@x.test', customFields: { [text]: {} } } as never),
  ],
  [
    'a query',
    (client, text) => client.request({ method: 'GET', path: '/x', query: { [text]: {} as never } }),
  ],
  ['a body', (client, text) => client.request({ method: 'POST', path: '/x', body: { [text]: () => {} } })],
  ['a path', (client, text) => client.request({ method: 'GET', path: `/x?${text}` })],
  ['the options of an iteration', async (client, text) => client.contacts.all({}, text as never)],
  ['a checkpoint', async (client, text) => client.contacts.all({}, { checkpoint: text as never })],
  ['a maximum', (client, text) => client.contacts.all().toArray({ max: text as never })],
  ['the source of a bulk operation', (_, text) => bulk(text as never, async () => 1).toArray()],
])('shows no part of a key that was passed as %s', async (_, call) => {
  for (const apiKey of [longKey, 'CANARY/rest+key=="1']) {
    const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey, teamId: 't' });
    for (const before of ['', 'x'.repeat(40), 'x'.repeat(190)]) {
      const error = await call(client, before + apiKey).then(String, (thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'InvalidRequestError' });
      expect(shown(error)).not.toMatch(canary);
    }
  }
});
