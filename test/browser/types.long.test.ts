import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
const folder = mkdtempSync(join(tmpdir(), 'browser-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles a program with the settings of `src/browser`; returns the compiler's messages. */
function compile(program: string): string {
  const file = join(folder, 'page.ts');
  const settings = {
    extends: join(root, 'src/browser/tsconfig.json'),
    compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
    include: [],
    files: [file],
  };
  writeFileSync(file, program);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  try {
    execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe('the compiler settings of code for browsers', () => {
  test('accept what every browser has', () => {
    expect(compile("export const page = document.createElement('a').href;")).toBe('');
  });

  test.each([
    ['Buffer', "export const bytes = Buffer.from('');"],
    ['process', 'export const { env } = process;'],
    ['node:fs', "export { readFileSync } from 'node:fs';"],
  ])('refuse %s of Node', (name, program) => {
    expect(compile(program)).toContain(`'${name}'`);
  });
});
