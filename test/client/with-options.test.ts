// `withOptions`: what the new client shares with the first one, and what it changes.
import { describe, expect, test, vi } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import { makeClient, respond, restUrl, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

const listSenders = 'GET /api/v1/rest/sender';

describe('withOptions', () => {
  test('shares keys, base URLs and the team id, and does not change the first client', async () => {
    const client = makeClient();
    const other = client.withOptions({ headers: { 'x-team': 'b' } });
    const rest = respond(listSenders, { body: [] });
    const legacy = respond('POST /api/v1/contact/identify', { body: { status: '200' } });
    await other.senders.list();
    await other.legacy.identify({ email: 'a@x.test' });
    await client.senders.list();
    expect(rest[0]?.headers.get('x-team-apikey')).toBe('rest-key');
    expect([legacy[0]?.headers.get('api_key'), legacy[0]?.query]).toEqual(['legacy-key', '?team_id=team-7']);
    expect(rest.map(({ headers }) => headers.get('x-team'))).toEqual(['b', null]);
  });

  test('merges headers with those before, and ignores undefined ones', async () => {
    const seen = respond(listSenders, { body: [] });
    const client = makeClient({ headers: { 'x-a': '1', 'x-b': '1' } });
    const other = client.withOptions({ headers: { 'x-b': '2' } });
    await other.withOptions({ headers: { 'x-a': undefined, 'x-c': '3' } }).senders.list();
    expect(['x-a', 'x-b', 'x-c'].map(name => seen[0]?.headers.get(name))).toEqual(['1', '2', '3']);
  });

  test('starts from the options as they were when the client was created, and ignores undefined ones', async () => {
    const seen = respond(listSenders, { status: 429, body: {}, headers: { 'retry-after': '0' } });
    const options = { baseUrl: restUrl, apiKey: 'k', maxRetries: 1 };
    const client = new EmailMarketingClient(options);
    options.maxRetries = 0;
    await failureOf(
      client.withOptions({ timeout: 5_000 }).withOptions({ maxRetries: undefined }).senders.list(),
    );
    expect(seen).toHaveLength(2);
  });

  test('changes validation, the hooks and the logger', async () => {
    respond(listSenders, { body: [{ id: 'sender_1' }] });
    const first = { onRequest: vi.fn() };
    const second = { onRequest: vi.fn() };
    const logger = { error: vi.fn(), warn: vi.fn(), info: vi.fn(), debug: vi.fn() };
    const client = makeClient({ hooks: first });
    const other = client.withOptions({ validation: 'strict', hooks: second, logger, logLevel: 'debug' });
    expect(await client.senders.list()).toHaveLength(1);
    expect(await failureOf(other.senders.list())).toMatchObject({ name: 'InvalidResponseError' });
    expect([first, second].map(({ onRequest }) => onRequest.mock.calls.length)).toEqual([1, 1]);
    expect(logger.debug).toHaveBeenCalled();
  });
});
