// What the messages of errors say.
import { describe, expect, test } from 'vitest';
import type { Drift } from '../../src/index.ts';
import { failure, makeClient, respond, useTestService } from '../support/test-service.ts';

useTestService();

test.each([
  ['Version 1.2 is required.', '400 from rest.example.test: Version 1.2 is required. Check the input.'],
  ['Version 1.2 is required', '400 from rest.example.test: Version 1.2 is required. Check the input.'],
])('ends the message %o of the service with one full stop', async (said, message) => {
  respond('GET /api/v1/rest/sender', { body: { error: said }, status: 400 });
  expect(await failure(makeClient().senders.list())).toMatchObject({ message: `senders.list: ${message}` });
});

const again = 'Try again later.';
const caution = 'It may have taken effect: check before you repeat it.';

test.each([
  [302, {}, 'Check the base URL: it must be where the service itself responds.', caution],
  [400, {}, 'Check the input.', ''],
  [403, {}, 'Check the reason given, and what the API key may do.', ''],
  [405, {}, 'Check the reason given, and the request.', ''],
  [503, { 'retry-after': '1' }, 'The service asks to wait 1 s.', ''],
  [
    429,
    { 'retry-after': '3600' },
    'The service asks to wait 3600 s. Send fewer requests, for example with the option throttle.',
    '',
  ],
  [404, {}, 'Check the id and the path.', ''],
  [503, {}, '', caution],
  [500, {}, '', caution],
])('says after HTTP %i with %o to a write what to do next', async (status, headers, advice, end) => {
  respond('POST /api/v1/rest/tag', { body: { message: 'no luck' }, status, headers });
  const { message } = (await failure(makeClient().tags.create({ name: 'a' }))) as Error;
  const what = status === 302 ? 'redirects are not followed' : 'no luck';
  const sentences = [`tags.create: ${status} from rest.example.test: ${what}.`, advice, end];
  expect(message).toBe(sentences.filter(Boolean).join(' '));
});

test('names the host and port of each interface in the errors of its calls', async () => {
  const fetch = async () => new Response('', { status: 500 });
  const client = makeClient({
    baseUrl: 'https://api.example.test:8443/base',
    legacyBaseUrl: 'http://localhost:4010',
    fetch,
  });
  expect(await failure(client.senders.list())).toMatchObject({
    message: `senders.list: 500 from api.example.test:8443: an empty body. ${again}`,
  });
  expect(await failure(client.legacy.track({ email: 'a@b.test', addTags: ['vip'] }))).toMatchObject({
    message: `legacy.track: 500 from localhost:4010: an empty body. ${again}`,
  });
});

test('cautions against a repetition of a write whose response cannot be used', async () => {
  const start = 'the response of rest.example.test cannot be used: body: expected JSON, got nothing.';
  const advice = 'Check the base URL, and whether the service has changed.';
  respond('POST /api/v1/rest/tag', { body: '' });
  respond('GET /api/v1/rest/sender', { body: '' });
  expect(await failure(makeClient().tags.create({ name: 'a' }))).toMatchObject({
    message: `tags.create: ${start} ${advice} ${caution}`,
  });
  expect(await failure(makeClient().senders.list())).toMatchObject({
    message: `senders.list: ${start} ${advice}`,
  });
});

test('track says what to do about an email that no contact has', async () => {
  respond('POST /api/v1/contact/track', { body: { status: 'error', message: 'contact not found' } });
  expect(await failure(makeClient().legacy.track({ email: 'a@b.test', addTags: ['vip'] }))).toMatchObject({
    name: 'NotFoundError',
    message:
      'legacy.track: 200 from legacy.example.test: contact not found. No contact has this email: create it with client.legacy.identify.',
  });
});

test('a web page under 404 is said to be a wrong base URL', async () => {
  respond('DELETE /api/v1/rest/tag/tag_A1b2C3d4E5f6G7h8I9j0K1', {
    body: '<!doctype html><title>Not Found</title>',
    status: 404,
  });
  expect(await failure(makeClient().tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1'))).toMatchObject({
    name: 'NotFoundError',
    message: expect.stringMatching(/Check the base URL: a web page is there, and not the service\.$/),
  });
});

test('JSON.stringify of an error gives name, message, operation, outcome, status and attempts', async () => {
  respond('POST /api/v1/rest/tag', {
    body: { status: 'error', message: 'resource with this name already exists' },
    status: 409,
  });
  const error = await failure(makeClient().tags.create({ name: 'vip' }));
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'ConflictError',
    message:
      'tags.create: 409 from rest.example.test: resource with this name already exists. Use another name, or the resource that exists.',
    operation: 'tags.create',
    outcome: 'refused',
    status: 409,
    attempts: [{ durationMs: expect.any(Number), waitMs: expect.any(Number), status: 409 }],
  });
});

describe('text of the service that a log or a terminal would obey', () => {
  const attack =
    'first\r\n[error] forged line\u001b[2J\u001b]0;title\u0007\u009b1m\u202eright\u2066 \u2028 last';
  const controls = /[\p{Cc}\u2028\u202e\u2066]/u;

  test.each<[string, unknown]>([
    ['a message', { status: 'error', message: attack }],
    ['the title of a web page', `<html><title>${attack}</title>`],
  ])('is one line without control characters in a message after %s', async (_, body) => {
    respond('GET /api/v1/rest/sender', { body, status: 400 });
    const { message } = (await failure(makeClient().senders.list())) as Error;
    expect(message).toContain('forged line');
    expect(message).not.toMatch(controls);
  });

  test('is as it was sent in the body of an error', async () => {
    respond('GET /api/v1/rest/sender', { body: { status: 'error', message: attack }, status: 400 });
    expect(await failure(makeClient().senders.list())).toMatchObject({ body: { message: attack } });
  });

  test('is one line without control characters in the path of a mismatch', async () => {
    const drift: Drift[] = [];
    const customFields = { [attack.slice(0, 40)]: {} };
    respond('GET /api/v1/rest/contact', { body: [{ id: 'contact_1', email: 'a@x.test', customFields }] });
    await makeClient({ onDrift: each => void drift.push(each) }).contacts.list();
    expect(drift).toHaveLength(1);
    expect(drift[0]?.path).toContain('forged line');
    expect(drift[0]?.path).not.toMatch(controls);
  });

  test('is shown without control characters as the name of an unknown field', async () => {
    const { message } = (await failure(
      makeClient().tags.create({ name: 'a', [attack.slice(0, 40)]: 1 } as never),
    )) as Error;
    expect(message).toContain('forged line');
    expect(message).not.toMatch(controls);
  });
});
