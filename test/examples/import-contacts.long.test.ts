import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stageProgram } from '../support/staged-programs.ts';

test('import-contacts identifies each row and prints those that fail', async () => {
  await using staged = await stageProgram(join(import.meta.dirname, '../../examples/import-contacts.mjs'));
  const rows = [
    { email: 'ada@example.com', firstName: 'Ada' },
    { email: 'nobody' },
    { email: 'alan@example.com' },
  ];
  writeFileSync(staged.path('people.jsonl'), rows.map(row => `${JSON.stringify(row)}\n`).join(''));
  const { code, stderr } = await staged.run('people.jsonl');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^line 2: .*email/);
  expect(staged.sandbox.state.contacts.all.map(({ email, firstName }) => [email, firstName])).toEqual([
    ['ada@example.com', 'Ada'],
    ['alan@example.com', ''],
  ]);
});
