// An open tab outlives a deployment: a page of today, and a handler that knows more.
import { expect, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';

test.each<[string, number, string, object]>([
  [
    'of a class that it does not know',
    503,
    '{"error":{"name":"QueueFullError","message":"tags.create: the queue is full.","outcome":"not-sent"}}',
    { name: 'EmailMarketingError', message: 'tags.create: the queue is full.', outcome: 'not-sent' },
  ],
  [
    'with members that it does not know, and without its issues',
    502,
    '{"error":{"name":"InvalidResponseError","message":"x","outcome":"done","code":"TEAM","until":9},"meta":1}',
    { name: 'InvalidResponseError', outcome: 'done', issues: [] },
  ],
])('a page reports an error %s with its outcome, after one request', async (_, status, body, expected) => {
  const fetch = vi.fn(async () => new Response(body, { status }));
  const page = createBrowserClient({ url: 'https://app.test/api', fetch });
  const result = await page.tags.create({ name: 'vip' }).safe();
  expect(result).toMatchObject({ ok: false, error: { ...expected, operation: 'tags.create' } });
  expect(fetch).toHaveBeenCalledOnce();
});
