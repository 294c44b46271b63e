// The program in Python of the guide, as it stands there.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';

const guide = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)('the program of the guide runs against a sandbox', async () => {
  const [, program = ''] = /^```python\n(.*?)^```$/ms.exec(guide) ?? [];
  expect(program).toContain('"kind": "lag"');
  const sandbox = createSandbox({ ambiguities: { unknownFields: 'reject' } });
  await using server = await sandbox.listen();
  const env = { ...process.env, EMAIL_MARKETING_BASE_URL: server.url };
  await promisify(execFile)('python3', ['-c', program], { env });
  const used = sandbox.requests.map(({ fault }) => fault);
  expect(used).toEqual([undefined, undefined, 'lag', 'lag', 'duplicate', 'trickle']);
});
