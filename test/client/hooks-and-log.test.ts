import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EmailMarketingError, Hooks, Logger, LogLevel, ResponseEvent } from '../../src/index.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf, failureOf } from './support.ts';

beforeEach(() => vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

type Reported = readonly [hook: string, event: object];

/** Hooks that keep what is reported, in order. */
function keeper(): { reported: Reported[]; hooks: Required<Hooks> } {
  const reported: Reported[] = [];
  const keep = (hook: string) => (event: object) => void reported.push([hook, event]);
  const [onRequest, onResponse] = [keep('onRequest'), keep('onResponse')];
  return { reported, hooks: { onRequest, onResponse, onRetry: keep('onRetry'), onError: keep('onError') } };
}

const track = { email: 'ada@example.com', addTags: ['a'] };
const call = { operation: 'legacy.track', method: 'POST', path: '/api/v1/contact/track' };

describe('hooks', () => {
  test('receive each attempt of a call, without its query', async () => {
    const { reported, hooks } = keeper();
    const { server, client } = await connect({ hooks });
    server.next(faults.status(500), faults.resetBeforeResponse);
    await client.legacy.track(track);
    expect(reported).toMatchObject([
      ['onRequest', { ...call, attempt: 1 }],
      ['onRetry', { ...call, attempt: 1, status: 500, waitMs: 0 }],
      ['onRequest', { ...call, attempt: 2 }],
      ['onRetry', { ...call, attempt: 2, reason: 'ECONNRESET', waitMs: 0 }],
      ['onRequest', { ...call, attempt: 3 }],
      ['onResponse', { ...call, attempt: 3, status: 200, outcome: 'done', attempts: [{}, {}, {}] }],
    ]);
    expect(JSON.stringify(reported)).not.toMatch(/ada|team/);
  });

  test('receive the end of a call once, with the error that the caller receives', async () => {
    const { reported, hooks } = keeper();
    const { server, client } = await connect({ hooks });
    server.next(faults.status(400));
    const error = await errorOf(client.legacy.track(track));
    expect(reported.map(([hook]) => hook)).toEqual(['onRequest', 'onError']);
    const [, ended] = reported[1] ?? [];
    expect(ended).toMatchObject({ ...call, attempt: 1, status: 400, outcome: 'refused', error });
    expect(ended).toHaveProperty('attempts', (error as EmailMarketingError).attempts);
  });

  test('receive the time of the whole call at its end, waits and failed attempts included', async () => {
    const { reported, hooks } = keeper();
    vi.spyOn(Math, 'random').mockReturnValue(0.2);
    const { server, client } = await connect({ hooks, timeout: 50 });
    server.next(faults.status(500));
    await client.senders.list();
    server.otherwise(faults.neverResponds);
    await errorOf(client.tags.create({ name: 'vip' }));
    const ends = reported.filter(([hook]) => hook === 'onResponse' || hook === 'onError');
    const [success, failed] = ends.map(([, event]) => event as ResponseEvent);
    // A fifth of the first backoff of 500 ms.
    expect(success?.durationMs).toBeGreaterThanOrEqual(99);
    expect(failed?.durationMs).toBeGreaterThanOrEqual(49);
    expect(failed).toMatchObject({
      outcome: 'unknown',
      status: undefined,
      attempts: [{ reason: expect.any(String) }],
    });
  });

  test('receive an input that is refused, of which nothing was sent', async () => {
    const { reported, hooks } = keeper();
    const { client } = await connect({ hooks });
    const refused = [
      await errorOf(client.tags.delete('list_A1b2C3d4E5f6G7h8I9j0K1' as never)),
      await errorOf(client.senders.list({ timeout: -1 })),
    ];
    const end = { attempt: 0, outcome: 'not-sent', attempts: [] };
    const path = '/api/v1/rest/tag/{identifier}';
    expect(reported).toMatchObject([
      ['onError', { ...end, operation: 'tags.delete', path, template: path, error: refused[0] }],
      ['onError', { ...end, operation: 'senders.list', error: refused[1] }],
    ]);
  });

  test('receive success when the retry of a delete gets "not found"', async () => {
    const { reported, hooks } = keeper();
    const { server, client } = await connect({ hooks });
    server.next(faults.status(500), faults.status(404));
    await client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1');
    expect(reported.map(([hook]) => hook)).toEqual(['onRequest', 'onRetry', 'onRequest', 'onResponse']);
  });

  test('can distinguish concurrent calls', async () => {
    const { reported, hooks } = keeper();
    const { client } = await connect({ hooks });
    await Promise.all([client.senders.list(), client.senders.list(), client.senders.list()]);
    const ids = reported.map(([, event]) => (event as { callId: number }).callId);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(3);
  });

  test('may throw or reject without any effect', async () => {
    const fails = () => {
      throw new Error('a hook failed');
    };
    const rejects = (() => Promise.reject(new Error('a hook failed'))) as () => void;
    const { server, client } = await connect({
      hooks: { onRequest: fails, onResponse: rejects, onRetry: fails, onError: rejects },
    });
    server.next(faults.status(500));
    expect(await client.senders.list()).toHaveLength(1);
    server.next(faults.status(400));
    expect(await errorOf(client.senders.list())).toMatchObject({ name: 'BadRequestError' });
  });
});

describe('the log', () => {
  async function logged(logLevel: LogLevel): Promise<string[]> {
    const lines: string[] = [];
    const write = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
    const [warn, info, debug] = ['warn', 'info', 'debug'].map(write);
    const { server, client } = await connect({ logger: { warn, info, debug } as Logger, logLevel });
    server.next(faults.status(500));
    await client.legacy.track(track);
    return lines.map(line => line.replace(/\d+ ms/g, 'n ms'));
  }

  test('has each attempt at `debug`, and each retry at `info`', async () => {
    expect(await logged('debug')).toEqual([
      'debug email-marketing-client: legacy.track: POST, attempt 1 of 3',
      'info email-marketing-client: legacy.track: 500 in n ms, attempt 1 of 3, retried in n ms',
      'debug email-marketing-client: legacy.track: POST, attempt 2 of 3',
      'debug email-marketing-client: legacy.track: 200 in n ms, attempt 2 of 3',
    ]);
    expect(await logged('info')).toEqual([
      'info email-marketing-client: legacy.track: 500 in n ms, attempt 1 of 3, retried in n ms',
    ]);
  });

  test.each(['warn', 'off'] as const)('has none of this at `%s`', async level => {
    expect(await logged(level)).toEqual([]);
  });

  test('has a failed call at `info`, and says what happened in its message', async () => {
    const info = vi.fn();
    const logger = { warn: () => {}, info, debug: () => {} };
    const { server, client } = await connect({ logger, logLevel: 'info', maxRetries: 2 });
    server.next(faults.status(404));
    await errorOf(client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1'));
    await failureOf(client.senders.list({ signal: AbortSignal.abort() }));
    server.next(faults.resetBeforeResponse);
    await errorOf(client.tags.create({ name: 'vip' }));
    expect(info.mock.calls.map(([message]) => message.replace(/\d+ ms/, '5 ms'))).toEqual([
      'email-marketing-client: tags.delete: 404 in 5 ms, attempt 1 of 3, NotFoundError',
      'email-marketing-client: senders.list: AbortError',
      'email-marketing-client: tags.create: ECONNRESET in 5 ms, attempt 1 of 3, ConnectionError',
    ]);
  });

  test('has drift at `warn`, and says in its message what differs', async () => {
    const warn = vi.fn();
    const logger = { warn, info: () => {}, debug: () => {} };
    const { server, client } = await connect({ logger, logLevel: 'warn' });
    server.next(({ response }) => response.end('[{"id":"sender_1","name":7,"email":"a@x.test"}]'));
    await client.senders.list();
    expect(warn.mock.calls).toEqual([
      [
        'email-marketing-client: senders.list: [].name differs from what is documented (expected a string, got number)',
        expect.objectContaining({ path: '[].name', received: 'number' }),
      ],
    ]);
  });

  test('takes its level from the environment', async () => {
    vi.stubEnv('EMAIL_MARKETING_LOG', 'debug');
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
    const { client } = await connect({ logLevel: undefined });
    await client.senders.list();
    expect(debug).toHaveBeenCalledTimes(2);
    vi.unstubAllEnvs();
  });
});

describe('a logger of a package, which shows or drops the fields', () => {
  test('pino writes operation, status, duration and attempt', async () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    const { server, client } = await connect({ logger: pino({ level: 'debug' }, stream), logLevel: 'debug' });
    server.next(faults.status(500), faults.status(404));
    await client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1');
    await vi.waitFor(() => expect(lines).toHaveLength(4));
    const messages = lines.map(line => JSON.parse(line).msg as string);
    expect(messages.map(message => message.replace(/\d+ ms/g, '5 ms'))).toEqual([
      'email-marketing-client: tags.delete: DELETE, attempt 1 of 3',
      'email-marketing-client: tags.delete: 500 in 5 ms, attempt 1 of 3, retried in 5 ms',
      'email-marketing-client: tags.delete: DELETE, attempt 2 of 3',
      'email-marketing-client: tags.delete: 404 in 5 ms, attempt 2 of 3',
    ]);
  });
});
