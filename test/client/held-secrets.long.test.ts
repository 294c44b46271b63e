// No key can be printed, copied or reached through the objects that users get from a client.
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { format } from 'node:util';
import { serialize } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { bulk, type ClientOptions, type EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler, toNodeListener } from '../../src/proxy/index.ts';
import * as faults from '../support/faults.ts';
import { attempt, shown } from './shown.ts';
import { connect, failureOf } from './support.ts';

const secrets = {
  apiKey: 'CANARY-rest-key',
  legacyApiKey: 'CANARY-legacy-key',
  teamId: 'CANARY-team',
  throttle: { concurrency: 1, requestsPerSecond: 1_000, maxQueue: 1 },
};
const canary = /CANARY/;

/** Returns what the methods of `console` write for a value. */
function logged(value: unknown): string {
  let text = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  const console = new Console(stream);
  console.log(value);
  console.error('%o %O %s %j', value, value, value, [value]);
  console.dir(value, { depth: Number.POSITIVE_INFINITY, showHidden: true });
  console.table(value);
  console.table([value]);
  return text;
}

/** Returns the value of a member, or what reading it throws. */
function read(holder: object, name: PropertyKey): unknown {
  try {
    return Reflect.get(holder, name, holder);
  } catch (error) {
    return error;
  }
}

/** Returns every text that code can reach from a value through names, members, symbols, prototypes and entries. */
function reachable(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value];
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
    return [];
  seen.add(value);
  const texts = typeof value === 'function' ? [Function.prototype.toString.call(value)] : [];
  const inner: unknown[] = [Object.getPrototypeOf(value)];
  if (value instanceof Map || value instanceof Set) inner.push(...value.entries());
  for (const name of Reflect.ownKeys(value)) {
    texts.push(String(name));
    inner.push(read(value, name));
  }
  return [...texts, ...inner.flatMap(each => reachable(each, seen))];
}

/** Returns a value in every form in which a program could print, copy or search it. */
function everyForm(value: unknown): string {
  const entries = () => Object.entries(value as object).map(([name, member]) => `${name} ${shown(member)}`);
  const forms = [
    () => shown(value),
    () => logged(value),
    () => format(value),
    entries,
    () => reachable(value),
  ];
  const copies = [() => serialize(value).toString('latin1'), () => JSON.stringify({ ...(value as object) })];
  return [...forms, ...copies].map(attempt).join('\n');
}

const connected = (options: ClientOptions = {}) => connect({ ...secrets, ...options });

test('the search of these tests finds a hidden key', () => {
  const hidden = Object.defineProperty({}, 'key', { value: 'CANARY', enumerable: false });
  for (const holder of [
    hidden,
    new Map([[hidden, 1]]),
    { [Symbol('CANARY')]: 1 },
    new Error('x', { cause: hidden }),
    Object.assign(() => {}, { hidden }),
    Object.create({
      get key() {
        return 'CANARY';
      },
    }),
  ])
    expect(everyForm(holder)).toMatch(canary);
});

/** Objects that users get from a client. */
const holders: Readonly<Record<string, (client: EmailMarketingClient) => unknown>> = {
  'the client': client => client,
  'a client of withOptions': client => client.withOptions({ timeout: 5, headers: { 'x-app': 'a' } }),
  'a resource': client => client.legacy,
  'every resource': client => Object.values(client),
  'a method': client => client.legacy.identify,
  'a paginator': client => client.contacts.all({ search: 'ada' }, { concurrency: 3 }),
  'an iterator': client => client.contacts.all()[Symbol.asyncIterator](),
  'an iterator of pages': client => client.lists.all().pages(),
  'a checkpoint': client => client.contacts.all().checkpoint,
  'a bulk': client => bulk([1], () => client.senders.list()),
  'a proxy handler': client => createProxyHandler(client, { allow: ['tags.create'], authorize: 'public' }),
  'a Node listener': client =>
    toNodeListener(createProxyHandler(client, { allow: ['tags.create'], authorize: 'public' })),
  'a keyless client': client =>
    createBrowserClient({
      url: 'http://localhost/api',
      fetch: async (url, init) =>
        createProxyHandler(client, { allow: ['senders.list'], authorize: 'public' })(new Request(url, init)),
    }),
};

describe('printing, inspecting and serializing', () => {
  test.each(Object.entries(holders))('shows no key that %s holds', async (_, hold) => {
    const { client } = await connected();
    const held = hold(client);
    expect(everyForm(held)).not.toMatch(canary);
  });

  test('shows no key that a keyless client holds after a call', async () => {
    const { client } = await connected();
    const page = holders['a keyless client']?.(client) as ReturnType<typeof createBrowserClient>;
    const result = await page.senders.list().safe();
    expect(result.ok).toBe(true);
    expect(everyForm([page, result])).not.toMatch(canary);
  });

  test('shows no key that calls in flight, waiting or rejected by the rate limiter hold', async () => {
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
    await expect.poll(() => server.received.length).toBe(1);
    for (const held of [...promises, controller, client]) expect(everyForm(held)).not.toMatch(canary);
    controller.abort();
    const errors = await ended;
    expect(errors[2]).toMatchObject({ outcome: 'not-sent', attempts: [] });
    for (const held of [...promises, ...errors]) expect(everyForm(held)).not.toMatch(canary);
  });

  test('shows no key that a paginator, its checkpoint and its error hold', async () => {
    const { server, client } = await connected({ maxRetries: 0 });
    const paginator = client.contacts.all();
    const iterator = paginator[Symbol.asyncIterator]();
    await iterator.next();
    for (const held of [paginator, iterator, paginator.checkpoint])
      expect(everyForm(held)).not.toMatch(canary);
    server.otherwise(faults.echo(500));
    await iterator.return();
    const error = await failureOf(paginator.toArray());
    expect(everyForm(error)).not.toMatch(canary);
  });

  test('shows no key in the arguments of a limiter, a logger, a hook and a function for the key', async () => {
    const passed: unknown[] = [];
    const keep = (...values: unknown[]) => void passed.push(...values);
    const { server, client } = await connected({
      throttle: { acquire: async (...values: unknown[]) => keep(...values) },
      logger: { warn: keep, info: keep, debug: keep },
      logLevel: 'debug',
      hooks: { onRequest: keep, onResponse: keep, onRetry: keep, onError: keep },
      apiKey: (...values: unknown[]) => {
        keep(...values);
        return secrets.apiKey;
      },
    });
    server.next(faults.echo(503), faults.echo(500));
    await client.senders.list().safe();
    await client.legacy.track({ email: 'a@x.test', addTags: ['a'] }).safe();
    expect(passed.length).toBeGreaterThan(5);
    for (const value of passed) expect(everyForm(value)).not.toMatch(canary);
  });
});
