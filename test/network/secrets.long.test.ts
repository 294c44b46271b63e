import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { calls } from '../operations.ts';
import { closedPort, type Fault, startFaultServer, unresolvedName } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { endless, lasting, passing } from './failures.ts';
import { shown } from './shown.ts';
import { connect } from './support.ts';

/** Each in a form that JSON, URLs and HTML write in other ways too. The private key is in the healthy domain answer. */
const secrets = {
  apiKey: 'CANARY/rest+key=="1',
  legacyApiKey: 'CANARY/legacy+key=="2',
  teamId: 'CANARY team/3',
};
const canary = /CANARY/;

/** Everything the library reported to anyone during a test. */
let reported: unknown[] = [];
const report = (...values: unknown[]) => void reported.push(...values);

const channels = ['request', 'response', 'retry', 'error'].map(name => `email-marketing-client:${name}`);

beforeEach(() => {
  reported = [];
  vi.spyOn(Math, 'random').mockReturnValue(0);
  for (const method of ['error', 'warn', 'info', 'debug', 'log'] as const)
    vi.spyOn(console, method).mockImplementation(report);
  for (const channel of channels) subscribe(channel, report);
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const channel of channels) unsubscribe(channel, report);
});

const watched: ClientOptions = {
  ...secrets,
  timeout: 50,
  logLevel: 'debug',
  logger: { warn: report, info: report, debug: report },
  hooks: { onRequest: report, onResponse: report, onRetry: report, onError: report },
  onDrift: report,
};

/** Makes every call, and looks for the canaries in all that came of it. */
async function everyCallIsSilent(client: EmailMarketingClient): Promise<void> {
  for (const { call } of calls) {
    const result = await call(client).safe();
    if (!result.ok) report(result.error);
    else report(result, [...result.response.headers]);
  }
  expect(reported.length).toBeGreaterThan(calls.length);
  report(client, client.legacy, client.domains);
  for (const value of new Set(reported)) expect(shown(value)).not.toMatch(canary);
}

test('the service receives the secrets that no other test may find', async () => {
  const { server, client } = await connect({ ...watched, timeout: 10_000 });
  await client.senders.list();
  await client.legacy.track({ email: 'a@x.test', addTags: ['a'] });
  expect(server.received[0]?.headers['x-team-apikey']).toBe(secrets.apiKey);
  expect(server.received[1]?.headers.api_key).toBe(secrets.legacyApiKey);
  expect(server.received[1]?.query.get('team_id')).toBe(secrets.teamId);
});

test.each([...passing, ...endless, ...lasting, { name: 'success', fault: faults.status(299) }])(
  'shows no secret after $name',
  async ({ fault }) => {
    const { server, client } = await connect(watched);
    server.otherwise(fault);
    await everyCallIsSilent(client);
  },
);

test('shows no secret in a success, the private key of a domain included', async () => {
  const { client } = await connect(watched);
  await everyCallIsSilent(client);
});

test('shows no secret when no server is reached', async () => {
  await everyCallIsSilent(new EmailMarketingClient({ ...watched, baseUrl: await closedPort() }));
  await everyCallIsSilent(new EmailMarketingClient({ ...watched, baseUrl: unresolvedName }));
});

describe('an error', () => {
  test('shows no secret that a service sends back in the headers of a success', async () => {
    const { server, client } = await connect(watched);
    server.otherwise(exchange => {
      const { headers, query } = exchange.request;
      const all = JSON.stringify({ headers, query: [...query] });
      faults.status(200, { 'x-echo': all, 'x-url': encodeURIComponent(all) }, exchange.normal)(exchange);
    });
    await everyCallIsSilent(client);
  });

  test.each([200, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503])(
    'shows no secret that a service sends back under %i',
    async code => {
      const { server, client } = await connect(watched);
      server.otherwise(faults.echo(code));
      await everyCallIsSilent(client);
    },
  );

  /** The same secrets as other writers of JSON and of pages put them. */
  const spellings: [string, (text: string) => string][] = [
    ['slashes escaped', text => JSON.stringify(text).replaceAll('/', '\\/')],
    [
      'every character escaped',
      text => `"${[...text].map(char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`,
    ],
    ['URL-encoded', text => JSON.stringify(encodeURIComponent(text))],
    ['form-encoded', text => JSON.stringify(new URLSearchParams({ k: text }).toString())],
    ['HTML-escaped', text => JSON.stringify(text.replaceAll('"', '&quot;'))],
    ['JSON within JSON', text => JSON.stringify(JSON.stringify({ text }))],
  ];
  test.each(spellings)('shows no secret that a service sends back with %s', async (_, spell) => {
    const { server, client } = await connect(watched);
    const all = Object.values(secrets).map(spell).join(',');
    server.otherwise(
      faults.status(400, {}, `{"status":"error","message":"no","seen":[${all}],"${'deep'}":{"a":[${all}]}}`),
    );
    await everyCallIsSilent(client);
  });

  test('shows no secret that a service sends back as the names of members', async () => {
    const { server, client } = await connect(watched);
    const members = Object.values(secrets).map(secret => `${JSON.stringify(secret)}:7`);
    server.otherwise(faults.status(400, {}, `{"status":"error","message":"no",${members.join(',')}}`));
    await everyCallIsSilent(client);
  });

  test('shows no secret that a service sends back as field names of records', async () => {
    const { server, client } = await connect(watched);
    const customFields = Object.fromEntries(Object.values(secrets).map(secret => [secret, 7]));
    const odd = (exchange: Parameters<Fault>[0]) => {
      const contact = { id: 'contact_1', email: 'a@x.test', customFields, lists: 7 };
      const answer = exchange.request.method === 'GET' ? [contact] : { status: 'error', message: 'no' };
      faults.status(200, {}, JSON.stringify(answer))(exchange);
    };
    server.otherwise(odd);
    const listed = await client.contacts.list().safe();
    expect(listed.ok).toBe(true);
    const strict = new EmailMarketingClient({ ...watched, baseUrl: server.url, validation: 'strict' });
    const refused = await strict.contacts.list().safe();
    expect(refused.ok).toBe(false);
    report(refused);
    expect(reported).not.toEqual([]);
    for (const value of new Set(reported)) expect(shown(value)).not.toMatch(canary);
  });

  test('shows no private key of a domain that a service sends back in an error', async () => {
    const { server, client } = await connect(watched);
    server.otherwise(({ response, normal }) => {
      response
        .writeHead(500, { 'content-type': 'application/json' })
        .end(`{"status":"error","domain":${normal}}`);
    });
    await everyCallIsSilent(client);
  });
});

