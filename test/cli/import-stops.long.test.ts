import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { lacksSignals, until } from '../support/staged-programs.ts';
import { surroundings } from '../support/surroundings.ts';
import { endedWith, everyone, identify, stageBuilt as stage } from './run-cli.ts';

// Each test starts processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

describe('import', () => {
  test('stops after 25 consecutive failures', async () => {
    await using staged = await stage();
    const rows = Array.from({ length: 200 }, (_, index) => `p${index}@example.com`);
    staged.write('people.csv', `email,agreed\n${rows.join('\n')}\n`);
    staged.sandbox.fail(identify, { status: 400 });
    const ended = await staged.run('import', 'people.csv', ...everyone, '--json', '--concurrency', '16');
    expect(ended).toMatchObject(endedWith(2, '25 consecutive rows failed'));
    expect(ended.stderr).not.toContain('Warning');
    const { rejected, pending } = JSON.parse(ended.stdout);
    expect(rejected + pending).toBe(200);
    expect(rejected).toBeLessThan(25 + 16);
  });

  test.skipIf(lacksSignals)(
    'waits for rows in flight after the end of its terminal, and resumes with the others',
    async () => {
      await using staged = await stage();
      const { sandbox } = staged;
      const rows = Array.from({ length: 60 }, (_, index) => `p${index}@example.com,1`);
      staged.write('people.csv', `email,customFields.points,agreed\n${rows.join('\n')}\n`);
      const held = sandbox.hold(identify, { after: 8 });
      const args = ['import', 'people.csv', ...everyone, '--json'];
      const { child, ended } = staged.start(...args, '--concurrency', '4');
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
      expect(sandbox.requests.count(identify)).toBe(60);
    },
  );

  test('stops at Ctrl-C while it inspects a large file', async () => {
    await using staged = await stage();
    staged.write('people.csv', `email,agreed\n${'ada@example.com\n'.repeat(3_000_000)}`);
    const own = surroundings({ env: staged.env });
    const ended = main(['import', staged.path('people.csv'), ...everyone], own);
    await until(() => own.signals.listenerCount('SIGINT') > 0);
    own.signals.emit('SIGINT', 'SIGINT');
    expect(await ended).toBe(130);
    expect(own.stderr.text).toBe('email-marketing-client import: Stopped.\n');
    expect(existsSync(staged.path('people.csv.sent'))).toBe(false);
  });
});
