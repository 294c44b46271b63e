// Compares the table of common failures in the guide with what `queueAction` returns.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EmailMarketingClient, queueAction } from '../../src/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { root } from './collect.ts';

const html = (status: number) => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<p>Not here</p>',
});
const refused = (status: number) => ({ status, body: { status: 'error', message: 'Not this one.' } });

/** What causes each failure, by its name in the guide. All causes of a failure have the same result. */
const causes: Readonly<Record<string, readonly ((sandbox: Sandbox) => object)[]>> = {
  'an outage: 503': [sandbox => sandbox.fail('*', { status: 503 })],
  'no connection (not-sent)': [() => ({ fetch: undefined, baseUrl: 'http://127.0.0.1:1' })],
  'the response was lost, or took too long': [sandbox => sandbox.drop('*', { acted: true })],
  '429': [sandbox => sandbox.fail('*', { status: 429 })],
  'a wrong or rotated key: 401': [sandbox => sandbox.fail('*', refused(401))],
  'no permission: 403 of the service': [sandbox => sandbox.fail('*', refused(403))],
  "a firewall's 403, a redirect, a login page": [403, 302, 200].map(
    status => (sandbox: Sandbox) => sandbox.fail('*', html(status)),
  ),
  'an option is missing': [() => ({ apiKey: () => '', legacyApiKey: () => '' })],
  'an invalid input': [() => ({})],
  'the service rejects the job: 400, 404, 409, 422': [400, 404, 409, 422].map(
    status => (sandbox: Sandbox) => sandbox.fail('*', refused(status)),
  ),
};

const cells = readFileSync(`${root}docs/bulk.md`, 'utf8')
  .split('\n')
  .filter(line => line.startsWith('|'))
  .map(line => line.split('|').map(cell => cell.replaceAll('`', '').trim()));

test.each(Object.entries(causes))('the guide says what a queue does after %s', async (failure, makers) => {
  const [, , idempotent, other] = cells.find(([, first]) => first === failure) ?? [];
  const email = failure === 'an invalid input' ? 'ada@' : 'ada@example.com';
  for (const cause of makers) {
    const sandbox = createSandbox();
    const made = cause(sandbox);
    const options = 'hits' in made ? {} : made;
    const client = new EmailMarketingClient({ ...sandbox.clientOptions, maxRetries: 0, ...options });
    const actionOf = async (call: Promise<unknown>) =>
      queueAction(await call.catch((error: unknown) => error));
    expect([
      await actionOf(client.legacy.identify({ email })),
      await actionOf(client.events.record({ name: 'order placed', identifier: email })),
    ]).toEqual([idempotent, other]);
  }
});
