import { expect, onTestFinished, test } from 'vitest';
import { closedPort, type Fault, startFaultServer } from './fault-server.ts';
import * as faults from './faults.ts';

async function answerTo(fault: Fault, init?: RequestInit): Promise<Response> {
  const server = await startFaultServer();
  onTestFinished(() => server.close());
  server.next(fault);
  return fetch(`${server.url}/api/v1/rest/tag?a=1`, { redirect: 'manual', ...init });
}

test('records each request, and sends a healthy response by default', async () => {
  const server = await startFaultServer();
  onTestFinished(() => server.close());
  const response = await fetch(`${server.url}/api/v1/rest/tag?a=1`, { method: 'POST', body: '{"name":"n"}' });
  expect(await response.json()).toMatchObject({ name: 'vip "gold"' });
  expect(server.received).toHaveLength(1);
  expect(server.received[0]).toMatchObject({
    method: 'POST',
    path: '/api/v1/rest/tag',
    body: '{"name":"n"}',
  });
  expect(server.received[0]?.query.get('a')).toBe('1');
});

test('applies queued faults first, in order', async () => {
  const server = await startFaultServer();
  onTestFinished(() => server.close());
  server.next(faults.tooManyRequests('1'), faults.badGatewayPage);
  const get = () => fetch(`${server.url}/api/v1/rest/sender`);
  const statuses = [(await get()).status, (await get()).status, (await get()).status];
  expect(statuses).toEqual([429, 502, 200]);
});

test.each([
  ['resetBeforeResponse', faults.resetBeforeResponse],
  ['closedBeforeResponse', faults.closedBeforeResponse],
  ['notHttp', faults.notHttp],
])('%s gives no response', async (_, fault) => {
  await expect(answerTo(fault)).rejects.toThrow(TypeError);
});

test.each([
  ['resetInBody', faults.resetInBody],
  ['closedInBody', faults.closedInBody],
])('%s gives a head and no whole body', async (_, fault) => {
  const response = await answerTo(fault);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test.each([
  ['neverResponds', faults.neverResponds],
  ['stallsAfterHead', faults.stallsAfterHead],
  ['stallsInBody', faults.stallsInBody],
  ['drips', faults.drips(20)],
])('%s does not end by itself', async (_, fault) => {
  const signal = AbortSignal.timeout(100);
  await expect(answerTo(fault, { signal }).then(response => response.text())).rejects.toThrow(
    /timeout|abort/i,
  );
});

test('sends an oversized response of the size that was set', async () => {
  const text = await (await answerTo(faults.oversized(200_000))).text();
  expect(text.length).toBeGreaterThan(200_000);
  expect(JSON.parse(text)).toBeInstanceOf(Array);
});

test('a closed port refuses connections', async () => {
  await expect(fetch(await closedPort())).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});
