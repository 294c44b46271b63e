// The options `hooks`, `logger` and `logLevel`. `calls.test.ts` tests each field of an event, with fake timers.
import pino from 'pino';
import { describe, expect, test, vi } from 'vitest';
import type { Hooks, LogLevel } from '../../src/index.ts';
import { healthy } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf, failureOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

type Reported = readonly [hook: string, event: object];

/** Creates hooks that record what they receive, in order. */
function keeper(): { reported: Reported[]; hooks: Required<Hooks> } {
  const reported: Reported[] = [];
  const keep = (hook: string) => (event: object) => void reported.push([hook, event]);
  const names = ['onRequest', 'onRetry', 'onSuccess', 'onError', 'onCancel'] as const;
  const hooks = Object.fromEntries(names.map(name => [name, keep(name)])) as unknown as Required<Hooks>;
  return { reported, hooks };
}

const track = { email: 'ada@example.com', addTags: ['a'] };

describe('hooks', () => {
  test('receive the error of a call whose input is not valid', async () => {
    const { reported, hooks } = keeper();
    const { client } = await connect({ hooks });
    const errors = [
      await errorOf(client.tags.delete('list_A1b2C3d4E5f6G7h8I9j0K1' as never)),
      await errorOf(client.senders.list({ timeout: -1 })),
    ];
    const end = { attempt: 0, outcome: 'not-sent', attempts: [] };
    const path = '/api/v1/rest/tag/{identifier}';
    expect(reported).toMatchObject([
      ['onError', { ...end, operation: 'tags.delete', path, template: path, error: errors[0] }],
      ['onError', { ...end, operation: 'senders.list', error: errors[1] }],
    ]);
  });

  test('can tell concurrent calls apart by `callId`, including calls of `withOptions`', async () => {
    const { reported, hooks } = keeper();
    const { client } = await connect({ hooks });
    const other = client.withOptions({ timeout: 5_000 });
    await Promise.all([client.senders.list(), client.senders.list(), other.senders.list()]);
    const ids = reported.map(([, event]) => (event as { callId: string }).callId);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(3);
  });

  test('of an array are all called, in order, as methods of their objects, even if one throws or rejects', async () => {
    const owners: unknown[] = [];
    const own = {
      onError(this: unknown) {
        owners.push(this);
      },
    };
    const [first, second] = [keeper(), keeper()];
    const throws = () => {
      throw new Error('a hook failed');
    };
    const rejects = (() => Promise.reject(new Error('a hook failed'))) as () => void;
    const failing = [
      { onRequest: throws, onSuccess: rejects, onRetry: throws, onError: rejects },
      { onError: throws },
    ];
    const { server, client } = await connect({ hooks: [first.hooks, ...failing, own, second.hooks] });
    server.next(faults.status(500), healthy, faults.status(400));
    expect(await client.senders.list()).toHaveLength(1);
    const error = await errorOf(client.senders.list());
    const names = first.reported.map(([hook]) => hook);
    expect(names).toEqual(['onRequest', 'onRetry', 'onRequest', 'onSuccess', 'onRequest', 'onError']);
    const { attempts } = error;
    const call = { operation: 'senders.list', method: 'GET', path: '/api/v1/rest/sender', attempt: 1 };
    const end = { ...call, status: 400, outcome: 'refused', error, attempts };
    expect(first.reported.at(-1)).toMatchObject(['onError', end]);
    expect(second.reported).toEqual(first.reported);
    expect(owners).toEqual([own]);
    expect(owners[0]).toBe(own);
  });
});

describe('the log', () => {
  /** Returns the lines of a retried call whose response differs, with their levels. The methods of pino need their `this`. */
  async function logged(logLevel: LogLevel): Promise<string[]> {
    const lines: string[] = [];
    const write = (line: string) => {
      const { level, msg } = JSON.parse(line);
      lines.push(`${pino.levels.labels[level]} ${msg.replace(/\d+ ms/g, 'n ms')}`);
    };
    const { server, client } = await connect({ logger: pino({ level: 'debug' }, { write }), logLevel });
    server.next(faults.status(500), ({ response }) => response.end('{"status":"ok","message":7}'));
    await client.legacy.track(track);
    return lines;
  }

  const retry = 'info email-marketing-client: legacy.track: 500 in n ms, attempt 1, retried in n ms';
  const drift =
    'warn email-marketing-client: legacy.track: message differs from the documentation (expected a string, got number)';

  test('has a line for each attempt at `debug`, each retry at `info` and each difference at `warn`', async () => {
    expect(await logged('debug')).toEqual([
      'debug email-marketing-client: legacy.track: POST, attempt 1',
      retry,
      'debug email-marketing-client: legacy.track: POST, attempt 2',
      drift,
      'debug email-marketing-client: legacy.track: 200 in n ms, attempt 2',
    ]);
    expect(await logged('info')).toEqual([retry, drift]);
    expect(await logged('warn')).toEqual([drift]);
    for (const level of ['error', 'off'] as const) expect(await logged(level)).toEqual([]);
  });

  test('says at `info` why a call failed', async () => {
    const info = vi.fn();
    const logger = { warn: () => {}, info, debug: () => {} };
    const { server, client } = await connect({ logger, logLevel: 'info', maxRetries: 2 });
    server.next(faults.status(404));
    await errorOf(client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1'));
    await failureOf(client.senders.list({ signal: AbortSignal.abort() }));
    server.next(faults.resetBeforeResponse);
    await errorOf(client.tags.create({ name: 'vip' }));
    expect(info.mock.calls.map(([message]) => message.replace(/\d+ ms/, '5 ms'))).toEqual([
      'email-marketing-client: tags.delete: 404 in 5 ms, attempt 1, NotFoundError',
      'email-marketing-client: senders.list: AbortError',
      'email-marketing-client: tags.create: ECONNRESET in 5 ms, attempt 1, ConnectionError',
    ]);
  });

  test('takes its level from the environment', async () => {
    vi.stubEnv('EMAIL_MARKETING_LOG', 'debug');
    const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
    const { client } = await connect({ logLevel: undefined });
    await client.senders.list();
    expect(debug).toHaveBeenCalledTimes(2);
    vi.unstubAllEnvs();
    debug.mockRestore();
  });
});
