import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { cli, endedWith, everyone, identify, sentRows, stageBuilt as stage } from './run-cli.ts';

const file = 'email,firstName,unsubscribed\nada@example.com,Ada,\nnobody,N,\nbob@example.com,Bob,true\n';
const copies = (): string[] => readdirSync(tmpdir()).filter(name => name.startsWith('import-'));

test('import reads standard input, and leaves no copy of it', async () => {
  await using staged = await stage();
  const before = copies();
  const dry = await staged.pipe(file, 'import', '-', '--dry-run');
  expect(dry).toMatchObject(endedWith(1, /^email-marketing-client import: standard input: 3 rows/));
  expect(dry.stderr).toContain('1 can be imported, 1 cannot');
  const ended = await staged.pipe(file, 'import', '-', ...everyone, '--json', '--journal', 'people.journal');
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.stdout)).toMatchObject({ sent: 1, rejected: 1, optedOut: 1 });
  expect(staged.read('people.rejected.csv')).toMatch(/\nemail must be an email address,nobody,N,\n$/);
  expect(staged.read('people.opted-out.csv')).toMatch(/,bob@example\.com,Bob,true\n$/);
  expect(copies()).toEqual(before);
});

test('an import from standard input is resumed by its journal', async () => {
  await using staged = await stage();
  const run = (text: string) => staged.pipe(text, 'import', '-', ...everyone, '--journal', 'people.journal');
  staged.sandbox.fail(identify, { status: 401, times: 1 });
  expect(await run('email,customFields.n\nada@example.com,++1\n')).toMatchObject({ code: 2 });
  expect(await run('email,customFields.n\nada@example.com,++1\n')).toMatchObject({ code: 0 });
  await run('email,customFields.n\nada@example.com,++1\n');
  const sent = staged.sandbox.requests.to(identify).filter(({ status }) => status === 200);
  expect(sent).toHaveLength(1);
});

test('an import from standard input knows the file by its journal', async () => {
  await using staged = await stage();
  const args = ['import', '-', ...everyone, '--json', '--journal', 'unsubscribed_a.csv.journal'];
  const { stdout } = await staged.pipe('email\nada@example.com\n', ...args);
  expect(JSON.parse(stdout)).toMatchObject({ sent: 0, optedOut: 1 });
});

test('a pipe that ends early does not complete an import, which the whole input resumes', async () => {
  await using staged = await stage();
  const rows = Array.from({ length: 40 }, (_, index) => `p${index}@example.com,++1\n`);
  const run = (text: string, ...args: string[]) =>
    staged.pipe(text, 'import', '-', ...everyone, '--journal', 'people.journal', ...args);
  const text = ['email,customFields.n\n', ...rows];
  const early = await run(text.slice(0, 23).join(''));
  expect(early).toMatchObject(endedWith(0, 'If the command before the pipe failed, run both again'));
  const cut = await run(text.join('').slice(0, -5));
  expect(cut).toMatchObject(endedWith(2, 'standard input ends within a row'));
  expect(staged.sandbox.requests.count(identify)).toBe(22);
  expect(await run(text.join(''))).toMatchObject(endedWith(0, 'skipping 22 rows sent before'));
  expect(await run(text.join(''), '--restart')).toMatchObject(endedWith(0, 'Nothing is left to send'));
  const emails = sentRows(staged).map(({ email }) => email);
  expect([emails.length, new Set(emails).size]).toEqual([40, 40]);
});

test('a file on standard input has a certain end', async () => {
  await using staged = await stage();
  staged.write('people.csv', 'email,customFields.n\nada@example.com,++1');
  const run = (...args: string[]) => {
    const input = openSync(staged.path('people.csv'), 'r');
    const options = { cwd: staged.path('.'), env: staged.env, stdio: [input] };
    const child = spawn(
      process.execPath,
      [cli, 'import', '-', ...everyone, '--journal', 'j', ...args],
      options,
    );
    return new Promise(resolve => child.on('close', resolve)).finally(() => closeSync(input));
  };
  expect([await run(), await run(), await run('--restart')]).toEqual([0, 0, 0]);
  expect(staged.sandbox.requests.count(identify)).toBe(2);
});

test.each([
  [['-', ...everyone], 'an import from standard input needs --journal FILE'],
  [['-', '--journal', 'people.journal'], 'nothing was sent, because standard input is not a terminal'],
  [['people.csv', ...everyone, '--journal', 'people.journal'], '--journal is only for standard input (-)'],
])('import %j sends nothing', async (args, message) => {
  await using staged = await stage();
  staged.write('people.csv', file);
  const ended = await staged.pipe(file, 'import', ...args);
  expect(ended).toMatchObject(endedWith(2, message));
  expect(staged.sandbox.requests.count()).toBe(0);
});