describe('an error from a `fetch`', () => {
  const everything = (url: unknown, init: unknown) => `${url} ${inspect(init)} ${Object.values(secrets)}`;
  test.each<[string, (text: string) => unknown]>([
    ['an error', text => new Error(text)],
    ['an error with a cause', text => new TypeError('fetch failed', { cause: new Error(text) })],
    ['an error with members', text => Object.assign(new Error('x'), { request: text, code: 'ECONNRESET' })],
    ['a string', text => text],
    ['an object', text => ({ message: text })],
    ['an abort error', text => new DOMException(text, 'AbortError')],
  ])('shows no secret that is thrown as %s', async (_, make) => {
    const { client } = await connect({
      ...watched,
      fetch: (url, init) => Promise.reject(make(everything(url, init))),
    });
    await everyCallIsSilent(client);
  });

  test('shows no secret that is thrown as a code', async () => {
    const apiKey = 'CANARY_rest_4';
    const error = Object.assign(new Error('x'), { code: apiKey });
    const { client } = await connect({ ...watched, apiKey, fetch: () => Promise.reject(error) });
    await everyCallIsSilent(client);
  });

  test('shows no secret in the body of its response', async () => {
    const { client } = await connect({
      ...watched,
      fetch: async (url, init) =>
        new Response(
          new ReadableStream({ pull: controller => controller.error(new Error(everything(url, init))) }),
        ),
    });
    await everyCallIsSilent(client);
  });
});

test.each([
  ['a line break', `${secrets.apiKey}\nx`],
  ['a character that no header may hold', `${secrets.apiKey}\u{1F511}`],
  ['nothing but spaces', '   '],
])('refuses a key with %s without showing it', async (_, apiKey) => {
  const server = await startFaultServer();
  let error: unknown;
  try {
    new EmailMarketingClient({ ...watched, apiKey, baseUrl: server.url });
  } catch (thrown) {
    error = thrown;
  }
  await server.close();
  expect(error).toMatchObject({ name: 'ConfigurationError' });
  expect(shown(error)).not.toMatch(canary);
});

test('shows no key that changes with each request', async () => {
  let number = 0;
  const { client } = await connect({
    ...watched,
    apiKey: async () => `CANARY-${++number}-of-many`,
    fetch: async (_url, init) => Response.json({ status: 'error', message: inspect(init) }, { status: 400 }),
  });
  for (let call = 0; call < 150; call += 1) report(await client.senders.list().safe());
  for (const value of new Set(reported.slice(-10))) expect(shown(value)).not.toMatch(canary);
});

test('refuses a key from a function by the same rule, without showing it', async () => {
  const { server, client } = await connect({ ...watched, apiKey: () => `${secrets.apiKey}\nx` });
  const result = await client.senders.list().safe();
  expect(result.ok).toBe(false);
  expect(server.received).toEqual([]);
  for (const value of [result, ...reported]) expect(shown(value)).not.toMatch(canary);
});

test('does not show a key that was given in place of an input', async () => {
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', ...secrets });
  const inputs = [
    client.tags.delete(secrets.apiKey),
    client.tags.create({ [secrets.apiKey]: 'x' } as never),
    client.contacts.list({ limit: secrets.legacyApiKey as never }),
    client.legacy.identify({ email: secrets.teamId }),
  ];
  for (const error of await Promise.all(inputs.map(call => call.catch((thrown: unknown) => thrown)))) {
    expect(error).toMatchObject({ name: 'InvalidRequestError' });
    expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toMatch(canary);
  }
});
