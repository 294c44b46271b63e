// What a queue does with a job that failed: `queueAction`.
import { expect, test } from 'vitest';
import { ConfigurationError, EmailMarketingClient, queueAction } from '../../src/index.ts';
import { clientOfServer, errorOf } from './support.ts';

const own = (message: string, status: unknown = 'error') => JSON.stringify({ status, message });
const html = '<!doctype html><title>Sign in</title>';

/** What happens to a call that is idempotent, and to one that is not. */
const responses: readonly (readonly [status: number, body: string, idempotent: string, other: string])[] = [
  [401, own('invalid API key'), 'pause', 'pause'],
  [403, html, 'pause', 'review'],
  [200, html, 'pause', 'review'],
  [302, '', 'pause', 'review'],
  [404, html, 'pause', 'review'],
  [400, html, 'pause', 'pause'],
  [413, html, 'drop', 'drop'],
  [422, '{"errors":["email"]}', 'drop', 'drop'],
  [200, '{"success":false}', 'retry', 'review'],
  [429, html, 'retry', 'retry'],
  [503, html, 'retry', 'review'],
  [500, own('internal server error occurred'), 'retry', 'review'],
  [400, own('request body not in proper format'), 'drop', 'drop'],
  [404, own('resource not found'), 'drop', 'drop'],
  [409, own('resource with this name already exists'), 'drop', 'drop'],
  [422, own('invalid email'), 'drop', 'drop'],
  [200, own('invalid email'), 'drop', 'drop'],
];

test.each(responses)(
  'after HTTP %i with the body %s is %s, or %s if it must not act twice',
  async (status, body, idempotent, other) => {
    const headers = { location: 'https://login.example' };
    const fetch = async () => new Response(body || null, { status, headers });
    const client = clientOfServer('https://api.example.com', { fetch, maxRetries: 0, teamId: 'team' });
    const identify = client.legacy.identify({ email: 'ada@example.com' });
    const record = client.events.record({ name: 'seen', identifier: 'ada@example.com' });
    expect(queueAction(await errorOf(identify))).toBe(idempotent);
    expect(queueAction(await errorOf(record))).toBe(other);
  },
);

test('drops an invalid input, pauses for an option that is missing, and leaves what it does not know to a person', async () => {
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'key' });
  expect(queueAction(await errorOf(client.tags.create({ name: '' })))).toBe('drop');
  expect(queueAction(await errorOf(client.legacy.track({ email: 'a@x.test', addTags: ['vip'] })))).toBe(
    'pause',
  );
  expect(queueAction(new ConfigurationError('no key'))).toBe('pause');
  expect(queueAction(new TypeError('a mistake'))).toBe('review');
});

test('retries a job that was aborted before it was sent', async () => {
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'key' });
  const { error } = await client.tags.create({ name: 'vip' }, { signal: AbortSignal.abort() }).safe();
  expect(queueAction(error)).toBe('retry');
});
