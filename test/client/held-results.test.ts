// A kept result uses no more memory than what can be read from it.
import { expect, test } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import { memoryInUse } from '../support/memory.ts';
import { connect } from './support.ts';

const megabyte = 1_000_000;

test.each<[string, ClientOptions]>([
  ["Node's dispatcher", {}],
  ['a given fetch', { fetch: (url, init) => fetch(url, init) }],
])('calls and results that are kept hold no body, by %s', async (_, options) => {
  const { client, server } = await connect(options);
  const body = `{"status":"success",${' '.repeat(megabyte)}"message":"OK"}`;
  server.otherwise(({ response }) => void response.end(body));
  const call = () => client.events.record({ name: 'Fired', identifier: 'ada@example.com' });
  await call();
  const held: unknown[] = [];
  const before = memoryInUse();
  for (let count = 0; count < 20; count++) {
    const promise = call();
    held.push(promise, await promise.withResponse(), await promise.safe());
  }
  expect(memoryInUse() - before).toBeLessThan(5 * megabyte);
  expect(held).toHaveLength(60);
});
