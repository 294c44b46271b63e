// Errors of failed responses: requested waits, bodies that report a failure with status 200, and what an error contains.
// `status-meaning.test.ts` tests each status and form.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError, ConflictError, type EmailMarketingClient } from '../../src/index.ts';
import { row } from '../endpoints.ts';
import { clientOfResponse, clientOfServer, errorOf, failureOf } from './support.ts';

afterEach(() => void vi.useRealTimers());

const create = (client: EmailMarketingClient) => client.tags.create({ name: 'vip' });
const track = (client: EmailMarketingClient) => client.legacy.track({ email: 'a@x.test', addTags: ['vip'] });

test.each<[string, number | undefined]>([
  ['0', 0],
  [' 2 ', 2_000],
  ['1.25', 1_250],
  ['11', 11_000],
  ['9'.repeat(400), Number.POSITIVE_INFINITY],
  ['Thu, 01 Jan 2026 12:00:05 GMT', 5_000],
  ['Thu, 01 Jan 2026 14:00:05 +0200', 5_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ...['1, 2', '1, ', 'soon', '-1', 'soon 5', '5 seconds', '2026-01-01'].map((text): [string, undefined] => [
    text,
    undefined,
  ]),
])('the Retry-After %o of a 429 is a wait of %o ms, and of a 500 none', async (retryAfter, retryAfterMs) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('Thu, 01 Jan 2026 12:00:00 GMT') });
  const headers = { 'retry-after': retryAfter };
  expect(await errorOf(create(clientOfResponse('', 429, { headers })))).toMatchObject({ retryAfterMs });
  expect(await errorOf(create(clientOfResponse('', 500, { headers })))).toMatchObject({
    retryAfterMs: undefined,
  });
});

describe('with status 200', () => {
  test.each([
    { status: 'failed', message: 'no luck' },
    { status: 'Failure', data: null },
    { status: 'fail' },
    { status: '400' },
    { success: false, message: 'no luck' },
    { status: 'success', success: false },
    { errors: ['no luck', 'no time'] },
    { errors: 'no luck' },
    { status: '200', message: 'partly', errors: [{ field: 'email' }] },
    { errors: { email: ['no luck'] } },
    { error: 'no luck' },
    { error: { code: 7 } },
    { error: true },
    { id: 'req_1', status: 'error', message: 'no' },
  ])('a write fails if the body is %j', async body => {
    const outcome = expect.stringMatching(/refused|unknown/);
    expect(await errorOf(track(clientOfResponse(body)))).toMatchObject({ outcome, body });
  });

  test.each([
    ...[399, '399', ' 400', '1000000000', true, 'ok', '', 'never failed', 'unfailing'].map(status => ({
      status,
    })),
    { errors: [] },
    { errors: '' },
    { error: null },
  ])('a request succeeds if the body is %j', async body => {
    expect(await clientOfResponse(body).request({ method: 'POST', path: '/x' })).toEqual(body);
  });

  test('a body with an id is a record of `request`, and not a success of a deletion', async () => {
    const body = { id: 'order_1', status: 'error', error: 'none' };
    expect(await clientOfResponse(body).request({ method: 'GET', path: '/order' })).toEqual(body);
    expect((await row('tags.delete').call(clientOfResponse(body)).safe()).ok).toBe(false);
  });
});

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['"text"', 'text'],
  ['bad gateway', 'bad gateway'],
  ['', ''],
])('the error of a 400 with the body %j contains it', async (body, expected) => {
  expect(await errorOf(create(clientOfResponse(body, 400)))).toHaveProperty('body', expected);
});

test('a 304 is not called a redirect', async () => {
  expect((await errorOf(row('senders.list').call(clientOfResponse('', 304)))).message).toMatch(
    /: 304 from api\.example\.com: an empty body\. The service did not send this\. Check the base URL,/,
  );
});

test('a write may have acted if the response is a 1xx, which workerd returns if nothing follows it', async () => {
  expect(await errorOf(create(clientOfResponse('', 103)))).toMatchObject({ outcome: 'unknown' });
});

test('a message is at most 500 characters, and no character is cut in half', async () => {
  const shownOf = async (message: string) =>
    (await errorOf(create(clientOfResponse({ status: 'error', message }, 400)))).message;
  expect(await shownOf('m'.repeat(60_000))).toMatch(/^tags\.create: 400 from api\.example\.com: m{500}…\.$/);
  expect(await shownOf('m'.repeat(500))).toMatch(/: m{500}\.$/);
  expect(await shownOf(`${'x'.repeat(499)}${'😀'.repeat(9)}`)).toMatch(/: x{499}…\.$/);
});

test.each([
  ['tags.create', ConflictError],
  ['domains.create', ConflictError],
  ['templates.delete', ApiError],
  ['legacy.track', ApiError],
] as const)('a 409 of %s without the message of a used name is a %o', async (name, make) => {
  const body = { status: 'error', message: 'template is used in an active campaign' };
  const rejection = await failureOf(row(name).call(clientOfResponse(body, 409)));
  expect(rejection).toMatchObject({ constructor: make, response: { status: 409 }, outcome: 'refused' });
  expect(String(rejection).includes('Use another name')).toBe(make === ConflictError);
});

test('JSON.stringify of an error contains what a queue needs to decide, its code and its cause, or the invalid fields', async () => {
  const client = clientOfServer('https://api.example.com', {
    headers: () => Promise.reject(new Error('vault is sealed')),
  });
  const failed = await errorOf(client.tags.create({ name: 'a' }));
  expect(JSON.parse(JSON.stringify(failed))).toMatchObject({
    code: 'FUNCTION_FAILED',
    outcome: 'not-sent',
    scope: 'account',
    retryable: true,
    cause: { name: 'Error', message: 'vault is sealed' },
  });
  const refused = await errorOf(client.tags.create({ name: '' }));
  const message = 'name must be a non-empty string (got "").';
  const issue = { path: 'name', expected: 'a non-empty string', received: '""', message };
  expect(JSON.parse(JSON.stringify(refused))).toEqual({
    name: 'InvalidRequestError',
    message: `tags.create: ${message}`,
    operation: 'tags.create',
    ...{ outcome: 'not-sent', scope: 'call', retryable: false },
    attempts: [],
    issues: [issue],
  });
});

test('control characters, which a log or a terminal would obey, are kept in the body and removed elsewhere', async () => {
  const attack =
    'first\r\n[error] forged line\u001b[2J\u001b]0;title\u0007\u009b1m\u202eright\u2066 \u2028 last';
  const error = await errorOf(create(clientOfResponse({ status: 'error', message: attack }, 400)));
  expect(error).toMatchObject({ body: { message: attack } });
  const paths: string[] = [];
  const customFields = { [attack.slice(0, 40)]: {} };
  const client = clientOfResponse([{ id: 'contact_1', email: 'a@x.test', customFields }]);
  await client.withOptions({ onDrift: ({ path }) => paths.push(path) }).contacts.list();
  for (const text of [error.message, paths.find(path => path.includes('first'))]) {
    expect(text).toContain('first [error] forged line');
    expect(text).not.toMatch(/[\p{Cc}\u2028\u202e\u2066]/u);
  }
});
