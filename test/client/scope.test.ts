// Whether other calls of a client fail in the same way until somebody fixes something: `error.scope`. `status-meaning.test.ts` shows the scope of each status.
import { expect, test } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { EmailMarketingClient, type EmailMarketingError } from '../../src/index.ts';
import { clientOfServer, errorOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

const html = '<!doctype html><title>Sign in</title>';
const tag = { name: 'vip' };

type Scope = EmailMarketingError['scope'];

test.each<[Scope, number, string]>([
  ['account', 200, html],
  ['account', 404, html],
  ['account', 401, ''],
  ['account', 302, ''],
  ['account', 400, html],
  ['call', 429, ''],
  ['call', 502, html],
  ['call', 413, html],
])(
  'has the scope %s in a page when HTTP %i with the body %s comes in place of the handler',
  async (scope, status, body) => {
    const fetch = async () => new Response(body || null, { status });
    const page = createBrowserClient({ url: 'https://app.test/api', fetch, maxRetries: 0 });
    expect(await errorOf(page.tags.create(tag))).toMatchObject({ scope });
  },
);

const refuse = () => Promise.reject(new Error('vault is sealed'));

test.each<[Scope, string, ConstructorParameters<typeof EmailMarketingClient>[0]]>([
  ['account', 'a key function that fails', { apiKey: refuse }],
  ['account', 'a key function that returns no key', { apiKey: () => '' }],
  ['account', 'a function for the headers that fails', { headers: refuse }],
  ['account', 'a limiter that fails', { throttle: { acquire: refuse } }],
  ['call', 'a network failure', { fetch: refuse }],
  ['call', 'a time limit', { fetch: () => new Promise(() => {}), timeout: 5 }],
  ['call', 'a response that is too large', { fetch: async () => Response.json([]), maxResponseBytes: 1 }],
])('has the scope %s after %s', async (scope, _, options) => {
  const client = clientOfServer('https://api.example.com', { maxRetries: 0, ...options });
  expect(await errorOf(client.tags.create(tag))).toMatchObject({ scope });
});

test('is of the account for a missing option, and of the call for an invalid input and an abort', async () => {
  expect(() => new EmailMarketingClient({ baseUrl: 'https://api.example.com' })).toThrow(
    expect.objectContaining({ scope: 'account' }),
  );
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'key' });
  const withoutTeam = client.legacy.track({ email: 'ada@example.com', addTags: ['vip'] });
  expect(await errorOf(withoutTeam)).toMatchObject({ name: 'ConfigurationError', scope: 'account' });
  expect(await errorOf(client.tags.create({ name: '' }))).toMatchObject({ scope: 'call' });
  const { error } = await client.tags.create(tag, { signal: AbortSignal.abort() }).safe();
  expect(error).toMatchObject({ name: 'CallAbortedError', scope: 'call' });
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ scope: 'call' });
});
