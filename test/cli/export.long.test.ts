import { appendFileSync, existsSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test, vi } from 'vitest';
import { lacksSignals, until } from '../support/staged-programs.ts';
import { endedWith, stageBuilt as stage } from './run-cli.ts';
import { hasNoTerminal, runOnTerminal } from './terminal.ts';

// Each test starts processes, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const few = { ambiguities: { contactPageCap: 10, overCap: 'cap' } } as const;

describe('export', () => {
  test.each(lacksSignals ? (['SIGKILL'] as const) : (['SIGKILL', 'SIGINT'] as const))(
    'is resumed after %s with every contact once',
    async signal => {
      await using staged = await stage({ seed: { contacts: 300 }, ...few });
      const { sandbox, read, path } = staged;
      const slow = sandbox.latency('GET /contact', 100);
      const { child, ended } = staged.start('export', '--out', 'out.csv');
      await until(() => existsSync(path('out.csv.checkpoint')));
      child.kill(signal);
      expect((await ended).code).toBe(signal === 'SIGINT' ? 130 : null);
      expect(existsSync(path('out.csv'))).toBe(false);
      slow.cancel();
      appendFileSync(path('out.csv.part'), '"half a li');
      const before = sandbox.requests.count('GET /contact');
      expect(await staged.run('export', '--out', 'out.csv')).toMatchObject(
        endedWith(0, /Resuming after \d+ contacts/),
      );
      const rows: { id: string }[] = parse(read('out.csv'), { columns: true });
      expect(rows.map(({ id }) => id)).toEqual(sandbox.state.contacts.all.map(({ id }) => id));
      const offsets = sandbox.requests.to('GET /contact').slice(before);
      expect(offsets.map(({ query }) => Number(query.offset))).not.toContain(0);
      expect(existsSync(path('out.csv.checkpoint'))).toBe(false);
    },
  );
});

describe.skipIf(hasNoTerminal)('on a terminal, the command', () => {
  test('shows the rate, and for a known number of rows the remaining time', async () => {
    await using staged = await stage({ seed: { contacts: 300 }, ...few });
    staged.sandbox.latency('GET /contact', 15);
    const exported = await runOnTerminal(staged, 'export --out terminal.csv');
    expect(exported.text).toMatch(/Exported \d\d, \d+\/s.*Exported 300, \d+\/s\S*\r\n/s);
    staged.sandbox.latency('POST /contact/identify', 15);
    const rows = Array.from({ length: 100 }, (_, index) => `p${index}@example.com\n`);
    staged.write('people.csv', `email\n${rows.join('')}`);
    const { text } = await runOnTerminal(staged, 'import people.csv --mailable everyone --yes');
    expect(text).toMatch(/Imported \d+ of 100 \(\d+%\), \d+ s left, \d+\/s/);
    expect(text).toMatch(/Imported 100 of 100 \(100%\), 0 s left, \d+\/s/);
  });

  test('asks before an import, and sends nothing after a no or Ctrl-C', async () => {
    await using staged = await stage();
    staged.write('people.csv', 'email\nada@example.com\n');
    const no = await runOnTerminal(staged, 'import people.csv --mailable everyone', {}, 'n\n');
    expect(no).toMatchObject({
      code: 2,
      text: expect.stringMatching(/Send 1 row to 127\.0\.0\.1:\d+, team sandbox-team\? \[y\/N\]/),
    });
    expect(staged.sandbox.requests.count()).toBe(0);
    const interrupted = await runOnTerminal(staged, 'import people.csv --mailable everyone', {}, '\u0003');
    expect(interrupted.code).toBe(130);
    expect(staged.sandbox.requests.count()).toBe(0);
    expect(await runOnTerminal(staged, 'import people.csv --mailable everyone', {}, 'y\n')).toMatchObject({
      code: 0,
    });
    expect(staged.sandbox.requests.count()).toBe(1);
  });

  test('sends nothing of a file that changes during the prompt', async () => {
    await using staged = await stage();
    staged.write('people.csv', 'email\nada@example.com\n');
    const change = () => staged.write('people.csv', 'email\neve@example.com\n');
    const ended = await runOnTerminal(staged, 'import people.csv --mailable everyone', {}, 'y\n', change);
    expect(ended).toMatchObject({
      code: 2,
      text: expect.stringContaining('people.csv changed after it was read'),
    });
    expect(staged.sandbox.requests.count()).toBe(0);
    expect(await runOnTerminal(staged, 'import people.csv --mailable everyone', {}, 'y\n')).toMatchObject({
      code: 0,
    });
    expect(staged.sandbox.state.contacts.all).toMatchObject([{ email: 'eve@example.com' }]);
  });
});
