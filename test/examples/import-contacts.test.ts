import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stage, until } from './run-script.ts';

const script = 'import-contacts.mjs';
const people = 'Email,First name,Born,Plan,tags\n';
const identify = 'POST /contact/identify';

describe('import-contacts', () => {
  it('identifies each row by the columns it is told of', async () => {
    await using staged = await stage({});
    const { sandbox, run, path } = staged;
    writeFileSync(
      path('people.csv'),
      `${people}ada@example.com,"Ada, L.",1815-12-10,gold,a; b\nalan@example.com,,,,\n`,
    );
    const maps = ['--map', 'birthday=Born', '--map', 'customFields.plan=Plan'];
    expect(await run(script, 'people.csv', ...maps)).toMatchObject({ code: 0 });
    const bodies = sandbox.requests.to(identify).map(({ body }) => body);
    expect(bodies).toEqual([
      {
        email: 'ada@example.com',
        firstName: 'Ada, L.',
        birthday: '1815-12-10',
        tags: ['a', 'b'],
        customFields: { plan: 'gold' },
      },
      { email: 'alan@example.com' },
    ]);
    expect(existsSync(path('people.csv.failed.csv'))).toBe(false);
    expect(existsSync(path('people.csv.checkpoint'))).toBe(false);
  });

  it('checks every row and sends nothing in a dry run', async () => {
    await using staged = await stage({});
    const { sandbox, run, path } = staged;
    writeFileSync(path('people.csv'), `${people}ada@example.com,Ada,,,\nnobody,,,,\n`);
    const ended = await run(script, 'people.csv', '--dry-run');
    expect(ended).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('1 rows can be imported, 1 failed'),
    });
    expect(readFileSync(path('people.csv.failed.csv'), 'utf8')).toMatch(/^nobody,.*email must be/m);
    expect(sandbox.requests.count()).toBe(0);
  });

  it('writes rows that fail to a file that can be mended and imported in turn', async () => {
    await using staged = await stage({});
    const { sandbox, run, path } = staged;
    writeFileSync(path('people.csv'), `${people}nobody,Ada,,,\nalan@example.com,Alan,,,\n`);
    expect(await run(script, 'people.csv')).toMatchObject({ code: 3 });
    const failed = path('people.csv.failed.csv');
    writeFileSync(failed, readFileSync(failed, 'utf8').replace('nobody', 'ada@example.com'));
    expect(await run(script, 'people.csv.failed.csv')).toMatchObject({ code: 0 });
    expect(sandbox.state.contacts.all.map(({ firstName }) => firstName).sort()).toEqual(['Ada', 'Alan']);
  });

  it.each(['SIGKILL', 'SIGINT'] as const)('goes on after %s half-way', async signal => {
    await using staged = await stage({});
    const { sandbox, start, run, path } = staged;
    const rows = Array.from(
      { length: 400 },
      (_, index) => `${index % 50 ? `p${index}@example.com` : 'nobody'},P,,,`,
    );
    writeFileSync(path('people.csv'), people + rows.join('\n'));
    const slow = sandbox.latency(identify, 20);
    const { child, ended } = start(script, 'people.csv', '--concurrency', '4');
    await until(() => existsSync(path('people.csv.checkpoint')) && sandbox.requests.count(identify) > 200);
    child.kill(signal);
    expect((await ended).code).toBe(signal === 'SIGINT' ? 130 : null);
    slow.cancel();
    const before = sandbox.requests.count(identify);
    const second = await run(script, 'people.csv');
    expect(second).toMatchObject({ code: 3, stderr: expect.stringMatching(/going on after \d+ rows/) });
    expect(second.stderr).toContain('imported 392 contacts, 8 failed');
    expect(sandbox.state.contacts.all).toHaveLength(392);
    expect(readFileSync(path('people.csv.failed.csv'), 'utf8').trim().split('\n')).toHaveLength(9);
    if (signal === 'SIGINT') expect(sandbox.requests.count(identify)).toBeLessThanOrEqual(392 + 16);
    else expect(sandbox.requests.count(identify) - before).toBeLessThan(392);
  });

  it('tells of a broken file before it sends anything', async () => {
    await using staged = await stage({});
    const { sandbox, run, path } = staged;
    writeFileSync(path('people.csv'), `${people}ada@example.com,"Ada`);
    expect(await run(script, 'people.csv')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Quote'),
    });
    expect(await run(script, 'none.csv')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('none.csv'),
    });
    expect(await run(script, 'people.csv', '--map', 'emial=Email')).not.toMatchObject({ code: 0 });
    expect(sandbox.requests.count()).toBe(0);
  });

  it('can be tried without a service', async () => {
    await using staged = await stage({});
    const { run, path } = staged;
    writeFileSync(path('people.csv'), 'email\nada@example.com\n');
    expect(await run(script, 'people.csv', '--sandbox')).toMatchObject({ code: 0 });
  });
});
