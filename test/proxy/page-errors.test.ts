import { expect, test } from 'vitest';
import * as errors from '../../src/index.ts';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { makePage } from './page.ts';

const allow = ['tags.create', 'tags.delete', 'legacy.identify', 'contacts.list'] as const;

/** The error that creating a tag ends with, in the page and on the server. */
async function bothErrors(
  prepare: (made: ReturnType<typeof makePage>) => unknown,
  options: Partial<ProxyOptions> = {},
) {
  const made = makePage({ allow, ...options });
  await prepare(made);
  const call = { name: 'vip' };
  const [there, here] = [
    await made.client.tags.create(call).safe(),
    await made.page.tags.create(call).safe(),
  ];
  if (there.ok || here.ok) throw new Error('Both calls were to fail');
  return { there: there.error, here: here.error as errors.EmailMarketingError & Record<string, unknown> };
}

test.each<[string, new (...args: never[]) => Error, object, (made: ReturnType<typeof makePage>) => unknown]>([
  [
    'a name in use',
    errors.ConflictError,
    { status: 409, outcome: 'refused' },
    ({ client }) => client.tags.create({ name: 'vip' }),
  ],
  [
    'a wrong key',
    errors.AuthenticationError,
    { status: 401, outcome: 'refused' },
    ({ sandbox }) => sandbox.fail('*', { status: 401 }),
  ],
  [
    'a forbidden call',
    errors.PermissionError,
    { status: 403, outcome: 'refused' },
    ({ sandbox }) => sandbox.fail('*', { status: 403 }),
  ],
  [
    'a missing resource',
    errors.NotFoundError,
    { status: 404, outcome: 'refused' },
    ({ sandbox }) => sandbox.fail('*', { status: 404, body: {} }),
  ],
  [
    'a malformed body',
    errors.BadRequestError,
    { status: 422, outcome: 'refused' },
    ({ sandbox }) => sandbox.fail('*', { status: 422, body: {} }),
  ],
  [
    'too many requests',
    errors.RateLimitError,
    { status: 429, retryAfter: 7, outcome: 'refused' },
    ({ sandbox }) => sandbox.fail('*', { status: 429, retryAfter: 7 }),
  ],
  [
    'a failing service',
    errors.ServerError,
    { status: 500, outcome: 'unknown' },
    ({ sandbox }) => sandbox.fail('*', { status: 500 }),
  ],
  [
    'a redirect',
    errors.ApiError,
    { status: 302, outcome: 'unknown' },
    ({ sandbox }) => sandbox.fail('*', { status: 302, body: '' }),
  ],
  ['a cut connection', errors.ConnectionError, { outcome: 'unknown' }, ({ sandbox }) => sandbox.drop('*')],
  [
    'silence',
    errors.TimeoutError,
    { limit: 'timeout', phase: 'head', outcome: 'unknown' },
    ({ sandbox }) => sandbox.stall('*'),
  ],
  [
    'half a response',
    errors.TimeoutError,
    { phase: 'body', outcome: 'unknown' },
    ({ sandbox }) => sandbox.stall('*', { at: 'body' }),
  ],
  [
    'an unusable response',
    errors.InvalidResponseError,
    { outcome: 'done' },
    ({ sandbox }) => sandbox.fail('*', { status: 200, body: '<html>' }),
  ],
])('%s comes out in the page as the same class', async (_, kind, members, prepare) => {
  const { there, here } = await bothErrors(prepare);
  expect(there).toBeInstanceOf(kind);
  expect(here).toBeInstanceOf(kind);
  expect(here).toMatchObject({ ...members, name: there.name, operation: 'tags.create' });
  expect(here.constructor).toBe(there.constructor);
  const exposed = await bothErrors(prepare, { exposeErrorDetails: true });
  expect(exposed.here).toMatchObject({ ...members, message: exposed.there.message });
});

test('sends a page no text of the service, and no address of it', async () => {
  const message = 'PRIVATE text of the service';
  const refused = await bothErrors(({ sandbox }) => sandbox.fail('*', { status: 422, body: { message } }));
  expect(refused.there.message).toContain(`422 from service.test: ${message}`);
  expect(refused.here.message).toBe('tags.create: the service rejected the request.');
  const cut = await bothErrors(({ sandbox }) => sandbox.drop('*'));
  expect(cut.there.message).toContain('service.test:443');
  expect(cut.here.message).toBe('tags.create: the connection from the server to the service failed.');
  const html = await bothErrors(({ sandbox }) => sandbox.fail('*', { status: 200, body: '<html>' }));
  expect(html.here.message).toBe('tags.create: the response of the service cannot be used.');
  expect(html.here.issues).toEqual([]);
});

test('an input that the server refuses is reported field by field', async () => {
  const { page } = makePage({ allow });
  const error = await page.legacy
    .identify({ email: 'nobody', birthday: '2025-02-30' })
    .catch(thrown => thrown);
  expect(error).toBeInstanceOf(errors.InvalidRequestError);
  expect(error.issues.map((issue: errors.Issue) => issue.path).sort()).toEqual(['birthday', 'email']);
});

test('a server that is not configured shows the page no more than the missing option', async () => {
  const made = makePage({ allow, onError: () => {} }, undefined, { teamId: undefined });
  const error = await made.page.legacy.identify({ email: 'a@b.test' }).catch(thrown => thrown);
  expect(error).toBeInstanceOf(errors.ConfigurationError);
});

test('an error of the service crosses without its body and headers', async () => {
  const { here } = await bothErrors(({ sandbox }) =>
    sandbox.fail('*', {
      status: 500,
      body: { status: 'error', message: 'oh', debug: 'inner' },
      headers: { 'x-inner': 'yes' },
    }),
  );
  expect((here as unknown as errors.ApiError).body).toBeUndefined();
  expect([...(here as unknown as errors.ApiError).headers]).toEqual([]);
});
