// Pauses as a test of a user meets them: with fake timers, over HTTP.
import { afterEach, expect, test, vi } from 'vitest';
import * as faults from '../support/faults.ts';
import { connect } from './support.ts';

afterEach(() => void vi.useRealTimers());

test('no waiting call starts after a 429 with Retry-After, before its pause ends', async () => {
  const { server, client } = await connect({ throttle: { concurrency: 1 }, maxRetries: 0 });
  vi.useFakeTimers();
  server.next(faults.tooManyRequests('30'));
  const calls = Array.from({ length: 5 }, () => client.senders.list().safe());
  expect(await calls[0]).toMatchObject({ ok: false, error: { name: 'RateLimitError' } });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(server.received).toHaveLength(1);
  // What waited starts spread over a second.
  await vi.advanceTimersByTimeAsync(2_500);
  vi.useRealTimers();
  await vi.waitFor(() => expect(server.received.length).toBeGreaterThan(1));
});

test('a pause of the fake clock ends with it: the next call of a shared client starts at once', async () => {
  const { server, client } = await connect({ throttle: { concurrency: 2 }, maxRetries: 0, timeout: 5_000 });
  vi.useFakeTimers();
  server.next(faults.tooManyRequests('30'));
  expect(await client.senders.list().safe()).toMatchObject({ ok: false });
  vi.useRealTimers();
  expect(await client.senders.list({ totalTimeout: 5_000 }).safe()).toMatchObject({ ok: true });
});

test('a wait before a retry follows the fake clock', async () => {
  const onRetry = vi.fn();
  const { server, client } = await connect({ hooks: { onRetry } });
  vi.useFakeTimers();
  server.next(faults.tooManyRequests('30'));
  const call = client.senders.list().safe();
  await vi.waitFor(() => expect(onRetry).toHaveBeenCalledOnce());
  const { waitMs } = onRetry.mock.calls[0]?.[0] ?? {};
  expect(waitMs).toBeGreaterThanOrEqual(30_000);
  // No more than the wait: the response comes in real time, and must not meet a time limit of the fake clock.
  await vi.advanceTimersByTimeAsync(waitMs + 1);
  vi.useRealTimers();
  expect(await call).toMatchObject({ ok: true });
  expect(server.received).toHaveLength(2);
});
