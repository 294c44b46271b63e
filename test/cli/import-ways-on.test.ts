// What the import tells to do next does no more than it says, whoever follows it to the letter.
import { describe, expect, test } from 'vitest';
import { endedWith, everyone, identify, importRows, mailable, sentAddresses, stage } from './run-cli.ts';

/** A sandbox, and a file of people who left. */
async function stageLeft(text: string, left = 'left@x.test\n') {
  const staged = await stage();
  staged.write('people.csv', text);
  staged.write('left.csv', left);
  return { ...staged, run: (...args: string[]) => staged.run('import', 'people.csv', '--yes', ...args) };
}

const except = ['--except', 'left.csv'];

describe('--except', () => {
  test('is repeated where rejected rows are to be corrected and imported', async () => {
    await using staged = await stageLeft('email,ok\nnobody,yes\nada@x.test,yes\nbob@x.test,no\n');
    const { stderr } = await staged.run(...mailable('ok=yes'), ...except);
    expect(stderr).toMatch(/that file with --except "left\.csv" --except "people\.csv\.not-mailed\.csv"$/m);
    await using alone = await stageLeft('email\nnobody\nada@x.test\n');
    const none = await alone.run(...mailable('everyone'), ...except);
    expect(none.stderr).toMatch(/rejected\.csv, and import that file with --except "left\.csv"$/m);
  });

  test.each(['--only-new', '--restart'])('is kept with %s, if the file is the same', async option => {
    await using staged = await stageLeft('email,ok\nada@x.test,yes\nleft@x.test,yes\nbob@x.test,no\n');
    await staged.run(...mailable('ok=yes'), ...except);
    const { stderr } = await staged.run(...mailable('everyone'), option);
    expect(stderr).toContain('left.csv has 1 address\n');
    expect(new Set(sentAddresses(staged))).toEqual(new Set(['ada@x.test', 'bob@x.test']));
    staged.write('other.csv', 'z@x.test\n');
    const other = await staged.run(...mailable('everyone'), '--only-new', '--except', 'other.csv');
    expect(other.stderr).toMatch(/left\.csv has 1 address\n.*other\.csv has 1 address\n/);
    expect(sentAddresses(staged)).not.toContain('left@x.test');
  });

  test('names who has left since a complete import in a file', async () => {
    await using staged = await stageLeft('email\nada@x.test\nbob@x.test\n');
    await staged.run(...everyone, ...except);
    staged.write('left.csv', 'left@x.test\nada@x.test\n');
    const { stderr } = await staged.run(...everyone, ...except);
    expect(stderr).toContain('only the service itself can unsubscribe them (people.csv.not-mailed.csv)');
    expect(staged.read('people.csv.not-mailed.csv')).toMatch(/^.?sent by an earlier .*,ada@x\.test$/m);
    expect(staged.sandbox.requests.count(identify)).toBe(2);
  });

  test.each([
    ['left.xlsx', 'PK\u0003\u0004', 'left.xlsx is a workbook: save it as "CSV UTF-8"'],
    ['left.json', '["left@x.test"]', 'write it as CSV'],
  ])('says what to do with %s, which is not CSV', async (name, text, message) => {
    await using staged = await stageLeft('email\nada@x.test\n');
    staged.write(name, text);
    const ended = await staged.run(...everyone, '--except', name);
    expect(ended).toMatchObject(endedWith(2, `${message}, and pass that file to --except`));
  });
});

test('each of two columns whose names differ only in blanks or case decides for itself', async () => {
  const text =
    'email,Consent,"Consent ",CONSENT\na@x.test,yes,no,no\nb@x.test,no,yes,no\nc@x.test,no,no,yes\n';
  for (const [rule, sent] of [
    ['Consent=yes', 'a@x.test'],
    ['Consent (2)=yes', 'b@x.test'],
    ['Consent (3)=yes', 'c@x.test'],
  ] as const)
    expect((await importRows(text, ...mailable(rule))).sent).toEqual([sent]);
});

test('birthdays that are to be skipped are not said to be unreadable', async () => {
  const text = 'email,birthday\nada@x.test,03/04/1990\n';
  const { stderr } = await importRows(text, ...mailable('everyone'), '--birthdays', 'skip');
  expect(stderr).toContain('1 birthday will be left out, such as "03/04/1990"');
});
