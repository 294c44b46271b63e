import { EmailMarketingClient } from 'email-marketing-client';
import { createSandbox } from 'email-marketing-client/testing';
import { beforeEach, expect, test } from 'vitest';

const sandbox = createSandbox({ seed: { contacts: 10 } });
const client = new EmailMarketingClient(sandbox.clientOptions);
beforeEach(() => sandbox.reset());

/** The code under test. */
const signUp = (email: string) => client.legacy.identify({ email, tags: ['trial'] });

test('a sign-up creates a contact with the tag trial', async () => {
  await signUp('ada@example.com');
  const contact = sandbox.state.contacts.named('ada@example.com');
  expect(contact?.tagNames).toEqual(['trial']);
});

test('a sign-up succeeds although the service fails once', async () => {
  sandbox.fail('legacy.identify', { status: 503, retryAfter: 0, times: 1 });
  await signUp('ada@example.com');
  expect(sandbox.requests.count('legacy.identify')).toBe(2);
});
