import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stageProgram, until } from '../support/staged-programs.ts';

const script = join(import.meta.dirname, '../../examples/export-contacts.mjs');
const few = { ambiguities: { contactPageCap: 10, overCap: 'cap' } } as const;

test('export-contacts writes every contact as a line of JSON, and resumes after the last written page', async () => {
  await using staged = await stageProgram(script, { seed: { contacts: 300 }, ...few });
  const { sandbox, path } = staged;
  const slow = sandbox.latency('GET /contact', 20);
  const { child, ended } = staged.start('out.jsonl');
  await until(() => existsSync(path('out.jsonl.checkpoint')));
  child.kill('SIGTERM');
  await ended;
  slow.cancel();
  expect(await staged.run('out.jsonl')).toMatchObject({ code: 0 });
  const lines = new Set(readFileSync(path('out.jsonl'), 'utf8').trim().split('\n'));
  expect([...lines].map(line => JSON.parse(line).email)).toEqual(
    sandbox.state.contacts.all.map(({ email }) => email),
  );
  expect(existsSync(path('out.jsonl.checkpoint'))).toBe(false);
});
