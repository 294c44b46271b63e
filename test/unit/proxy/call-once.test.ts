import { afterEach, expect, test, vi } from 'vitest';
import { CallOnce } from '../../../src/proxy/call-once.ts';

afterEach(() => {
  vi.useRealTimers();
});

// Cloudflare Workers end the request of a page that was left: its call never ends.
test('waits 25 s for an attempt that does not end, and does not perform the call again', async () => {
  vi.useFakeTimers();
  const once = new CallOnce();
  const attempt = { id: '0123456789abcdef'.repeat(2), operation: 'tags.create', fingerprint: 'vip' };
  const perform = vi.fn(() => new Promise<never>(() => {}));
  void once.reply({ ...attempt, retry: false }, perform);
  await vi.advanceTimersByTimeAsync(0);
  for (const retry of [false, true]) {
    const ended = vi.fn();
    const reply = once.reply({ ...attempt, retry }, perform);
    reply.catch(ended);
    await vi.advanceTimersByTimeAsync(24_900);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(100);
    const message = 'tags.create: an earlier attempt has not ended.';
    const body = expect.stringContaining('"outcome":"unknown"');
    await expect(reply).rejects.toMatchObject({ message, reply: { status: 409, body } });
  }
  expect(perform).toHaveBeenCalledOnce();
});
