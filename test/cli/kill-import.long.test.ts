// Kills the import command repeatedly, and counts the requests.
import { expect, test } from 'vitest';
import { until } from '../support/staged-programs.ts';
import { everyone, identify, sentRows, stageBuilt as stage } from './run-cli.ts';

const rowCount = 200;
const emails = Array.from({ length: rowCount }, (_, index) => `p${index}@example.com`);
/** Every second row increments a field, which must not happen twice; the others set one. */
const isCounted = (_: unknown, index: number): boolean => index % 2 === 0;
const rows = emails.map((email, index) =>
  isCounted(email, index) ? `${email},,++1` : `${email},P${index},`,
);

/** Random moments for kills: a number of requests after the start of the command, then a delay. */
const randomMoments = () =>
  Array.from({ length: 10 }, () => ({
    afterRequests: Math.floor(Math.random() * 12),
    delayMs: Math.random() * 5,
  }));

test.concurrent.each([1, 2, 3, 4, 5])(
  'resumes after ten kills at random moments without sending a counting row twice (import %i)',
  { timeout: 120_000 },
  async () => {
    await using staged = await stage();
    const { sandbox, start } = staged;
    staged.write('people.csv', `email,firstName,customFields.points\n${rows.join('\n')}\n`);
    const slow = sandbox.latency(identify, { ms: 8, when: ({ number }) => number % 3 > 0 });
    const moments = randomMoments();
    for (const { afterRequests, delayMs } of moments) {
      const before = sandbox.requests.count(identify);
      const { child, ended } = start('import', 'people.csv', ...everyone, '--concurrency', '8');
      await until(
        () => sandbox.requests.count(identify) >= before + afterRequests || child.exitCode !== null,
      );
      await new Promise(resolve => setTimeout(resolve, delayMs));
      child.kill('SIGKILL');
      await ended;
    }
    slow.cancel();
    const { code, stdout } = await staged.run('import', 'people.csv', ...everyone, '--json');
    const report = JSON.parse(stdout);
    const unknown = report.unknownFile ? staged.read('people.csv.unknown.csv') : '';
    const unknownEmails = unknown.match(/p\d+@example\.com/g) ?? [];
    const counted = sentRows(staged).flatMap(({ email, customFields }) => (customFields ? [`${email}`] : []));
    const killed = JSON.stringify(moments);
    expect(
      counted.filter((email, index) => counted.indexOf(email) < index),
      killed,
    ).toEqual([]);
    expect(new Set([...counted, ...unknownEmails]), killed).toEqual(new Set(emails.filter(isCounted)));
    const set = new Map(sandbox.state.contacts.all.map(({ email, firstName }) => [email, firstName]));
    const isLost = (email: string, index: number) =>
      !isCounted(email, index) && set.get(email) !== `P${index}`;
    expect(emails.filter(isLost), killed).toEqual([]);
    expect(report, killed).toMatchObject({ rows: rowCount, pending: 0, unknown: unknownEmails.length });
    expect(report.sent + report.rejected + report.unknown, killed).toBe(rowCount);
    expect(code, killed).toBe(unknownEmails.length > 0 ? 1 : 0);
    expect(counted.length).toBeGreaterThan(rowCount / 4);
  },
);
