/** A test of an application's code without the network: the sandbox replaces the service. */
import assert from 'node:assert/strict';
import { EmailMarketingClient } from 'email-marketing-client';
import { createSandbox } from 'email-marketing-client/testing';

/** The code under test. */
const welcome = (client: EmailMarketingClient, email: string) =>
  client.legacy.identify({ email, tags: ['welcome'] });

const sandbox = createSandbox();
const client = new EmailMarketingClient(sandbox.clientOptions);

sandbox.fail('legacy.identify', { status: 503, retryAfter: 0, times: 1 });
await welcome(client, 'ada@example.com');

assert.equal(sandbox.state.contacts.all.length, 1);
assert.equal(sandbox.requests.count('legacy.identify'), 2); // an error first, then a success
