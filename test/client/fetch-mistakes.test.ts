// Mistakes in a `fetch` of the user: what it threw is the cause of the error, without keys.
import { expect, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import type { ClientOptions } from '../../src/index.ts';
import { connect, errorOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

type Fetch = NonNullable<ClientOptions['fetch']>;

const wrap =
  (change: (response: Response) => unknown): Fetch =>
  async (url, init) =>
    (await change(await fetch(url, init as RequestInit))) as Response;

const throwing = (error: unknown): Fetch => vi.fn(() => Promise.reject(error));

test.each<[string, Fetch, message: RegExp]>([
  ['returns nothing', wrap(() => undefined), /undefined/],
  [
    'throws an error of its own while the body is read',
    wrap(({ status, headers }) => ({ status, headers, text: () => Promise.reject(new Error('my bug')) })),
    /^my bug$/,
  ],
  ['throws a key', throwing(new Error('rest-key-1234 is not set')), /^\[redacted\] is not set$/],
])('the error of a `fetch` that %s has its cause', async (_, given, message) => {
  const { client } = await connect({ fetch: given, apiKey: 'rest-key-1234', maxRetries: 0 });
  for (const call of [() => client.senders.list(), () => client.tags.create({ name: 'vip' })])
    expect(await errorOf(call())).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      cause: { message: expect.stringMatching(message) },
    });
});

test('the cause keeps the code of what a `fetch` threw, without keys', async () => {
  const code = 'ERR_OF_A_PROXY rest-key-1234';
  const { client } = await connect({
    fetch: throwing(Object.assign(new Error('no'), { code })),
    apiKey: 'rest-key-1234',
    maxRetries: 0,
  });
  expect(await errorOf(client.senders.list())).toMatchObject({
    cause: { message: 'no', code: 'ERR_OF_A_PROXY [redacted]' },
  });
});

test('the browser client gives what its `fetch` threw as the cause', async () => {
  const cause = new Error('my bug');
  const page = createBrowserClient({ url: 'https://a.test/api', fetch: throwing(cause), maxRetries: 0 });
  expect(await errorOf(page.senders.list())).toMatchObject({ name: 'ConnectionError', cause });
});
