// An open tab outlives a deployment: a page of today, and a handler that knows more.
import { expect, test, vi } from 'vitest';
import { createBrowserClient } from '../../../src/web/browser/index.ts';
import { makePage, readReply } from '../handler/page.ts';

/** Makes a call whose handler responds with this text, and counts the requests. */
async function resultOf(status: number, body: string) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response(body, { status }));
  const page = createBrowserClient({ url: 'https://app.test/api', fetch });
  const result = await page.tags.create({ name: 'vip' }).safe();
  return { result, requests: fetch.mock.calls.length };
}

test('a page reads a result with members and records that it does not know', async () => {
  const body = '{"data":{"id":"tag_1","name":"vip","colour":"red"},"meta":{"region":"eu"},"version":2}';
  const { result } = await resultOf(200, body);
  expect(result).toMatchObject({ ok: true, data: { id: 'tag_1', name: 'vip', colour: 'red' } });
});

test.each<[string, number, string, object]>([
  [
    'of a class that it does not know',
    503,
    '{"error":{"name":"QueueFullError","message":"tags.create: the queue is full.","outcome":"not-sent"}}',
    { name: 'EmailMarketingError', message: 'tags.create: the queue is full.', outcome: 'not-sent' },
  ],
  [
    'of a class that it does not know, with a status of the service',
    402,
    '{"error":{"name":"PaymentError","message":"tags.create: no credit.","outcome":"refused","status":402}}',
    { name: 'ApiError', message: 'tags.create: no credit.', outcome: 'refused', status: 402 },
  ],
  [
    'of a class with the name of a member of every object',
    500,
    '{"error":{"name":"constructor","message":"x","outcome":"done"}}',
    { name: 'EmailMarketingError', outcome: 'done' },
  ],
  [
    'with members that it does not know',
    429,
    '{"error":{"name":"RateLimitError","message":"x","outcome":"refused","status":429,"code":"TEAM","until":9},"meta":1}',
    { name: 'RateLimitError', outcome: 'refused', status: 429 },
  ],
  [
    'of a time limit and in a phase that it does not know',
    504,
    '{"error":{"name":"TimeoutError","message":"x","outcome":"unknown","limit":"idleTimeout","phase":"queue-2"}}',
    { name: 'TimeoutError', outcome: 'unknown' },
  ],
])('a page reports an error %s with its outcome, after one request', async (_, status, body, expected) => {
  const { result, requests } = await resultOf(status, body);
  expect(result).toMatchObject({ ok: false, error: { ...expected, operation: 'tags.create' } });
  expect(requests).toBe(1);
});

/** Requests as this version of the browser client sends them, byte by byte: every later handler must perform them. */
const sent: readonly [operation: string, headers: Record<string, string>, body: string, data: object][] = [
  [
    'tags.create',
    { 'x-call-id': '0123456789abcdef0123456789abcdef' },
    '{"operation":"tags.create","input":{"name":"vip"}}',
    { name: 'vip' },
  ],
  [
    'events.record',
    { 'x-call-id': '00000000000000000000000000000001' },
    '{"operation":"events.record","input":{"name":"seen","identifier":"ada@example.com","time":1700000000}}',
    { status: 'success' },
  ],
  [
    'legacy.identify',
    { 'x-call-id': '00000000000000000000000000000002', 'x-call-retry': '1' },
    '{"operation":"legacy.identify","input":{"email":"ada@example.com","firstName":"Ada"}}',
    { status: 'success' },
  ],
  ['senders.list', { 'x-call-id': '00000000000000000000000000000003' }, '{"operation":"senders.list"}', []],
];

test.each(sent)('a handler performs %s as a page of today asks for it', async (_, headers, body, data) => {
  const allow = ['tags.create', 'events.record', 'legacy.identify', 'senders.list'] as const;
  const { send } = makePage({ allow });
  expect(await readReply(await send(body, { headers }))).toMatchObject({ status: 200, body: { data } });
});
