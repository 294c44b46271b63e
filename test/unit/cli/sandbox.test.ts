import { expect, test } from 'vitest';
import { requestLog, richSeed } from '../../../src/cli/sandbox.ts';
import { createSandbox } from '../../../src/testing/index.ts';
import { rows } from '../../operations.ts';
import { surroundings } from '../../support/surroundings.ts';

/** Returns what the log prints about one request, on a terminal. */
async function logged(NO_COLOR: string): Promise<string> {
  const own = surroundings({ env: { NO_COLOR }, isTTY: true });
  const { fetch, apiKey } = createSandbox({ onResponse: requestLog(own) });
  await fetch('http://sandbox.test/api/v1/rest/post/tag/x', { headers: { 'X-Team-ApiKey': apiKey } });
  return own.stdout.text;
}

test('the request log names each fault that applied', async () => {
  const own = surroundings({ env: { NO_COLOR: '1' }, isTTY: true });
  const sandbox = createSandbox({ onResponse: requestLog(own) });
  sandbox.duplicate('lists.create');
  sandbox.fail('*', { status: 502 });
  await sandbox.fetch('http://sandbox.test/api/v1/rest/list', { method: 'POST' });
  expect(own.stdout.text).toMatch(/502 POST +\/api\/v1\/rest\/list \(duplicate\) \(fail\)$/m);
});

test('the request log has colour on a terminal, unless NO_COLOR is set', async () => {
  const line = await logged('');
  expect(line).toContain(' 404 GET ');
  expect([line.slice(0, 5), line.slice(-6)]).toEqual(['\u001b[31m', '\u001b[39m\n']);
  expect(await logged('1')).not.toContain('\u001b');
});

test.each(rows)('richSeed has the kind of records that $name reads or deletes', ({ seed }) => {
  expect(Object.keys({ ...richSeed, contacts: 10 })).toEqual(expect.arrayContaining(Object.keys(seed ?? {})));
});
