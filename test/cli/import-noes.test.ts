// Whom an import of a file left out stays out, until the column that decided says something else, or --readmit.
import { describe, expect, test } from 'vitest';
import { endedWith, mailable, sentRows, stage, unless } from './run-cli.ts';

const header = 'email,Status,Tags,Group\n';
const text = `${header}ada@x.test,on,vip,A\nbob@x.test,off,vip,A\ncyd@x.test,on,"vip;No mail",A\ndora@x.test,on,,A\n`;
const all = [...mailable('Status=on'), ...unless('Tags=No mail'), '--except', 'left.csv'];

/** Imports the file with all that is said, and then again, as another file and by other options. */
async function importTwice(then: { readonly text?: string; readonly left?: string }, ...args: string[]) {
  await using staged = await stage();
  staged.write('people.csv', text);
  staged.write('left.csv', 'dora@x.test\n');
  await staged.run('import', 'people.csv', '--yes', ...all);
  expect(sentRows(staged).map(({ email }) => email)).toEqual(['ada@x.test']);
  staged.write('people.csv', then.text ?? text);
  staged.write('back.csv', then.left ?? '');
  const ended = await staged.run('import', 'people.csv', '--yes', '--json', ...args);
  const sent = sentRows(staged).slice(1);
  const report = JSON.parse(ended.stdout);
  const leftOut = report.leftOutFile ? staged.read(report.leftOutFile) : '';
  return { ...ended, report, leftOut, sent: sent.map(({ email }) => `${email}`).sort() };
}

describe('whom an import left out', () => {
  test('stays out without the option that did it, is counted, and named', async () => {
    const { sent, report, stderr } = await importTwice({}, ...mailable('Group=A'));
    expect(sent).toEqual([]);
    expect(report).toMatchObject({
      sentBefore: 1,
      leftOut: 3,
      stillOut: 3,
      leftOutFile: 'people.csv.left-out.csv',
    });
    expect(stderr).toContain('3 of them because an earlier import of this file left these people out.\n');
  });

  test.each([
    ['the same option that names the value', mailable('Status=off')],
    ['an option without the value', [...mailable('Status=on,off'), ...unless('Tags=news')]],
  ])('stays out by %s, as the value has not changed', async (_, args) => {
    expect((await importTwice({}, ...args)).sent).toEqual([]);
  });

  test('stays out if another value has come, but the column is not named', async () => {
    const changed = text.replace('bob@x.test,off', 'bob@x.test,paused');
    expect((await importTwice({ text: changed }, ...mailable('Group=A'))).sent).toEqual([]);
    const gone = changed.replace('Status', 'State');
    expect((await importTwice({ text: gone }, ...mailable('State=paused'))).sent).toEqual([]);
  });

  test('comes back if the column that decided has another value that permits', async () => {
    const changed = text.replace('bob@x.test,off', 'bob@x.test,on').replace('vip;No mail', 'vip');
    const { sent, report, stderr } = await importTwice(
      { text: changed },
      ...mailable('Status=on'),
      ...unless('Tags=No mail'),
    );
    expect(sent).toEqual(['bob@x.test', 'cyd@x.test']);
    expect(report).toMatchObject({ cameBack: 2 });
    expect(stderr).toContain('2 people stayed out of an earlier import, and will go now\n');
  });

  test('comes back if a file of --readmit names the address, and what says no now does not count', async () => {
    const left = 'Bob <BOB@x.test>\ndora@x.test\n';
    const { sent, leftOut } = await importTwice({ left }, ...mailable('Group=A'), '--readmit', 'back.csv');
    expect(sent).toEqual(['bob@x.test', 'dora@x.test']);
    expect(leftOut).toMatch(/earlier import.*cyd@x\.test/);
  });

  test('stays out with --readmit if the value that the user names now says no', async () => {
    const { sent } = await importTwice({ left: 'bob@x.test\n' }, ...all, '--readmit', 'back.csv');
    expect(sent).toEqual([]);
  });

  test('is not remembered by a dry run, nor by a first import that mails nobody', async () => {
    await using staged = await stage();
    staged.write('people.csv', text);
    await staged.run('import', 'people.csv', '--dry-run', ...mailable('Status=on'));
    await staged.run('import', 'people.csv', '--yes', ...mailable('Status=On it'));
    const ended = await staged.run('import', 'people.csv', '--yes', ...mailable('Status=off'));
    expect(ended.code).toBe(0);
    expect(sentRows(staged)).toEqual([{ email: 'bob@x.test', tags: ['vip'] }]);
  });

  test('stays out after a back and forth, and who came back stays in', async () => {
    await using staged = await stage();
    const run = (status: string, ...args: string[]) => {
      staged.write(
        'people.csv',
        `email,Status,Group,firstName\nada@x.test,on,A,A\nbob@x.test,${status},A,${status}\n`,
      );
      return staged.run('import', 'people.csv', '--yes', ...args);
    };
    await run('off', ...mailable('Status=on'));
    await run('on', ...mailable('Status=on'));
    await run('later', ...mailable('Group=A'));
    await run('off', ...mailable('Status=on'));
    await run('never', ...mailable('Group=A'));
    const names = sentRows(staged).map(({ firstName }) => firstName);
    expect(names).toEqual(['A', 'on', 'later']);
  });
});

test('a record of version 1.0.0-rc.2 stops the import with one sentence', async () => {
  await using staged = await stage();
  staged.write('people.csv', text);
  staged.write('people.csv.journal', '{}');
  const ended = await staged.run('import', 'people.csv', '--yes', ...mailable('Status=on'));
  expect(ended).toMatchObject(endedWith(2, 'shows that version 1.0.0-rc.2 imported this file'));
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  expect(sentRows(staged)).toEqual([]);
});

test('corrected rows are of people whom the import of their file left out, also without the printed command', async () => {
  await using staged = await stage();
  staged.write('people.csv', `${text}nobody,on,,A\n`);
  await staged.run('import', 'people.csv', '--yes', ...mailable('Status=on'));
  const corrected = staged.read('people.csv.rejected.csv').replace('nobody', 'bob@x.test');
  staged.write('people.csv.rejected.csv', `${corrected},eve@x.test,on,,A\n`);
  await staged.run('import', 'people.csv.rejected.csv', '--yes', ...mailable('Group=A'));
  expect(sentRows(staged).map(({ email }) => email)).not.toContain('bob@x.test');
  expect(sentRows(staged).map(({ email }) => email)).toContain('eve@x.test');
});
