// No key can be printed, copied or reached through the objects that users get from a client.
import { describe, expect, test } from 'vitest';
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
    expect(shown(held)).not.toMatch(canary);
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
