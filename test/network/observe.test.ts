import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Hooks, Logger, LogLevel } from '../../src/index.ts';
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
      ['onResponse', { ...call, attempt: 3, status: 200, durationMs: expect.any(Number) }],
    ]);
    expect(JSON.stringify(reported)).not.toMatch(/ada|team/);
  });

  test('receive the end of a call once, with the error that the caller receives', async () => {
    const { reported, hooks } = keeper();
    const { server, client } = await connect({ hooks });
    server.next(faults.status(400));
    const error = await errorOf(client.legacy.track(track));
    expect(reported.map(([hook]) => hook)).toEqual(['onRequest', 'onError']);
    expect(reported[1]?.[1]).toMatchObject({ ...call, attempt: 1, error });
  });

  test('receive an abort with its reason', async () => {
    const { reported, hooks } = keeper();
    const { server, client } = await connect({ hooks });
    server.next(faults.neverResponds);
    const controller = new AbortController();
    const failure = failureOf(client.legacy.track(track, { signal: controller.signal }));
    await vi.waitFor(() => expect(server.received).toHaveLength(1));
    controller.abort('enough');
    await failure;
    expect(reported).toMatchObject([
      ['onRequest', call],
      ['onError', { ...call, error: 'enough' }],
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

test('publishes the same events to diagnostics channels', async () => {
  const published: unknown[] = [];
  const channels = ['request', 'response', 'retry', 'error'].map(name => `email-marketing-client:${name}`);
  const keep = (message: unknown, channel: string | symbol) => void published.push([channel, message]);
  for (const channel of channels) subscribe(channel, keep);
  const { server, client } = await connect();
  server.next(faults.status(500), faults.status(400));
  await errorOf(client.legacy.track(track));
  for (const channel of channels) unsubscribe(channel, keep);
  expect(published).toMatchObject([
    ['email-marketing-client:request', { ...call, attempt: 1 }],
    ['email-marketing-client:retry', { ...call, attempt: 1, status: 500 }],
    ['email-marketing-client:request', { ...call, attempt: 2 }],
    ['email-marketing-client:error', { ...call, attempt: 2 }],
  ]);
});

describe('the log', () => {
  async function logged(logLevel: LogLevel): Promise<string[]> {
    const lines: string[] = [];
    const write = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
    const [warn, info, debug] = ['warn', 'info', 'debug'].map(write);
    const { server, client } = await connect({ logger: { warn, info, debug } as Logger, logLevel });
    server.next(faults.status(500));
    await client.legacy.track(track);
    return lines;
  }

  test('has each attempt at `debug`, and each retry at `info`', async () => {
    expect(await logged('debug')).toEqual([
      'debug email-marketing-client: legacy.track request',
      'info email-marketing-client: legacy.track retry',
      'debug email-marketing-client: legacy.track request',
      'debug email-marketing-client: legacy.track response',
    ]);
    expect(await logged('info')).toEqual(['info email-marketing-client: legacy.track retry']);
  });

  test.each(['warn', 'off'] as const)('has none of this at `%s`', async level => {
    expect(await logged(level)).toEqual([]);
  });

  test('has a failed call at `info`', async () => {
    const info = vi.fn();
    const logger = { warn: () => {}, info, debug: () => {} };
    const { server, client } = await connect({ logger, logLevel: 'info', maxRetries: 0 });
    server.next(faults.status(500));
    await errorOf(client.senders.list());
    expect(info.mock.calls.map(([message]) => message)).toEqual([
      'email-marketing-client: senders.list error',
    ]);
  });

  test('refuses the level `error`, at which nothing would be logged', async () => {
    await expect(connect({ logLevel: 'error' as LogLevel })).rejects.toThrow(/one of off, warn, info, debug/);
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
