import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { sendByDefault } from '../../../../src/http/transport/node-transport.ts';
import { startFaultServer } from '../../../support/fault-server.ts';
import { attemptOf } from './attempt.ts';

test.each(['GET', 'POST'])('a %s leaves no listener at its signal, which Node keeps', async method => {
  const server = await startFaultServer();
  const { signal } = new AbortController();
  const request = { url: `${server.url}/a`, method, headers: new Headers(), signal } as Request;
  const sent = sendByDefault(request, undefined, attemptOf());
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  expect(await sent).toMatchObject({ status: 200 });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await server.close();
});
