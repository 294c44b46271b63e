import { expect, test, vi } from 'vitest';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import type { createSandbox } from '../../src/testing/index.ts';
import { makePage } from './page.ts';

const create = { operation: 'tags.create', input: { name: 'vip' } };

type Sandbox = ReturnType<typeof createSandbox>;

/** Creates a tag on a service that was prepared; the response of the handler and what was reported. */
async function replyOf(prepare: (sandbox: Sandbox) => unknown, options: Partial<ProxyOptions> = {}) {
  const onError = vi.fn();
  const { sandbox, send } = makePage({ allow: ['tags.create'], onError, ...options });
  prepare(sandbox);
  const response = await send(create);
  return { status: response.status, headers: response.headers, body: await response.json(), onError };
}

test.each([
  [400, 'the service rejected the request.'],
  [403, 'the service does not allow this call.'],
  [404, 'there is no such resource.'],
  [409, 'the name or the email is already used.'],
  [418, 'the service responded with an error.'],
  [422, 'the service rejected the request.'],
  [429, 'the service allows no more requests for now.'],
  [500, 'the service failed.'],
  [503, 'the service failed.'],
  [599, 'the service failed.'],
])('responds with the status %i of the service: %s', async (status, message) => {
  const reply = await replyOf(sandbox => sandbox.fail('*', { status, body: {} }));
  expect(reply).toMatchObject({ status, body: { error: { status, message: `tags.create: ${message}` } } });
});

test.each<[number, string, (sandbox: Sandbox) => unknown]>([
  [502, 'the service rejected the credentials of the server.', made => made.fail('*', { status: 401 })],
  [502, 'the service responded with an error.', made => made.fail('*', { status: 302, body: '' })],
  [502, 'the connection from the server to the service failed.', made => made.drop('*')],
  [502, 'the response of the service cannot be used.', made => made.fail('*', { status: 200, body: '<p>' })],
  [504, 'the service did not respond in time.', made => made.stall('*')],
])('responds %i, and calls no onError: %s', async (status, message, prepare) => {
  const reply = await replyOf(prepare);
  expect(reply).toMatchObject({ status, body: { error: { message: `tags.create: ${message}` } } });
  expect(reply.onError).not.toHaveBeenCalled();
});

test('responds 502 where a function among the options of the client fails, without its words', async () => {
  const acquire = () => Promise.reject(new Error('PRIVATE'));
  const { send } = makePage({ allow: ['tags.create'] }, undefined, { throttle: { acquire } });
  const response = await send(create);
  expect(response.status).toBe(502);
  expect(await response.json()).toEqual({
    error: {
      name: 'EmailMarketingError',
      message: 'tags.create: the call failed.',
      operation: 'tags.create',
      outcome: 'not-sent',
    },
  });
});

test.each([600, 999])(
  'responds 502 to a status %i of the service, which no response can have',
  async sent => {
    const fetch = async () => Object.defineProperty(new Response('{}'), 'status', { value: sent });
    const { send } = makePage({ allow: ['tags.create'] }, undefined, { fetch });
    const response = await send(create);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { status: sent } });
  },
);

test('responds 500 where the server lacks an option, and reports which to onError alone', async () => {
  const onError = vi.fn();
  const { send } = makePage({ allow: ['legacy.identify'], onError }, undefined, { teamId: undefined });
  const response = await send({ operation: 'legacy.identify', input: { email: 'ada@example.com' } });
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: {
      name: 'ConfigurationError',
      message: 'the server is not configured for this call.',
      outcome: 'not-sent',
    },
  });
  expect(onError).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining('teamId') }),
    'legacy.identify',
  );
});

test('shows the issues of a response where details are exposed, and none by default', async () => {
  const html = (sandbox: Sandbox) => sandbox.fail('*', { status: 200, body: '<html>' });
  const exposed = await replyOf(html, { exposeErrorDetails: true });
  expect(exposed.body.error.issues).toEqual([expect.objectContaining({ received: expect.any(String) })]);
  expect((await replyOf(html)).body.error.issues).toBeUndefined();
});

test.each<[string, (sandbox: Sandbox) => unknown]>([
  ['a result', () => {}],
  ['an error', sandbox => sandbox.drop('*')],
])(
  'responds with %s as JSON that no cache keeps and no browser takes for another type',
  async (_, prepare) => {
    const { headers } = await replyOf(prepare);
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  },
);
