// The example in Python runs against a sandbox.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { pathOf, python, skipsWithout } from '../support/programs.ts';

const example = fileURLToPath(new URL('../../examples/sandbox.py', import.meta.url));

test.skipIf(skipsWithout(python))('the example in Python runs against a sandbox', async () => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  const env = { ...process.env, EMAIL_MARKETING_BASE_URL: server.url };
  await promisify(execFile)(pathOf(python), [example], { env });
  const used = sandbox.requests.map(({ appliedFaults }) => appliedFaults);
  expect(used).toMatchObject([undefined, undefined, undefined, undefined, [{ kind: 'fail' }]]);
});
