// The client as a class: its methods can be overridden, spied on, and called through a proxy.
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type CallOptions,
  type DefaultOptions,
  EmailMarketingClient,
  type EndpointRequest,
} from '../../src/index.ts';
import { status } from '../support/faults.ts';
import { connect } from './support.ts';

const thing = { method: 'GET', path: '/thing' } as const;

test('a subclass can override request and withOptions, and call the methods of its base', async () => {
  const paths: string[] = [];
  class LoggingClient extends EmailMarketingClient {
    override request<Output = unknown>(request: EndpointRequest<Output>, options?: CallOptions) {
      paths.push(request.path);
      return super.request(request, options);
    }

    override withOptions(options: DefaultOptions) {
      return super.withOptions({ maxRetries: 0, ...options });
    }
  }
  const { server } = await connect();
  const client = new LoggingClient({ baseUrl: server.url, apiKey: 'key', logLevel: 'off' });
  server.next(status(200, {}, '{"id":"1"}'), status(503));
  expect(await client.request(thing)).toEqual({ id: '1' });
  expect(paths).toEqual(['/thing']);
  const { error } = await client.withOptions({ timeout: 1_000 }).senders.list().safe();
  expect(error?.attempts).toHaveLength(1);
});

test('a spy on the prototype sees the calls of every client', async () => {
  const spy = vi.spyOn(EmailMarketingClient.prototype, 'request');
  onTestFinished(() => spy.mockRestore());
  const { server, client } = await connect();
  server.next(status(200, {}, '{}'));
  await client.request(thing);
  expect(spy).toHaveBeenCalledWith(thing);
});

/** Wraps every object that it returns, as Vue's `reactive` does. */
const deepProxy = <Target extends object>(target: Target): Target =>
  new Proxy(target, {
    get(of, name, receiver) {
      const value = Reflect.get(of, name, receiver);
      return typeof value === 'object' && value !== null ? deepProxy(value) : value;
    },
  });

test.each<[string, (client: EmailMarketingClient) => EmailMarketingClient]>([
  ['a proxy', client => new Proxy(client, {})],
  ['a proxy that wraps what it returns', deepProxy],
])('every method can be called through %s', async (_, wrap) => {
  const { server, client } = await connect();
  const wrapped = wrap(client);
  server.next(status(200, {}, '{"id":"1"}'), status(200, {}, '[]'), status(200, {}, '[]'));
  expect(await wrapped.request(thing)).toEqual({ id: '1' });
  expect(await wrapped.senders.list()).toEqual([]);
  expect(await wrapped.withOptions({ timeout: 1_000 }).senders.list()).toEqual([]);
});
