// A restart repeats nothing that counts: only who deletes the journal sends such a row again.
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endedWith, everyone, identify, sentRows, stage } from './run-cli.ts';

const header = 'email,newEmail,customFields.n\n';
/** Two rows that count, one that changes an address, and one that may be sent again. */
const rows = 'a@x.test,,++1\nb@x.test,,--1\nc@x.test,d@x.test,\ne@x.test,,7\n';

/** A sandbox, and a complete import in which nobody knows whether the first row took effect. */
async function stageImported(text = header + rows) {
  const staged = await stage();
  const run = (...args: string[]) =>
    staged.run('import', 'people.csv', ...everyone, '--concurrency', '1', ...args);
  staged.write('people.csv', text);
  staged.sandbox.fail(identify, { status: 500, acted: true, times: 1 });
  expect(await run()).toMatchObject({ code: 1 });
  const before = staged.sandbox.requests.count(identify);
  return {
    ...staged,
    run,
    sent: () =>
      sentRows(staged)
        .slice(before)
        .map(({ email }) => email),
  };
}

/** What is said of the rows that stay out. */
const said = (rows: string) =>
  `${rows} with ++, -- or newEmail may have been sent before, and will not be sent`;

describe('--restart', () => {
  test('sends no row again that counts, and names each of them', async () => {
    await using staged = await stageImported();
    const { code, stderr, stdout } = await staged.run('--restart', '--json');
    expect([code, staged.sent()]).toEqual([0, ['e@x.test']]);
    expect(stderr).toContain(said('3 rows'));
    expect(stderr).toContain('3 left out, as they may have been sent before (people.csv.sent-before.csv)');
    expect(JSON.parse(stdout)).toMatchObject({
      sent: 1,
      sentBefore: 3,
      sentBeforeFile: 'people.csv.sent-before.csv',
    });
    const reason = '"may have been sent before, and must not be sent twice"';
    const named = ['a@x.test,,++1', 'b@x.test,,--1', 'c@x.test,d@x.test,'];
    expect(staged.read('people.csv.sent-before.csv').split('\n').slice(1, 4)).toEqual(
      named.map(row => `${reason},${row}`),
    );
    expect(staged.read('people.csv.unknown.csv')).toContain('a@x.test');
  });

  test('sends none of them of a file that has changed, nor at the second time', async () => {
    await using staged = await stageImported();
    staged.write('people.csv', `${header}f@x.test,,++1\n${rows.replaceAll('++1', '++2')}`);
    expect(await staged.run('--restart')).toMatchObject({ code: 0 });
    expect(staged.sent()).toEqual(['f@x.test', 'e@x.test']);
    expect(await staged.run('--restart')).toMatchObject({ code: 0 });
    expect(staged.sent()).toEqual(['f@x.test', 'e@x.test', 'e@x.test']);
  });

  test('that stopped is resumed without them', async () => {
    await using staged = await stageImported(`${header}${rows}g@x.test,,8\n`);
    staged.sandbox.fail(identify, { status: 401, times: 1, after: 1 });
    expect(await staged.run('--restart')).toMatchObject({ code: 2 });
    expect(await staged.run('--restart')).toMatchObject(endedWith(0, 'Resuming: 1 row left of 5.'));
    expect(staged.sent()).toEqual(['e@x.test', 'g@x.test', 'g@x.test']);
  });

  test('with other answers sends a row that no longer counts, also after an import that stopped', async () => {
    await using staged = await stage();
    staged.sandbox.fail(identify, { status: 401, times: 1, after: 2 });
    const text = `${header}a@x.test,,++1\nb@x.test,,++1\nc@x.test,,++1\n`;
    const args = [...everyone, '--concurrency', '1'];
    expect(await staged.importText(text, ...args)).toMatchObject({ code: 2 });
    const other = [...args, '--map', 'customFields.n='];
    expect(await staged.importText(text, ...other)).toMatchObject(
      endedWith(2, '--restart sends all rows again, except those with ++, -- or newEmail that may have been'),
    );
    expect(await staged.importText(text, ...other, '--restart')).toMatchObject(endedWith(0, '3 sent'));
    expect(await staged.importText(text, ...args, '--restart')).toMatchObject(endedWith(0, '1 sent'));
    const counted = sentRows(staged).filter(({ customFields }) => customFields !== undefined);
    // The row that got 401 was not performed.
    expect(counted.map(({ email }) => email)).toEqual(['a@x.test', 'b@x.test', 'c@x.test', 'c@x.test']);
  });

  test('says in a dry run, too, what it will not send', async () => {
    await using staged = await stageImported();
    const dry = ['import', 'people.csv', '--mailable', 'everyone', '--dry-run'];
    const { code, stderr } = await staged.runWith({ EMAIL_MARKETING_API_KEY: '' }, ...dry, '--restart');
    expect([code, staged.sent()]).toEqual([0, []]);
    expect(stderr).toContain(said('3 rows'));
    expect(stderr).toMatch(/ 1 can be imported\n {2}3 left out, as they may have been sent before\n$/);
    expect(await staged.run('--dry-run')).toMatchObject(endedWith(1, 'Nothing is left to send'));
  });
});

test('without its journal, an import sends every row again', async () => {
  await using staged = await stageImported();
  rmSync(staged.path('people.csv.journal'));
  expect(await staged.run()).toMatchObject({ code: 0 });
  expect(staged.sent()).toEqual(['a@x.test', 'b@x.test', 'c@x.test', 'e@x.test']);
});
