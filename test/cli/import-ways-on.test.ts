// What the import tells to do next does no more than it says, whoever follows it to the letter.
import { describe, expect, test } from 'vitest';
import { endedWith, everyone, importRows, mailable, sentAddresses, stage, unless } from './run-cli.ts';

/** A sandbox, and a file of people who left. */
async function stageLeft(text: string, left = 'left@x.test\n') {
  const staged = await stage();
  staged.write('people.csv', text);
  staged.write('left.csv', left);
  return {
    ...staged,
    run: (...args: string[]) => staged.run('import', 'people.csv', '--yes', ...args),
    runAny: staged.run,
  };
}

const except = ['--except', 'left.csv'];

describe('--except', () => {
  test('is repeated in the command that imports corrected rows, with all that was said', async () => {
    await using staged = await stageLeft(
      'Mail;ok;birthday\nnobody;yes;25/12/1990\nada@x.test;yes;\nbob@x.test;no;\nleft@x.test;yes;\n',
    );
    const { stderr } = await staged.run(
      ...mailable('ok=yes'),
      ...except,
      '--map',
      'Mail=email',
      '--birthdays',
      'day-first',
      ...unless('ok=maybe'),
    );
    const [, command = ''] = /import it with:\n {2}npx email-marketing-client (.*)\n/.exec(stderr) ?? [];
    expect(command).toBe(
      'import "people.csv.rejected.csv" --mailable "ok=yes" --except "left.csv" --except "people.csv.left-out.csv" ' +
        '--map "Mail=email" --birthdays day-first --unless "ok=maybe"',
    );
    const corrected = staged.read('people.csv.rejected.csv').replace('nobody', 'dora@x.test');
    staged.write('people.csv.rejected.csv', `${corrected}mine;bob@x.test;yes;\n`);
    const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    expect(await staged.runAny(...args, '--yes')).toMatchObject({ code: 0 });
    expect(sentAddresses(staged)).toEqual(['ada@x.test', 'dora@x.test']);
  });

  test.each([
    ['left.xlsx', 'PK\u0003\u0004', 'left.xlsx is a workbook: save it as "CSV UTF-8"'],
    ['left.json', '["left@x.test"]', 'write it as CSV'],
  ])('says what to do with %s, which is not CSV', async (name, text, message) => {
    await using staged = await stageLeft('email,agreed\nada@x.test\n');
    staged.write(name, text);
    const ended = await staged.run(...everyone, '--except', name);
    expect(ended).toMatchObject(endedWith(2, `${message}, and pass that file to --except`));
  });
});

test('each of two columns whose names differ in case alone, or not at all, decides for itself', async () => {
  const text =
    'email,Consent,"Consent ",CONSENT\na@x.test,yes,no,no\nb@x.test,no,yes,no\nc@x.test,no,no,yes\n';
  for (const [rule, sent] of [
    ['Consent (1)=yes', 'a@x.test'],
    ['Consent (2)=yes', 'b@x.test'],
    ['CONSENT=yes', 'c@x.test'],
  ] as const)
    expect((await importRows(text, ...mailable(rule))).sent).toEqual([sent]);
  const two = 'email,Consent,CONSENT\na@x.test,yes,no\nb@x.test,no,yes\n';
  expect((await importRows(two, ...mailable('CONSENT=yes'))).sent).toEqual(['b@x.test']);
  const shared = await importRows('email,Consent,CONSENT\na@x.test,yes,no\n', ...mailable('consent=yes'));
  expect(shared).toMatchObject({ ...endedWith(2, '2 columns are named "consent"'), sent: [] });
});
