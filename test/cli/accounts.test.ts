import { appendFileSync, existsSync, renameSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endedWith, everyone, identify, realTime, sentRows, stage } from './run-cli.ts';

const header = 'email,customFields.n,agreed\n';
const rows = Array.from({ length: 6 }, (_, index) => `p${index}@example.com,1\n`).join('');
const import_ = ['import', 'people.csv', ...everyone, '--concurrency', '1'];

/** A folder with a file to import, and two accounts: `run` is for the first one, `runOther` for the second. */
async function stageAccounts() {
  let skippedMs = 0;
  const staged = await stage({}, () => realTime() + skippedMs);
  const other = await stage();
  staged.write('people.csv', header + rows);
  return {
    ...staged,
    other: other.sandbox,
    hosts: [staged, other].map(({ env }) => new URL(env.EMAIL_MARKETING_BASE_URL).host) as [string, string],
    runOther: (...args: string[]) => staged.runWith(other.env, ...args),
    /** Lets time pass for the commands: they look at their file from time to time. */
    skip: (ms: number) => {
      skippedMs += ms;
    },
    /** Ends the next command after this many requests. */
    stopAfter: (count: number) => staged.sandbox.fail('*', { status: 401, times: 1, after: count }),
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]();
      await staged[Symbol.asyncDispose]();
    },
  };
}

describe('an import', () => {
  test.each([
    ['stopped', 3],
    ['complete', 6],
  ])('that is %s on one account is sent whole to another, and each resumes its own', async (_, stop) => {
    await using staged = await stageAccounts();
    staged.stopAfter(stop);
    const first = await staged.run(...import_);
    expect(first.stderr).toContain(
      `Mailing 6 people (0 stay out), to ${staged.hosts[0]}, team sandbox-team.`,
    );
    expect(await staged.runOther(...import_)).toMatchObject({ code: 0 });
    expect(staged.other.requests.count(identify)).toBe(6);
    expect(await staged.run(...import_)).toMatchObject({ code: 0 });
    expect(staged.sandbox.requests.to(identify).filter(({ status }) => status === 200)).toHaveLength(6);
    await staged.runOther(...import_);
    expect(staged.other.requests.count(identify)).toBe(6);
  });

  test('is resumed with another key of the same team', async () => {
    await using staged = await stageAccounts();
    const { apiKey } = staged.sandbox;
    staged.stopAfter(3);
    const old = { EMAIL_MARKETING_API_KEY: 'old-key-1', EMAIL_MARKETING_LEGACY_API_KEY: apiKey };
    await staged.runWith(old, ...import_);
    expect(await staged.run(...import_)).toMatchObject({ code: 0 });
    expect(staged.sandbox.requests.to(identify).filter(({ status }) => status === 200)).toHaveLength(6);
  });

  test('of another team of the same address sends every row', async () => {
    await using staged = await stageAccounts();
    await staged.run(...import_);
    const ended = await staged.runWith({ EMAIL_MARKETING_TEAM_ID: 'other' }, ...import_);
    expect(ended.stderr).toContain('Mailing 6 people');
  });
});

describe('a file that changes', () => {
  test.each<[string, (staged: Awaited<ReturnType<typeof stageAccounts>>) => void, ...added: string[]]>([
    [
      'is replaced',
      staged => {
        const other = header + rows.replaceAll('p', 'q');
        staged.write('new.csv', other);
        try {
          renameSync(staged.path('new.csv'), staged.path('people.csv'));
        } catch {
          // Windows does not rename over an open file: there, a program that saves writes into it.
          staged.write('people.csv', other);
        }
      },
    ],
    ['is written to', staged => appendFileSync(staged.path('people.csv'), 'late@example.com,1\n'), 'late'],
  ])(
    'because it %s during the import ends the import, which records the rows in flight',
    async (_, change, ...added) => {
      await using staged = await stageAccounts();
      const before = `${header}nobody,\n${rows}`;
      staged.write('people.csv', before);
      const second = staged.sandbox.hold(identify, { after: 1 });
      const running = staged.run(...import_, '--json');
      await second.arrived;
      change(staged);
      staged.skip(10_000);
      second.release();
      const ended = await running;
      expect(ended).toMatchObject(endedWith(2, 'Stopped: people.csv changed after it was read'));
      expect(ended.stderr).toContain('To go on, run the same command again: it sends what is left.');
      const { sent, rejected, pending } = JSON.parse(ended.stdout);
      expect(sent + rejected + pending).toBe(7);
      expect(pending).toBeGreaterThan(0);
      expect(existsSync(staged.path('people.csv.rejected.csv'))).toBe(false);
      if (added.length === 0) staged.write('people.csv', before);
      expect(await staged.run(...import_)).toMatchObject({ code: 1 });
      const emails = sentRows(staged).map(({ email }) => email);
      const all = [...added, ...[0, 1, 2, 3, 4, 5].map(index => `p${index}`)];
      expect(emails.sort()).toEqual(all.map(name => `${name}@example.com`));
    },
  );
});
