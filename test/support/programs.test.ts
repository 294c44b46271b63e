import { afterEach, describe, expect, test, vi } from 'vitest';
import { pathOf, skipsWithout } from './programs.ts';

const missing = { name: 'Telegraph', paths: [undefined, '/no/such/program'], help: 'install it.' };
const present = { name: 'Node', paths: ['/no/such/program', process.execPath], help: '' };

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('a program that tests need', () => {
  test('is looked for in its usual places', () => {
    expect(pathOf(present)).toBe(process.execPath);
    expect(skipsWithout(present)).toBe(false);
    expect(() => pathOf(missing)).toThrow('Telegraph is missing: install it.');
  });

  test('has its tests skipped on the machine of a developer who lacks it, with a line that says how to get it', () => {
    vi.stubEnv('CI', '');
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(skipsWithout(missing)).toBe(true);
    expect(warn).toHaveBeenCalledWith('Skipped, as Telegraph is missing: install it.');
  });

  test('has no test skipped in CI', () => {
    vi.stubEnv('CI', 'true');
    expect(skipsWithout(missing)).toBe(false);
  });
});
