// JSON of errors, and control characters in their messages.
import { describe, expect, test } from 'vitest';
import type { Drift } from '../../src/index.ts';
import { contact } from '../endpoints.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { errorOf } from './support.ts';

useTestService();

test('JSON.stringify of an error gives what a queue decides by, its code and its cause, or the fields that are invalid', async () => {
  const client = makeClient({ headers: () => Promise.reject(new Error('vault is sealed')) });
  const failed = await errorOf(client.tags.create({ name: 'a' }));
  expect(JSON.parse(JSON.stringify(failed))).toMatchObject({
    code: 'FUNCTION_FAILED',
    outcome: 'not-sent',
    scope: 'account',
    retryable: true,
    cause: { name: 'Error', message: 'vault is sealed' },
  });
  const refused = await errorOf(client.tags.create({ name: '' }));
  expect(JSON.parse(JSON.stringify(refused))).toEqual({
    name: 'InvalidRequestError',
    message: refused.message,
    operation: 'tags.create',
    outcome: 'not-sent',
    scope: 'call',
    retryable: false,
    attempts: [],
    issues: [
      {
        path: 'name',
        expected: expect.any(String),
        received: '""',
        message: 'name must be a non-empty string (got "").',
      },
    ],
  });
});

describe('control characters, which a log or a terminal would obey,', () => {
  const attack =
    'first\r\n[error] forged line\u001b[2J\u001b]0;title\u0007\u009b1m\u202eright\u2066 \u2028 last';

  function expectHarmless(text: string | undefined) {
    expect(text).toContain('first [error] forged line');
    expect(text).not.toMatch(/[\p{Cc}\u2028\u202e\u2066]/u);
  }

  test('are removed from the message of an error, and kept in its body', async () => {
    respond('GET /api/v1/rest/sender', { body: { status: 'error', message: attack }, status: 400 });
    const error = await errorOf(makeClient().senders.list());
    expectHarmless(error.message);
    expect(error).toMatchObject({ body: { message: attack } });
  });

  test('are removed from the path of a mismatch', async () => {
    const drift: Drift[] = [];
    const customFields = { [attack.slice(0, 40)]: {} };
    respond('GET /api/v1/rest/contact', { body: [{ ...contact, customFields }] });
    await makeClient({ onDrift: each => void drift.push(each) }).contacts.list();
    expect(drift).toHaveLength(1);
    expectHarmless(drift[0]?.path);
  });
});
