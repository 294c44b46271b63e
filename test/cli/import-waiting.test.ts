import { afterEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { eventually } from '../support/eventually.ts';
import { surroundings } from '../support/surroundings.ts';
import { everyone, identify, sentRows, stage } from './run-cli.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Starts an import of rows in the process of the test, of which the service never responds to one address. */
async function startWithHanging(
  staged: Awaited<ReturnType<typeof stage>>,
  rows: readonly string[],
  isOne = true,
) {
  const { sandbox, env, path, write } = staged;
  write('people.csv', `email,customFields.points,agreed\n${rows.join('\n')}\n`);
  const when = isOne ? { body: { email: 'hangs@example.com', customFields: { points: '7' } } } : undefined;
  sandbox.stall(identify, { ...(when && { when }) });
  const own = surroundings({ env });
  const ended = main(['import', path('people.csv'), ...everyone, '--json', '--concurrency', '16'], own);
  return { own, ended };
}

const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@example.com,1`);

describe('import: an address that never responds', () => {
  test('holds up no other, and after Ctrl-C for five seconds only itself', async () => {
    await using staged = await stage();
    const { own, ended } = await startWithHanging(staged, ['hangs@example.com,7', ...rowsOf(200)]);
    await eventually(() => expect(sentRows(staged)).toHaveLength(201));
    await eventually(() => expect(staged.read('people.csv.sent').trim().split('\n')).toHaveLength(201));
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    own.signals.emit('SIGINT', 'SIGINT');
    await vi.advanceTimersByTimeAsync(4_999);
    expect(own.stdout.text).toBe('');
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toBe(130);
    const report = JSON.parse(own.stdout.text);
    expect(report).toMatchObject({ sent: 200, pending: 1, stopped: 'interrupted by a signal' });
  });

  test.each(['SIGHUP', 'SIGTERM'])('and after %s, rows in flight are left to send', async signal => {
    await using staged = await stage();
    const { own, ended } = await startWithHanging(staged, rowsOf(30), false);
    await eventually(() => expect(sentRows(staged)).toHaveLength(16));
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    own.signals.emit(signal, signal);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await ended).toBe(signal === 'SIGHUP' ? 129 : 143);
    expect(JSON.parse(own.stdout.text)).toMatchObject({ sent: 0, pending: 30 });
    expect(sentRows(staged)).toHaveLength(16);
  });
});

test('import shows on a terminal how much of a file it has read, and of the rows sent', async () => {
  await using staged = await stage();
  const left = Array.from({ length: 50_000 }, (_, index) => `left${index}@example.com,no\n`).join('');
  staged.write('people.csv', `email,Status\n${left}a@example.com,yes\nb@example.com,yes\nnobody,yes\n`);
  let ms = 0;
  const run = async () => {
    const own = { ...surroundings({ env: staged.env, isTTY: true }), now: () => (ms += 1000) };
    await main(
      ['import', staged.path('people.csv'), '--yes', '--mailable', 'Status=yes', '--concurrency', '1'],
      own,
    );
    expect(own.stderr.text).not.toMatch(/(?!100)\d{3}%/);
    return ['Read', 'Imported', 'Looked for rows that were not sent in'].map(verb =>
      own.stderr.text
        .split('\n')
        .find(line => line.includes(`\r${verb} `))
        ?.match(/\d+%/g)
        ?.at(-1),
    );
  };
  staged.sandbox.fail(identify, { status: 401, after: 1, times: 1 });
  expect(await run()).toEqual(['100%', '50%', '100%']);
  expect(await run()).toEqual(['100%', '100%', '100%']);
});
