// The option `throttle`, with fake timers. Random traffic is tested in `unit/http/rate-limiter`.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  create,
  names,
  numbered,
  refused,
  withImmediateResponses,
  withManualResponses,
} from './manual-responses.ts';
import { failureOf } from './support.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('requestsPerSecond', () => {
  test('spaces the requests evenly, in the order of the calls', async () => {
    const { sent, client } = withImmediateResponses({ throttle: { requestsPerSecond: 10 } });
    const calls = create(client, numbered(21));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sent.length).toBeLessThanOrEqual(11);
    expect(sent.length).toBeGreaterThanOrEqual(10);
    await vi.advanceTimersByTimeAsync(1_100);
    await calls;
    expect(names(sent)).toEqual(numbered(21));
  });

  test('counts a retry like a first attempt', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { sent, client } = withImmediateResponses({ throttle: { requestsPerSecond: 1 } }, [
      refused(429, '0'),
      refused(429, '0'),
    ]);
    const calls = create(client, ['a']);
    await vi.advanceTimersByTimeAsync(5_000);
    await calls;
    const times = sent.map(({ at }) => at);
    expect(times).toHaveLength(3);
    expect(times[1]).toBeGreaterThanOrEqual(1_000);
    expect(times[2]).toBeGreaterThanOrEqual(2_000);
  });

  test('applies to each client by itself', async () => {
    const one = withImmediateResponses({ throttle: { requestsPerSecond: 1 } });
    const other = withImmediateResponses({ throttle: { requestsPerSecond: 1 } });
    await Promise.all([create(one.client, ['a']), create(other.client, ['a'])]);
    expect([one.sent.length, other.sent.length]).toEqual([1, 1]);
  });
});

describe('concurrency', () => {
  test('limits the requests in flight, and sends the next in order when one ends', async () => {
    const { sent, client } = withManualResponses({ throttle: { concurrency: 3 } });
    const calls = create(client, numbered(8));
    await vi.advanceTimersByTimeAsync(0);
    expect(names(sent)).toEqual(numbered(3));
    sent[1]?.respond();
    await vi.advanceTimersByTimeAsync(0);
    expect(names(sent)).toEqual(numbered(4));
    for (let next = 0; next < 8; next += 1) {
      sent[next]?.respond();
      await vi.advanceTimersByTimeAsync(0);
    }
    await calls;
    expect(names(sent)).toEqual(numbered(8));
  });

  test('lets the next call start after one that failed or timed out', async () => {
    const { sent, client } = withManualResponses({
      throttle: { concurrency: 1 },
      maxRetries: 0,
      timeout: 100,
    });
    const calls = create(client, ['fails', 'times out', 'is fine']);
    await vi.advanceTimersByTimeAsync(0);
    sent[0]?.respond(Response.json({ status: 'error', message: 'no' }, { status: 400 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(names(sent)).toEqual(['fails', 'times out']);
    await vi.advanceTimersByTimeAsync(100);
    sent[2]?.respond();
    const statuses = (await calls).map(({ status }) => status);
    expect(statuses).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});

describe('Retry-After', () => {
  const inTwoSeconds = () => new Date(Math.ceil(Date.now() / 1_000 + 2) * 1_000).toUTCString();

  test.each([
    [429, 'seconds', () => '2'],
    [503, 'seconds', () => '2'],
    [503, 'a date', inTwoSeconds],
  ])('under %i, in %s, pauses all calls, not only the refused one', async (status, _, retryAfter) => {
    const { sent, client } = withImmediateResponses({ throttle: { concurrency: 10 } }, [
      refused(status, retryAfter()),
    ]);
    const calls = create(client, ['refused']);
    await vi.advanceTimersByTimeAsync(10);
    const others = create(client, numbered(5));
    await vi.advanceTimersByTimeAsync(1_900);
    expect(names(sent)).toEqual(['refused']);
    await vi.advanceTimersByTimeAsync(3_000);
    await Promise.all([calls, others]);
    // The service may have acted on a create that got a 503.
    expect(sent).toHaveLength(status === 429 ? 7 : 6);
    for (const { at } of sent.slice(1)) expect(at).toBeGreaterThanOrEqual(2_000);
  });

  test('pauses the other calls even if the refused call is not retried', async () => {
    const { sent, client } = withImmediateResponses({ throttle: { concurrency: 10 }, maxRetries: 0 }, [
      refused(429, '2'),
    ]);
    await create(client, ['refused']);
    const others = create(client, ['other']);
    await vi.advanceTimersByTimeAsync(1_900);
    expect(names(sent)).toEqual(['refused']);
    await vi.advanceTimersByTimeAsync(200);
    await others;
    expect(names(sent)).toEqual(['refused', 'other']);
  });

  test('pauses again at each 429, whatever the service accepted in between', async () => {
    const { sent, client } = withImmediateResponses({ throttle: { concurrency: 1 }, maxRetries: 0 }, [
      refused(429, '1'),
      Response.json({ id: 'tag_1' }),
      refused(429, '1'),
    ]);
    const calls = create(client, numbered(4));
    await vi.advanceTimersByTimeAsync(2_100);
    await calls;
    expect(sent.map(({ at }) => Math.round(at / 1_000))).toEqual([0, 1, 1, 2]);
  });
});

describe('`throttle.acquire`', () => {
  test('is called once per attempt, before the request is sent', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const log: string[] = [];
    const acquire = vi.fn(async (_signal: AbortSignal) => void log.push('acquire'));
    const { client } = withImmediateResponses(
      { throttle: { acquire }, hooks: { onRequest: ({ attempt }) => void log.push(`request ${attempt}`) } },
      [refused(429, '0')],
    );
    const calls = create(client, ['a']);
    await vi.advanceTimersByTimeAsync(1_000);
    await calls;
    expect(log).toEqual(['acquire', 'request 1', 'acquire', 'request 2']);
    for (const [signal] of acquire.mock.calls) expect(signal).toBeInstanceOf(AbortSignal);
  });

  test('may wait for as long as it likes, and its signal reports that the call was aborted', async () => {
    let heard: unknown;
    const acquire = (signal: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => {
          heard = signal.reason;
          reject(signal.reason);
        });
      });
    const { sent, client } = withImmediateResponses({ throttle: { acquire } });
    const controller = new AbortController();
    const failure = failureOf(client.tags.create({ name: 'a' }, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort('enough');
    expect(await failure).toBe('enough');
    expect(heard).toBe('enough');
    expect(sent).toEqual([]);
  });
});

test.each<[object, string]>([
  [{ acquire: async () => {}, concurrency: 2, typo: 1 }, 'typo'],
  [{ acquire: async () => {}, requestsPerSecond: 2 }, 'requestsPerSecond'],
  [{ acquire: async () => {}, concurrency: 0 }, 'concurrency'],
  [{ acquire: async () => {}, maxQueue: 0 }, 'maxQueue'],
])('a client with the option throttle %o is refused, and the error names %s', (throttle, name) => {
  expect(() => withImmediateResponses({ throttle })).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining(name) }),
  );
});

test('concurrency and maxQueue apply beside `throttle.acquire`', async () => {
  const { sent, client } = withManualResponses({
    throttle: { acquire: async () => {}, concurrency: 1, maxQueue: 2 },
  });
  const calls = create(client, numbered(3));
  await vi.advanceTimersByTimeAsync(0);
  expect(names(sent)).toEqual(['n0']);
  sent[0]?.respond();
  await vi.advanceTimersByTimeAsync(0);
  sent[1]?.respond();
  expect((await calls).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});
