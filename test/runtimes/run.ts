/**
 * Installs the packed package in an empty folder and puts it through one scenario on every runtime.
 * Usage: `npm run test:runtimes`, or with names: `npm run test:runtimes -- bun deno`.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { makeProject } from './project.ts';
import { runtimes } from './runtimes.ts';

const asked = process.argv.slice(2);
const folder = makeProject('app');
const found = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'));
assert.deepEqual(found, ['email-marketing-client'], 'installing it brings in nothing else');

for (const [name, run] of Object.entries(runtimes)) {
  if (asked.length > 0 && !asked.some(part => name.toLowerCase().includes(part.toLowerCase()))) continue;
  const sandbox = createSandbox({
    seed: { contacts: 250, senders: 2, customFields: [{ name: 'points', type: 'number' }] },
  });
  sandbox.fail('GET /sender', { status: 503, retryAfter: 0, times: 1 });
  sandbox.stall('GET /post/tag');
  check(name, await run(folder, sandbox), sandbox);
  console.log(`${name}: as expected`);
}

/** What the scenario must come to, by the specification and the sandbox's own records. */
function check(name: string, result: unknown, { state, requests }: Sandbox): void {
  const created = state.domains.all[0]?.created ?? 0n;
  const seconds = new Date(Number(created / 1_000_000_000n) * 1000).toISOString().slice(0, 19);
  const printed = ['[redacted]', '{"it":"[redacted]"}', '[redacted]'];
  const expected = {
    walked: 250,
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
  assert.equal(requests.count('GET /sender'), 2, `${name}: the refused call was made again once`);
  assert.equal(requests.count('GET /post/tag'), 2, `${name}: neither late nor cancelled calls were`);
  assert.equal(requests.last('POST /contact/track')?.query.email, 'ada+news@example.com', name);
}
