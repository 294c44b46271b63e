// Reads that show a write late.
import { expect, test } from 'vitest';
import { createSandbox, type FaultTarget, type Sandbox } from '../../src/testing/index.ts';
import { fieldsOf, legacy, rest } from './http.ts';

const clock = () => new Date('2025-06-01T12:00:00Z');
const emails = async (sandbox: Sandbox) => fieldsOf(await rest(sandbox, 'GET /contact?limit=100'), 'email');
const identify = (sandbox: Sandbox, body: object) => legacy(sandbox, 'POST /contact/identify', body);

test('a contact shows after so many milliseconds of the clock, in the listing that lags', async () => {
  const sandbox = createSandbox({ now: clock, seed: { contacts: 1 } });
  const lag = sandbox.lag('contacts.list', 5000);
  await identify(sandbox, { email: 'ada@x.test' });
  expect(await emails(sandbox)).toEqual(['person1@example.com']);
  sandbox.advance(4999);
  expect(await emails(sandbox)).toEqual(['person1@example.com']);
  sandbox.advance(1);
  expect(await emails(sandbox)).toEqual(['person1@example.com', 'ada@x.test']);
  expect(lag.hits).toBe(3);
  const faults = sandbox.requests.to('contacts.list').map(({ fault }) => fault);
  expect(faults).toEqual(['lag', 'lag', 'lag']);
});

test('records that were deleted still show, in their places', async () => {
  const sandbox = createSandbox({ now: clock, seed: { postTags: 4, lists: 2 } });
  sandbox.lag('*', 50);
  const names = async (path: string) => fieldsOf(await rest(sandbox, path), 'name');
  const [list] = sandbox.state.lists.all;
  await rest(sandbox, `DELETE /list/${list?.id}`);
  const [, second, third] = sandbox.state.postTags.all;
  for (const tag of [third, second]) sandbox.state.postTags.delete(tag?.id ?? '');
  sandbox.state.postTags.add({ name: 'new' });
  expect(await names('GET /post/tag')).toEqual(['Post tag 1', 'Post tag 2', 'Post tag 3', 'Post tag 4']);
  expect((await rest(sandbox, `GET /post/tag/${second?.id}`)).status).toBe(200);
  expect(await names('GET /list')).toEqual(['List 1', 'List 2']);
  sandbox.state.postTags.clear();
  expect(await names('GET /post/tag')).toEqual(['Post tag 1', 'Post tag 2', 'Post tag 3', 'Post tag 4']);
  sandbox.advance(50);
  expect([await names('GET /post/tag'), await names('GET /list')]).toEqual([[], ['List 2']]);
});

test('a contact keeps a deleted tag as long, and of two lags the longer one counts', async () => {
  const sandbox = createSandbox({ now: clock, seed: { contacts: [{ email: 'a@x.test', tags: ['vip'] }] } });
  const tags = async () => fieldsOf(await rest(sandbox, 'GET /contact'), 'tags');
  const before = await tags();
  for (const ms of [100, 50]) sandbox.lag('contacts.list', ms);
  await rest(sandbox, `DELETE /tag/${sandbox.state.tags.all[0]?.id}`);
  sandbox.advance(99);
  expect(await tags()).toEqual(before);
  sandbox.advance(1);
  expect(await tags()).toEqual([[]]);
});

test('writes show one after the other, and only those since the lag began are late', async () => {
  const sandbox = createSandbox({ now: clock });
  const write = async (number: number) => {
    await identify(sandbox, { email: `${number}@x.test` });
    sandbox.advance(10);
  };
  await write(1);
  sandbox.lag('contacts.list', 20);
  for (const number of [2, 3, 4]) await write(number);
  expect(await emails(sandbox)).toEqual(['1@x.test', '2@x.test', '3@x.test']);
  sandbox.clearFaults();
  expect(await emails(sandbox)).toHaveLength(4);
  await write(5);
  sandbox.lag('contacts.list', { ms: 1000, times: 1 });
  await write(6);
  expect(await emails(sandbox)).toHaveLength(5);
  expect(await emails(sandbox)).toHaveLength(6);
});

test('a handler of `on` gets the state as it was, and writes of `*` are not changed', async () => {
  const sandbox = createSandbox({ now: clock });
  sandbox.on('GET /count', ({ state }) => ({ body: state.tags.size }));
  sandbox.lag('*', 10);
  expect((await rest(sandbox, 'POST /tag', { name: 'vip' })).status).toBe(200);
  expect((await rest(sandbox, 'POST /tag', { name: 'vip' })).status).toBe(409);
  expect((await rest(sandbox, 'GET /count')).body).toBe(0);
  sandbox.advance(10);
  expect((await rest(sandbox, 'GET /count')).body).toBe(1);
});

test('a reset and a restore show at once', async () => {
  const sandbox = createSandbox({ now: clock, seed: { contacts: 1 } });
  sandbox.lag('contacts.list', 50);
  await identify(sandbox, { email: 'ada@x.test' });
  const snapshot = sandbox.snapshot();
  await identify(sandbox, { email: 'bob@x.test' });
  sandbox.restore(snapshot);
  expect(await emails(sandbox)).toEqual(['person1@example.com', 'ada@x.test']);
  sandbox.reset();
  sandbox.lag('contacts.list', 50);
  expect(await emails(sandbox)).toEqual(['person1@example.com']);
});

test.each(['tags.create', 'POST /tag'] as FaultTarget[])('%s, which is not a read, cannot lag', target => {
  const sandbox = createSandbox();
  expect(() => sandbox.lag(target, 5)).toThrow(`lag: ${target} is not a read, such as contacts.list`);
  sandbox.on('GET /own', () => ({}));
  for (const read of ['GET /own', 'GET /contact', 'postTags.get'] as const) sandbox.lag(read, 5);
  expect(sandbox.faults()).toHaveLength(3);
});
