// Programs that replace the global `Promise`, wrap objects in proxies, or read everything as an observable.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';

const sandbox = createSandbox({ seed: { contacts: 3, senders: 1 } });

const makeClient = () => new EmailMarketingClient({ ...sandbox.clientOptions, logLevel: 'off' });

/** A program whose promises have no subclasses, as bluebird's. */
const closedPromise = `
  const { race, reject, resolve, all, allSettled } = Promise;
  const Native = Promise;
  globalThis.Promise = function Closed(executor) {
    if (this.constructor !== Closed) throw new TypeError('the promise constructor cannot be invoked directly');
    return new Native(executor);
  };
  for (const method of [race, reject, resolve, all, allSettled])
    globalThis.Promise[method.name] = (...args) => method.apply(Native, args);
  const { EmailMarketingClient } = await import('${new URL('../../src/index.ts', import.meta.url)}');
  const fetch = async () => new Response('[]');
  const client = new EmailMarketingClient({ baseUrl: 'https://service.test', apiKey: 'key', fetch, logLevel: 'off' });
  const call = client.senders.list();
  const results = [await call, (await call.safe()).ok, (await call.withResponse()).response.status];
  const failed = await client.tags.create({ name: '' }).safe();
  console.log(JSON.stringify([...results, await call.then(() => 1), failed.error.name]));
`;

test('calls work if the global Promise was replaced by a class that has no subclasses', async () => {
  const program = ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', closedPromise];
  const { stdout } = await promisify(execFile)(process.execPath, program, { timeout: 30_000 });
  expect(JSON.parse(stdout)).toEqual([[], true, 200, 1, 'InvalidRequestError']);
});

/** Wraps an object and all that is read of it, as Vue's `ref` and valtio do. */
const deepProxy = <T extends object>(object: T): T =>
  new Proxy(object, {
    get: (target, name, receiver) => {
      const value = Reflect.get(target, name, receiver);
      return typeof value === 'object' && value !== null ? deepProxy(value) : value;
    },
  });

describe('behind a deep proxy', () => {
  const message = (name: string) =>
    expect.objectContaining({
      name: 'TypeError',
      message: `the ${name} is behind a deep proxy, which cannot reach its private members: keep it out by markRaw (Vue) or ref (valtio)`,
    });

  test('a client says so', async () => {
    const client = deepProxy(makeClient());
    expect(() => client.senders.list()).toThrow(message('client'));
    expect(() => client.contacts.all()).not.toThrow();
    await expect(client.contacts.all().toArray()).rejects.toThrow(message('client'));
    expect(() => client.withOptions({})).toThrow(message('client'));
    expect(() => client.request({ method: 'GET', path: '/sender' })).toThrow(message('client'));
  });

  test('a paginator says so', async () => {
    const paginator = deepProxy(makeClient().contacts.all());
    await expect(paginator.toArray()).rejects.toThrow(message('paginator'));
    await expect(paginator.pages().next()).rejects.toThrow(message('paginator'));
    await expect(paginator[Symbol.asyncIterator]().next()).rejects.toThrow(message('paginator'));
    expect(() => paginator.checkpoint).toThrow(message('paginator'));
    expect(() => JSON.stringify(paginator)).toThrow(message('paginator'));
  });
});

// RxJS takes what has a length for an array before it looks for an asynchronous iterator.
test('a paginator has no length', () => {
  expect('length' in makeClient().contacts.all()).toBe(false);
});
