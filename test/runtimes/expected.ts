// The sandbox of the scenario for runtimes, and the expected result.
import assert from 'node:assert/strict';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';

/** Makes the sandbox of the scenario: one listing fails once, another never responds. */
export function makeSandbox(): Sandbox {
  const customFields = [{ name: 'points', type: 'number' }] as const;
  const sandbox = createSandbox({ seed: { contacts: 250, senders: 2, customFields } });
  sandbox.fail('GET /sender', { status: 503, retryAfter: 0, times: 1 });
  sandbox.stall('GET /post/tag');
  return sandbox;
}

/** Compares the result of the scenario with the service's rules and the sandbox's records. */
export function check(name: string, result: unknown, { state, requests }: Sandbox): void {
  const created = state.domains.all[0]?.created ?? 0n;
  const seconds = new Date(Number(created / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  const printed = ['[redacted]', '{"it":"[redacted]"}', '[redacted]'];
  const expected = {
    iterated: 250,
    error: ['ConflictError', 409, 'refused', true],
    refusal: ['InvalidRequestError', 'not-sent', 1],
    retried: [2, 200],
    timeout: ['TimeoutError', 'unknown', 'timeout', 'head'],
    cancelled: 'left',
    created: [`${seconds}.${String(created % 1_000_000_000n).padStart(9, '0')}Z`, String(created)],
    points: '10',
    secret: 'string',
    printed,
    leaks: false,
  };
  assert.deepEqual(result, expected, name);
  assert.equal(requests.count('GET /sender'), 2, `${name}: the rejected call is retried once`);
  assert.ok(
    requests.count('GET /post/tag') <= 2,
    `${name}: calls that are late or cancelled are not retried`,
  );
  assert.equal(requests.last('POST /contact/track')?.query.email, 'ada+news@example.com', name);
}
