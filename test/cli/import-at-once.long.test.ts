import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { lacksSignals } from '../support/staged-programs.ts';
import { everyone, identify, stageBuilt } from './run-cli.ts';

const rowCount = 30;
const rows = Array.from({ length: rowCount }, (_, index) => `p${index}@example.com,++1\n`).join('');
const lock = 'people.csv.lock';

describe.skipIf(lacksSignals).each([false, true])('imports of one file at once (stale lock: %s)', isStale => {
  test.each([1, 2, 3, 4, 5, 6])('send each row once (try %i)', { timeout: 120_000 }, async () => {
    await using staged = await stageBuilt();
    if (isStale) {
      staged.write('other.csv', 'email\nother@example.com\n');
      const held = staged.sandbox.hold(identify);
      const killed = staged.start('import', 'other.csv', ...everyone);
      await held.arrived;
      killed.child.kill('SIGKILL');
      await killed.ended;
      held.release();
      copyFileSync(staged.path('other.csv.lock'), staged.path(lock));
    }
    staged.write('people.csv', `email,customFields.n\n${rows}`);
    const before = staged.sandbox.requests.count(identify);
    const ended = await Promise.all([1, 2, 3].map(() => staged.run('import', 'people.csv', ...everyone)));
    expect(ended.map(({ code }) => code)).toContain(0);
    for (const { code, stderr } of ended) if (code !== 0) expect(stderr).toMatch(/is using this file/);
    expect(staged.sandbox.requests.count(identify) - before).toBe(rowCount);
    expect(existsSync(staged.path(lock))).toBe(false);
    expect(readdirSync(staged.path('.')).filter(name => name.startsWith(`${lock}.`))).toEqual([]);
  });
});
