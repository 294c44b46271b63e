// No key can be printed, copied or reached through the objects that users get from a client, and an error shows no part of a key
// that was passed by mistake as an input or as a name.
import { describe, expect, test } from 'vitest';
import { bulk, type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
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
