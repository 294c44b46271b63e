// What the error of a call says to do next: its outcome after several attempts, its scope, and what a queue does. `status-meaning.test.ts`
// shows each status.
import { expect, test } from 'vitest';
import { type ApiError, ConfigurationError, EmailMarketingClient, queueAction } from '../../src/index.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

const notFound = faults.status(404, {}, faults.errorBody('resource not found'));
const tagId = 'tag_A1b2C3d4E5f6G7h8I9j0K1';

const { status } = faults;
const tooMany = faults.tooManyRequests('0');

test('a delete rejects with "not found" after a 429, because no attempt has acted', async () => {
  const { server, client } = await connect();
  server.next(tooMany, notFound);
  const error = await errorOf(client.tags.delete(tagId));
  expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'refused' });
});

test.each([
  ['JSON', '{"status":404,"message":"not found"}'],
  ['HTML', '<title>404 Not Found</title>'],
])('a delete rejects if a retry gets the 404 of a gateway, as %s', async (_, body) => {
  const { server, client } = await connect();
  server.next(status(502), status(404, {}, body));
  const error = await errorOf(client.tags.delete(tagId));
  expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'unknown' });
});

test('a read has the outcome of its last attempt: none of them has acted', async () => {
  const { server, client } = await connect();
  server.next(status(503), notFound);
  const error = await errorOf(client.postTags.get('post_tag_A1b2C3d4E5f6G7h8I9j0K1'));
  expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'refused', retryable: false });
  expect(error.attempts).toHaveLength(2);
});

test.each<[string, (client: EmailMarketingClient) => PromiseLike<unknown>]>([
  ['read', client => client.senders.list()],
  ['write', client => client.tags.delete(tagId)],
])('a connection that is refused after a 503 does not mean that a %s was not sent', async (_, call) => {
  const { server, client } = await connect({ maxRetries: 1, hooks: { onRetry: () => void server.close() } });
  server.next(status(503, { connection: 'close' }));
  const error = await errorOf(call(client));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', retryable: true });
  expect(error.attempts).toMatchObject([{ status: 503 }, { reason: 'ECONNREFUSED' }]);
});

test('a write has the worst outcome of its attempts, and is done if its response arrived', async () => {
  const { server, client } = await connect();
  server.next(status(503), status(400), status(503), status(200, {}, '[]'));
  for (const outcome of ['unknown', 'done'])
    expect(await errorOf(client.tags.delete(tagId))).toMatchObject({ outcome });
});

test('a call that is retried into a full queue ends with the failure that it was retried for', async () => {
  const abort = new AbortController();
  const { signal } = abort;
  const { server, client } = await connect({
    throttle: { concurrency: 1, maxQueue: 1 },
    hooks: { onRetry: () => void client.senders.list({ signal }).safe() },
  });
  server.next(status(503));
  server.otherwise(faults.neverResponds);
  const failed = errorOf(client.senders.list());
  // The first of these takes the permit, and the one in onRetry the place in the queue.
  client.senders.list({ signal }).safe();
  expect(await failed).toMatchObject({
    name: 'ServerError',
    outcome: 'unknown',
    attempts: [{ status: 503 }],
  });
  abort.abort();
});

test.each([
  ['an error of the service', '{"status":"error","message":"resource not found"}', 'failure in the body'],
  ['an HTML page', '<title>Log in</title>', 'unusable response'],
])('an attempt whose 200 is %s has a reason', async (_, body, reason) => {
  const { server, client } = await connect({ maxRetries: 0 });
  server.next(status(200, {}, body));
  const error = await errorOf(client.senders.list());
  expect(error.attempts).toMatchObject([{ status: 200, reason }]);
});

test('a failed response of more than 64 kB is kept as text, and not parsed', async () => {
  const { server, client } = await connect({ maxRetries: 0 });
  const body = JSON.stringify({ status: 'error', message: 'resource not found', more: 'x'.repeat(64_000) });
  server.next(status(404, {}, body));
  const error = (await errorOf(client.tags.delete(tagId))) as ApiError;
  expect(error.message).toMatch(/^tags\.delete: 404 from [^:]*:\d+: a body of more than 64 kB\./);
  expect(error.body).toBe(body.slice(0, String(error.body).length));
  expect(String(error.body).length).toBeGreaterThan(63_000);
  expect(String(error.body).length).toBeLessThanOrEqual(64_000);
  server.next(status(404, {}, `{"status":"error"}${' '.repeat(64_000)}`));
  expect(await errorOf(client.tags.delete(tagId))).toHaveProperty('body', expect.stringMatching(/ {60000}/));
  server.next(status(404, {}, JSON.stringify({ status: 'error', message: 'resource not found' })));
  expect(await errorOf(client.tags.delete(tagId))).toMatchObject({ body: { status: 'error' } });
});

test('a queue pauses for a missing option, drops an invalid input, and retries what was aborted before it was sent', async () => {
  expect(() => new EmailMarketingClient({ baseUrl: 'https://api.example.com' })).toThrow(
    expect.objectContaining({ scope: 'account' }),
  );
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.com', apiKey: 'key' });
  const { error: withoutTeam } = await client.legacy.track({ email: 'a@x.test', addTags: ['vip'] }).safe();
  expect([withoutTeam?.scope, queueAction(withoutTeam)]).toEqual(['account', 'pause']);
  const { error: invalid } = await client.tags.create({ name: '' }).safe();
  expect([invalid?.scope, queueAction(invalid)]).toEqual(['call', 'drop']);
  const { error } = await client.tags.create({ name: 'vip' }, { signal: AbortSignal.abort() }).safe();
  expect([error?.scope, queueAction(error)]).toEqual(['call', 'retry']);
  expect(queueAction(new ConfigurationError('no key'))).toBe('pause');
  expect(queueAction(new TypeError('a mistake'))).toBe('review');
});
