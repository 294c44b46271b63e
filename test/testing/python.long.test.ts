// The program in Python of the guide, as it stands there.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { pathOf, python, skipsWithout } from '../support/programs.ts';

const guide = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');

test.skipIf(skipsWithout(python))('the program of the guide runs against a sandbox', async () => {
  const [, program = ''] = /^```python\n(.*?)^```$/ms.exec(guide) ?? [];
  expect(program).toContain('"kind": "lag"');
  const sandbox = createSandbox({ ambiguities: { unknownFields: 'reject' } });
  await using server = await sandbox.listen();
  const env = { ...process.env, EMAIL_MARKETING_BASE_URL: server.url };
  await promisify(execFile)(pathOf(python), ['-c', program], { env });
  const used = sandbox.requests.map(({ fault }) => fault);
  expect(used).toEqual([undefined, undefined, 'lag', 'lag', 'duplicate', 'trickle']);
});
