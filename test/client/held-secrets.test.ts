// No key can be printed, copied or reached through the objects that users get from a client.
import { describe, expect, test } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { bulk, type ClientOptions, type EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler, toNodeListener } from '../../src/proxy/index.ts';
import { eventually } from '../support/eventually.ts';
import * as faults from '../support/faults.ts';
import { shown } from './shown.ts';
import { connect, failureOf } from './support.ts';

const secrets = {
  apiKey: 'CANARY-rest-key',
  legacyApiKey: 'CANARY-legacy-key',
  teamId: 'CANARY-team',
  throttle: { concurrency: 1, requestsPerSecond: 1_000, maxQueue: 1 },
};
const canary = /CANARY/;

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
const everyForm = (value: unknown): string => [shown(value), ...reachable(value)].join('\n');

const connected = (options: ClientOptions = {}) => connect({ ...secrets, ...options });

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
    expect(everyForm(held)).not.toMatch(canary);
  });

  test('shows no key that a browser client holds after a call', async () => {
    const { client } = await connected();
    const handler = createProxyHandler(client, { allow: ['senders.list'], authorize: 'public' });
    const fetch = (url: string, init: RequestInit) => handler(new Request(url, init));
    const page = createBrowserClient({ url: 'http://localhost/api', fetch });
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
    await eventually(() => expect(server.received).toHaveLength(1));
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
