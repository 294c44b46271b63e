// Situations in which no complete response comes, or a time limit ends the call.
import type { ClientOptions } from '../../../src/index.ts';
import { brokenOff, clientWith, endless, failing, responding, type Situation, silent } from './situation.ts';

const calling = (options: ClientOptions) => clientWith(options).senders.list();

export const connectionSituations: readonly Situation[] = [
  ['the server is down', () => calling({ fetch: failing('ECONNREFUSED') })],
  ['the host name does not exist', () => calling({ fetch: failing('ENOTFOUND') })],
  ['the name server does not respond', () => calling({ fetch: failing('EAI_AGAIN') })],
  ['the connection is reset', () => calling({ fetch: failing('ECONNRESET') })],
  ['no connection in time', () => calling({ fetch: failing('UND_ERR_CONNECT_TIMEOUT') })],
  ['too many sockets are open', () => calling({ fetch: failing('EMFILE', 'connect') })],
  ['the certificate has expired', () => calling({ fetch: failing('CERT_HAS_EXPIRED') })],
  ['network access is denied to the process', () => calling({ fetch: failing('ERR_ACCESS_DENIED') })],
  [
    'the fetch fails without a code',
    () => calling({ fetch: () => Promise.reject(new TypeError('Load failed')) }),
  ],
  ['the connection breaks in the middle of the body', () => calling({ fetch: brokenOff })],
  ['no response within `timeout`', () => calling({ fetch: silent, timeout: 50 })],
  ['a body that does not end within `timeout`', () => calling({ fetch: endless, timeout: 50 })],
  ['no response within `totalTimeout`', () => calling({ fetch: silent, totalTimeout: 2000 })],
  [
    'a wait for `Retry-After` that `totalTimeout` does not allow',
    () => {
      const fetch = responding(429, { status: 'error', message: 'slow down' }, { 'retry-after': '60' });
      return calling({ fetch, totalTimeout: 5000, maxRetries: 2 });
    },
  ],
  [
    'a wait in the queue longer than `totalTimeout`',
    () => {
      const client = clientWith({ fetch: silent, throttle: { concurrency: 1 } });
      client.senders.list().catch(() => {});
      return client.senders.list({ totalTimeout: 250 });
    },
  ],
  [
    'a function for the key that does not end within `timeout`',
    () => calling({ apiKey: () => new Promise(() => {}), timeout: 50 }),
  ],
  [
    'a call that you abort, in `.safe()`',
    async () => {
      const options = { signal: AbortSignal.abort() };
      const result = await clientWith().tags.create({ name: 'vip' }, options).safe();
      if (!result.ok) throw result.error;
    },
  ],
  [
    'a queue that is full',
    () => {
      const throttle = { concurrency: 1, maxQueue: 1 };
      const client = clientWith({ fetch: silent, timeout: 1000, throttle });
      for (let call = 0; call < 2; call += 1) client.senders.list().catch(() => {});
      return client.senders.list();
    },
  ],
];
