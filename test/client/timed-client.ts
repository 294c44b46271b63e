// A client for tests with fake timers.
import { expect, vi } from 'vitest';
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';

/** Stops the clock, and makes full jitter draw half of the longest wait. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
}

/** Lets the clock run again. A mock of a timer gives back what it replaced, so mocks come first. */
export function restoreClock(): void {
  vi.restoreAllMocks();
  vi.useRealTimers();
}

/** A response or, if `lost`, an error, after `afterMs` milliseconds. */
export interface Reply {
  readonly afterMs?: number;
  readonly status?: number;
  readonly retryAfter?: string | undefined;
  readonly body?: unknown;
  readonly lost?: boolean;
}

/** Creates a client whose requests get these replies. The last reply repeats. */
export function clientOfReplies(replies: readonly Reply[], options: ClientOptions = {}) {
  const sentAt: number[] = [];
  const started = performance.now();
  const fetch = async () => {
    sentAt.push(performance.now() - started);
    const reply = replies[Math.min(sentAt.length, replies.length) - 1] ?? {};
    const { afterMs = 0, status = 200, retryAfter, body = [], lost } = reply;
    await new Promise(resolve => setTimeout(resolve, afterMs));
    if (lost) throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
    // The stream of a `Response` would be read in real time.
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    return { status, headers, text: async () => JSON.stringify(body) };
  };
  const baseUrl = 'https://api.example.com';
  const client = new EmailMarketingClient({ baseUrl, apiKey: 'key', logLevel: 'off', fetch, ...options });
  return { client, sentAt };
}

/** Lets time pass until a call ends, and returns its result. */
export async function ended<T>(call: Promise<T>): Promise<T> {
  let done = false;
  call.then(
    () => (done = true),
    () => (done = true),
  );
  while (!done) await vi.advanceTimersByTimeAsync(1);
  return call;
}

/** Lets time pass until a call fails, and returns its error. */
export const failure = async (call: { safe(): Promise<{ readonly ok: boolean }> }) => {
  const result = (await ended(call.safe())) as { ok: boolean; error?: Error };
  expect(result.ok).toBe(false);
  return result.error;
};
