import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { send } from '../../../src/http/node-transport.ts';
import { startFaultServer } from '../../support/fault-server.ts';
import { begunCall } from './begun-call.ts';

test.each(['GET', 'POST'])('a %s leaves no listener at its signals, which outlive it', async method => {
  const server = await startFaultServer();
  const [{ signal }, caller] = [new AbortController(), new AbortController()];
  const request = { url: `${server.url}/a`, method, headers: new Headers(), signal } as Request;
  const sent = send(request, undefined, begunCall({ signal: caller.signal }));
  for (const each of [signal, caller.signal]) expect(getEventListeners(each, 'abort')).toHaveLength(1);
  expect(await sent).toMatchObject({ status: 200 });
  for (const each of [signal, caller.signal]) expect(getEventListeners(each, 'abort')).toEqual([]);
  await server.close();
});
