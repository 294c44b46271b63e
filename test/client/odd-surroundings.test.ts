// Programs that read everything as an observable.
import { expect, test } from 'vitest';
import { EmailMarketingClient } from '../../src/index.ts';
import { createSandbox } from '../../src/testing/index.ts';

const sandbox = createSandbox({ seed: { contacts: 3, senders: 1 } });

const makeClient = () => new EmailMarketingClient({ ...sandbox.clientOptions, logLevel: 'off' });

// RxJS takes what has a length for an array before it looks for an asynchronous iterator.
test('a paginator has no length', () => {
  expect('length' in makeClient().contacts.all()).toBe(false);
});
