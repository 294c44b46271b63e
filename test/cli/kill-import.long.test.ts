// Kills the import command repeatedly, and counts the requests.
import { expect, test } from 'vitest';
import { until } from '../support/staged-programs.ts';
import { agreed, identify, stageBuilt as stage } from './run-cli.ts';

const rowCount = 200;
const emails = Array.from({ length: rowCount }, (_, index) => `p${index}@example.com`);
const rows = emails.map((email, index) => `${email},P${index}`);

/** Random moments for kills: a number of requests after the start of the command, then a delay. */
const randomMoments = () =>
  Array.from({ length: 10 }, () => ({
    afterRequests: Math.floor(Math.random() * 12),
    delayMs: Math.random() * 5,
  }));

test.concurrent.each([1, 2, 3, 4, 5])(
  'resumes after ten kills at random moments, and sends few rows twice (import %i)',
  { timeout: 120_000 },
  async () => {
    await using staged = await stage();
    const { sandbox, start } = staged;
    staged.write('people.csv', agreed(`email,firstName\n${rows.join('\n')}\n`));
    const slow = sandbox.latency(identify, { ms: 8, when: ({ number }) => number % 3 > 0 });
    const moments = randomMoments();
    for (const { afterRequests, delayMs } of moments) {
      const before = sandbox.requests.count(identify);
      const { child, ended } = start('import', 'people.csv', '--yes');
      await until(
        () => sandbox.requests.count(identify) >= before + afterRequests || child.exitCode !== null,
      );
      await new Promise(resolve => setTimeout(resolve, delayMs));
      child.kill('SIGKILL');
      await ended;
    }
    slow.cancel();
    const { code, stdout } = await staged.run('import', 'people.csv', '--yes', '--json');
    const report = JSON.parse(stdout);
    const killed = JSON.stringify(moments);
    const set = new Map(sandbox.state.contacts.all.map(({ email, firstName }) => [email, firstName]));
    expect(
      emails.filter((email, index) => set.get(email) !== `P${index}`),
      killed,
    ).toEqual([]);
    expect(report, killed).toMatchObject({ rows: rowCount, pending: 0, rejected: 0 });
    expect(code, killed).toBe(0);
    // A row is sent twice if its response or its line in the record came too late.
    expect(sandbox.requests.count(identify) - rowCount, killed).toBeLessThanOrEqual(10 * 8 * 2);
  },
);
