import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { endedWith, identify, stageBuilt as stage } from './run-cli.ts';

const file = 'email,firstName,unsubscribed\nada@example.com,Ada,\nnobody,N,\nbob@example.com,Bob,true\n';
const copies = (): string[] => readdirSync(tmpdir()).filter(name => name.startsWith('import-'));

test('import reads standard input, and leaves no copy of it', async () => {
  await using staged = await stage();
  const before = copies();
  const dry = await staged.pipe(file, 'import', '-', '--dry-run');
  expect(dry).toMatchObject(endedWith(1, /^standard input: 3 rows/));
  expect(dry.stderr).toContain('1 can be imported, 1 cannot');
  const ended = await staged.pipe(file, 'import', '-', '--yes', '--json', '--journal', 'people.journal');
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stdout)).toMatchObject({ sent: 1, rejected: 1, optedOut: 1 });
  expect(staged.read('people.rejected.csv')).toMatch(/\nemail must be an email address,nobody,N,\n$/);
  expect(staged.read('people.opted-out.csv')).toMatch(/,bob@example\.com,Bob,true\n$/);
  expect(copies()).toEqual(before);
});

test('an import from standard input is resumed by its journal', async () => {
  await using staged = await stage();
  const run = (text: string) => staged.pipe(text, 'import', '-', '--yes', '--journal', 'people.journal');
  staged.sandbox.fail(identify, { status: 401, times: 1 });
  expect(await run('email,customFields.n\nada@example.com,++1\n')).toMatchObject({ code: 2 });
  expect(await run('email,customFields.n\nada@example.com,++1\n')).toMatchObject({ code: 0 });
  await run('email,customFields.n\nada@example.com,++1\n');
  const sent = staged.sandbox.requests.to(identify).filter(({ status }) => status === 200);
  expect(sent).toHaveLength(1);
});

test.each([
  [['-', '--yes'], 'an import from standard input needs --journal FILE'],
  [['-', '--journal', 'people.journal'], 'nothing was sent, because standard input is not a terminal'],
  [['people.csv', '--yes', '--journal', 'people.journal'], '--journal is only for standard input (-)'],
])('import %j sends nothing', async (args, message) => {
  await using staged = await stage();
  staged.write('people.csv', file);
  const ended = await staged.pipe(file, 'import', ...args);
  expect(ended).toMatchObject(endedWith(2, message));
  expect(staged.sandbox.requests.count()).toBe(0);
});
