import { linkSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { everyone, stage } from './run-cli.ts';

const rows = 'email,"evil; rm -rf /",agreed\nada@example.com,1\nnobody,2\n';

// Windows makes symbolic links for administrators only.
describe.skipIf(process.platform === 'win32')('in a folder where others can write', () => {
  const commands: readonly (readonly [file: string, args: readonly string[]])[] = [
    ['people.csv.rejected.csv', ['import', 'people.csv', ...everyone]],
    ['people.csv.left-out.csv', ['import', 'people.csv', '--yes', '--mailable', 'evil; rm -rf /=2']],
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

  test('a symbolic link in the place of the record is an error in one line', async () => {
    await using staged = await stage();
    staged.write('.bashrc', 'mine');
    staged.write('people.csv', rows);
    symlinkSync(staged.path('.bashrc'), staged.path('people.csv.sent'));
    const ended = await staged.run('import', 'people.csv', ...everyone);
    expect(ended.code).toBe(2);
    expect(ended.stderr.trim().split('\n').at(-1)).toMatch(/people\.csv\.sent is not a record/);
    expect(staged.read('.bashrc')).toBe('mine');
    expect(staged.sandbox.requests.count()).toBe(0);
  });
});
