import { describe, expect, test } from 'vitest';
import { ApiPromise, InvalidRequestError, NotFoundError } from '../../src/index.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { useRejectionWatch } from './support.ts';

useTestService();

useRejectionWatch();

const found = () => respond('GET /api/v1/rest/sender', { body: [], headers: { 'x-request-id': 'r-1' } });
const lost = () =>
  respond('GET /api/v1/rest/sender', {
    body: { status: 'error', message: 'resource not found' },
    status: 404,
  });

describe('a call', () => {
  test('is a promise of the data', async () => {
    found();
    const call = makeClient().senders.list();
    expect(call).toBeInstanceOf(ApiPromise);
    expect(call).toBeInstanceOf(Promise);
    expect(await call).toEqual([]);
  });

  test('sends one request however often it is awaited', async () => {
    const seen = found();
    const call = makeClient().senders.list();
    await Promise.all([call, call.withResponse(), call.safe(), call.then(() => {})]);
    expect(seen).toHaveLength(1);
  });

  test('returns a plain promise from `then`', () => {
    found();
    const next = makeClient()
      .senders.list()
      .then(() => 1);
    expect(next).not.toBeInstanceOf(ApiPromise);
  });
});

test('withResponse returns the data with status and headers', async () => {
  respond('GET /api/v1/rest/sender', { body: [], status: 203, headers: { 'x-request-id': 'r-1' } });
  const { data, response } = await makeClient().senders.list().withResponse();
  expect(data).toEqual([]);
  expect(response).toBeInstanceOf(Response);
  expect(response.status).toBe(203);
  expect(response.ok).toBe(true);
  expect(response.headers.get('x-request-id')).toBe('r-1');
});

test('withResponse resolves for a response without content', async () => {
  respond('DELETE /api/v1/rest/tag/A1b2C3d4E5f6G7h8I9j0K1', { body: '', status: 204 });
  const { data, response } = await makeClient().tags.delete('A1b2C3d4E5f6G7h8I9j0K1').withResponse();
  expect([data.status, response.status]).toEqual(['success', 204]);
});

describe('safe', () => {
  test('returns the data and the response of a success', async () => {
    found();
    const result = await makeClient().senders.list().safe();
    expect(result).toMatchObject({ ok: true, data: [] });
    if (result.ok) expect(result.response.headers.get('x-request-id')).toBe('r-1');
  });

  test('returns the error of a failure', async () => {
    lost();
    const result = await makeClient().senders.list().safe();
    expect(result).toEqual({ ok: false, error: expect.any(NotFoundError) });
  });

  test('returns the error of an invalid input', async () => {
    const result = await makeClient().tags.create({ name: '' }).safe();
    expect(result).toEqual({ ok: false, error: expect.any(InvalidRequestError) });
  });
});

test('a handled failure is never reported as an unhandled rejection', async () => {
  lost();
  const call = () => makeClient().senders.list();
  await call().safe();
  await call()
    .withResponse()
    .catch(() => {});
  await call().catch(() => {});
  const late = call();
  expect(await late.safe()).toMatchObject({ ok: false });
});
