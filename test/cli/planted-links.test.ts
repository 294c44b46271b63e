import { linkSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { everyone, stage } from './run-cli.ts';

const rows = 'email,"evil; rm -rf /"\nada@example.com,1\nnobody,2\n';

describe.skipIf(process.platform === 'win32')('in a folder where others can write', () => {
  const commands: readonly (readonly [file: string, args: readonly string[]])[] = [
    ['people.csv.rejected.csv', ['import', 'people.csv', ...everyone]],
    ['people.csv.not-mailed.csv', ['import', 'people.csv', '--yes', '--mailable', 'evil; rm -rf /=2']],
    ['out.csv.part', ['export', '--out', 'out.csv']],
  ];

  describe.each([
    ['symbolic', symlinkSync],
    ['hard', linkSync],
  ])('a %s link', (_, link) => {
    test.each(commands)('at %s is replaced, and the file that it leads to unchanged', async (name, args) => {
      await using staged = await stage({ seed: { contacts: 3 } });
      staged.write('.bashrc', 'mine');
      staged.write('people.csv', rows);
      link(staged.path('.bashrc'), staged.path(name));
      expect((await staged.run(...args)).code).toBeLessThan(2);
      expect(staged.read('.bashrc')).toBe('mine');
    });
  });

  test('a symbolic link in the place of the journal is an error in one line', async () => {
    await using staged = await stage();
    staged.write('.bashrc', 'mine');
    staged.write('people.csv', rows);
    symlinkSync(staged.path('.bashrc'), staged.path('people.csv.journal'));
    const ended = await staged.run('import', 'people.csv', ...everyone);
    expect(ended.code).toBe(2);
    expect(ended.stderr.trim().split('\n').at(-1)).toMatch(/people\.csv\.journal is not a journal/);
    expect(staged.read('.bashrc')).toBe('mine');
    expect(staged.sandbox.requests.count()).toBe(0);
  });
});

test('replaces control characters in the name of a file', async () => {
  await using staged = await stage({ seed: { contacts: 1 } });
  const name = '\u001b[2J\u009b\u202e\nSent 5 rows.csv';
  try {
    staged.write(name, rows);
  } catch {
    // Windows has no files of such a name: the first command says so as well.
  }
  const lines = [
    await staged.run('import', name, ...everyone),
    await staged.run('import', `none${name}`),
    await staged.run('export', '--out', `out${name}`),
  ].flatMap(({ stderr, stdout }) => `${stdout}${stderr}`.split('\n'));
  expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(lines.filter(line => line.startsWith('Sent'))).toEqual([]);
});
