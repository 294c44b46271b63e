import { afterEach, expect, test, vi } from 'vitest';
import { NotFoundError } from '../../src/index.ts';
import type { DedupeStore, ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { makePage, readReply } from './page.ts';

const create = { operation: 'tags.create', input: { name: 'vip' } };
const allow = ['tags.create'] as const;
const id = { 'x-call-id': '0123456789abcdef'.repeat(2) };
const failure = new Error('PRIVATE: the database at 10.0.0.7 is down');
const fail = () => {
  throw failure;
};
const never = () => new Promise<never>(() => {});

afterEach(() => vi.restoreAllMocks());

/** Sends one call to a handler with these options; the response, the requests to the service and what was reported. */
async function attempt(options: Partial<ProxyOptions>) {
  const onError = vi.fn();
  const { send, sandbox } = makePage({ allow, onError, ...options });
  const { status, body } = await readReply(await send(create, { headers: id }));
  return { status, error: body.error, requests: sandbox.requests.length, onError };
}

const unused = { get: () => undefined, set: () => true };

test.each<[string, Partial<ProxyOptions>, string, number]>([
  ['authorize throws', { authorize: fail }, 'not-sent', 0],
  ['authorize rejects', { authorize: async () => fail() }, 'not-sent', 0],
  [
    'authorize returns a visitor that is no text',
    { authorize: () => ({ input: create.input, visitor: 5 as never }) },
    'not-sent',
    0,
  ],
  ['output throws', { output: { 'tags.create': fail } }, 'done', 1],
  ['output rejects', { output: { 'tags.create': async () => fail() } }, 'done', 1],
  ['output returns what JSON cannot hold', { output: { 'tags.create': () => 5n } }, 'done', 1],
  ['the store cannot be read', { dedupe: { store: { ...unused, get: fail } } }, 'not-sent', 0],
  [
    'the store returns another text',
    { dedupe: { store: { ...unused, get: () => 'PRIVATE' } } },
    'not-sent',
    0,
  ],
  ['the store cannot be written', { dedupe: { store: { ...unused, set: fail } } }, 'not-sent', 0],
  [
    'the store cannot be written afterwards',
    { dedupe: { store: { ...unused, set: (_id, _value, { ifAbsent }) => ifAbsent || fail() } } },
    'done',
    1,
  ],
])('responds 500 without details where %s, and reports it once', async (_, options, outcome, requests) => {
  const result = await attempt(options);
  expect(result).toMatchObject({ status: 500, requests });
  expect(result.error).toMatchObject({ name: 'ServerError', message: 'The server failed.', outcome });
  expect(result.onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error), 'tags.create');
});

test('reports an unknown outcome where the call failed and the store cannot be written afterwards', async () => {
  const sandbox = createSandbox();
  sandbox.fail('*', { status: 500 });
  const set: DedupeStore['set'] = (_id, _value, { ifAbsent }) => ifAbsent || fail();
  const { send } = makePage({ allow, dedupe: { store: { ...unused, set } }, onError: () => {} }, sandbox);
  const { status, body } = await readReply(await send(create, { headers: id }));
  expect(status).toBe(500);
  expect(body.error).toMatchObject({ message: 'The server failed.', outcome: 'unknown' });
});

test('reports to onError what a function threw, as it is', async () => {
  const { onError } = await attempt({ authorize: fail });
  expect(onError.mock.calls[0]?.[0]).toBe(failure);
});

test.each<[string, Partial<ProxyOptions>, string]>([
  [
    'a visitor that is no text',
    { authorize: () => ({ input: create.input, visitor: 5 as never }) },
    'authorize must return visitor as a string.',
  ],
  [
    'another value of the store',
    { dedupe: { store: { ...unused, get: () => '{}' } } },
    'dedupe.store.get must return what dedupe.store.set stored.',
  ],
])('reports %s to onError in words', async (_, options, message) => {
  const { onError } = await attempt(options);
  expect(onError.mock.calls[0]?.[0]).toEqual(new TypeError(message));
});

test('sends a page nothing of an error of the library that authorize throws', async () => {
  const details = { status: 404, body: 'PRIVATE', headers: new Headers(), outcome: 'refused' } as const;
  const authorize = () => Promise.reject(new NotFoundError('PRIVATE: no such list', details));
  const { status, error } = await attempt({ authorize });
  expect(status).toBe(500);
  expect(error).toEqual({
    name: 'ServerError',
    message: 'The server failed.',
    outcome: 'not-sent',
    status: 500,
  });
});

test('counts an input of authorize that is not valid as a failure of the server', async () => {
  const authorize = () => ({ input: { name: 5, owner: 'PRIVATE' } });
  const { status, error, onError, requests } = await attempt({ authorize });
  expect(status).toBe(500);
  expect(error).toMatchObject({ name: 'ServerError', outcome: 'not-sent' });
  expect(error.issues).toBeUndefined();
  expect(requests).toBe(0);
  expect(onError.mock.calls[0]?.[0]).toMatchObject({ name: 'InvalidRequestError' });
});

test.each<[string, Partial<ProxyOptions>, string]>([
  ['authorize', { authorize: never }, 'not-sent'],
  ['output', { output: { 'tags.create': never } }, 'done'],
  ['dedupe.store.get', { dedupe: { store: { ...unused, get: never } } }, 'not-sent'],
  ['dedupe.store.set', { dedupe: { store: { ...unused, set: never } } }, 'not-sent'],
])('responds 500 where %s hangs, and reports which', async (name, options, outcome) => {
  const { status, error, onError } = await attempt({ ...options, callbackTimeout: 20 });
  expect(status).toBe(500);
  expect(error).toMatchObject({ outcome });
  expect(onError.mock.calls[0]?.[0].message).toContain(`${name} took longer than 20 ms`);
});

test.each<[string, () => unknown]>([
  ['throws', fail],
  ['rejects', async () => fail()],
  ['hangs', never],
])('responds all the same where onError %s', async (_, onError) => {
  expect((await attempt({ authorize: fail, onError })).status).toBe(500);
});

test('reports to the console by default', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  await attempt({ authorize: fail, onError: undefined });
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('tags.create'), failure);
});
