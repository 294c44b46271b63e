import { expect, test } from 'vitest';
import { logRequest } from '../../../src/cli/sandbox.ts';
import { createSandbox } from '../../../src/testing/index.ts';
import { surroundings } from '../../support/surroundings.ts';

test('the request log names each fault that applied', async () => {
  const own = surroundings();
  const sandbox = createSandbox({ onResponse: request => logRequest(own, request) });
  sandbox.latency('lists.create', 0);
  sandbox.fail('*', { status: 502 });
  await sandbox.fetch('http://sandbox.test/api/v1/rest/list', { method: 'POST' });
  expect(own.stdout.text).toMatch(/502 POST +\/api\/v1\/rest\/list \(latency\) \(fail\)$/m);
});
