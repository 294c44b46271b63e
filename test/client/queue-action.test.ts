// What a queue does with a job that failed before or without a response. `status-meaning.test.ts` shows the others.
import { expect, test } from 'vitest';
import { ConfigurationError, EmailMarketingClient, queueAction } from '../../src/index.ts';
import { errorOf } from './support.ts';

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
