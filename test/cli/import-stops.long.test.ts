import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { lacksSignals, until } from '../support/staged-programs.ts';
import { surroundings } from '../support/surroundings.ts';
import { agreed, identify, stageBuilt as stage } from './run-cli.ts';

describe('import', () => {
  test.skipIf(lacksSignals)(
    'stops at the end of its terminal, and the next run imports the other rows',
    async () => {
      await using staged = await stage();
      const { sandbox } = staged;
      const rows = Array.from({ length: 60 }, (_, index) => `p${index}@example.com,1`);
      staged.write('people.csv', agreed(`email,customFields.points\n${rows.join('\n')}\n`));
      const held = sandbox.hold(identify, { after: 16 });
      const args = ['import', 'people.csv', '--yes', '--json'];
      const { child, ended } = staged.start(...args);
      await held.arrived;
      // The shell and the system both report a closed terminal, to which nothing can be printed.
      child.kill('SIGHUP');
      child.stderr?.destroy();
      child.kill('SIGHUP');
      held.release();
      const { code, stdout } = await ended;
      expect(code).toBe(129);
      const { sent, pending } = JSON.parse(stdout);
      expect(sent + pending).toBe(60);
      expect(pending).toBeGreaterThan(0);
      const second = await staged.run(...args);
      expect(JSON.parse(second.stdout)).toMatchObject({ sent: pending, sentBefore: sent, pending: 0 });
      // The rows that were interrupted are sent twice.
      expect(sandbox.requests.count(identify)).toBeLessThanOrEqual(60 + 8);
    },
  );

  test('stops at Ctrl-C while it inspects a large file', async () => {
    await using staged = await stage();
    staged.write('people.csv', `email\n${'ada@example.com\n'.repeat(3_000_000)}`);
    const own = surroundings({ env: staged.env });
    const ended = main(['import', staged.path('people.csv'), '--yes'], own);
    await until(() => own.signals.listenerCount('SIGINT') > 0);
    own.signals.emit('SIGINT', 'SIGINT');
    expect(await ended).toBe(130);
    expect(own.stderr.text).toMatch(/^email-marketing-client import: Stopped\.\n$/);
    expect(existsSync(staged.path('people.csv.sent'))).toBe(false);
  });
});
